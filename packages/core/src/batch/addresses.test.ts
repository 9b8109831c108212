import { expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import { EngineError } from '@harvestman/ports'
import { maxProblems } from '../schema/problems.ts'
import { checkAddresses, readAddresses } from './addresses.ts'

const many = Array.from({ length: 30_000 }, (_, index) => (index % 10 === 7 ? `no url ${index}` : `a.example/${index}`))

async function failure(work: Promise<unknown>): Promise<EngineError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (EngineError.is(error)) return error
  throw new Error('It was accepted.')
}

test('what is no address refuses the batch, and at most twenty are named', async () => {
  const given = { urls: many, ignoreInvalidURLs: false }
  const { code, message, details } = await failure(readAddresses(given, undefined))
  expect({ code, message }).toEqual({
    code: 'invalid_request',
    message: 'urls[7]: Invalid URL. urls[17]: Invalid URL. urls[27]: Invalid URL.',
  })
  expect(details['problems']).toHaveLength(maxProblems)
  expect((await failure(createEngine().batch({ urls: ['a.example', 'no url'] }))).message).toBe('urls[1]: Invalid URL.')
  expect(() => checkAddresses(given, undefined)).toThrow('urls[7]: Invalid URL.')
  expect(() => createEngine().preview('batch', { urls: ['no url'] })).toThrow('urls[0]: Invalid URL.')
})

test('or is left out, and all of it is named', async () => {
  const { urls, invalidURLs } = await readAddresses({ urls: many, ignoreInvalidURLs: true }, undefined)
  expect([urls.length, invalidURLs.length]).toEqual([27_000, 3_000])
  expect([urls[0], urls[7], invalidURLs[1]]).toEqual(['http://a.example/0', 'http://a.example/8', 'no url 17'])
})

test('others have their turn while tens of thousands are read', async () => {
  let turns = 0
  const reading = { isOver: false }
  const next = (): void => {
    turns += 1
    if (!reading.isOver) setImmediate(next)
  }
  setImmediate(next)
  await readAddresses({ urls: many, ignoreInvalidURLs: true }, undefined)
  reading.isOver = true
  expect(turns).toBeGreaterThanOrEqual(29)
})
