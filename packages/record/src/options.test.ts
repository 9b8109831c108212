import { redactionOf } from '@harvestman/toolbox/redaction'
import { expect, test } from 'vitest'

import { exchangeKey } from './keys.ts'
import { readLimits, readSecrets, filesOf, filesToWrite } from './options.ts'

const redaction = redactionOf({ query: ['ticket'] })

test('a request is found again whatever its secret is', () => {
  const key = (ticket: string) =>
    exchangeKey({ method: 'GET', url: `https://example.com/?ticket=${ticket}#part` }, redaction)
  expect(key('one')).toBe(key('two'))
})

test('bounds, secrets and names of files that make no sense are refused with what to do', () => {
  expect(() => readLimits({ fileBytes: 0 })).toThrow('record: limits.fileBytes must be an integer of at least 1.')
  expect(() => readSecrets({ values: ['abc'] })).toThrow('4 characters')
  expect(() => filesOf('run.zip')).toThrow('must end with .warc.gz')
  expect(() => filesToWrite('theirs.warc')).toThrow('must end with .warc.gz')
  expect(filesOf('a/run.warc.gz')).toEqual({ warc: 'a/run.warc.gz', index: 'a/run.cdxj', rest: 'a/run.jsonl' })
})
