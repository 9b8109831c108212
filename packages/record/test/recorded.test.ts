import { existsSync } from 'node:fs'

import { startSite } from '@harvestman/testing'
import { afterAll, expect, test } from 'vitest'

import { recorded } from '../src/index.ts'
import { here, makeFolder } from './bench.ts'

const folder = makeFolder()
afterAll(folder.clean)

test('the work of a test is recorded the first time, and replayed after that, also when its site is gone', async () => {
  const site = await startSite()
  const options = { folder: folder.file('recordings'), engine: { allowPrivate: here } }
  const seen: string[] = []
  const body = recorded(
    'The article, as it was',
    async (engine) => {
      const { markdown } = await engine.scrape({ url: `${site.url}/good/article` })
      seen.push(markdown)
    },
    options,
  )
  await body()
  await site.close()
  await body()
  expect(existsSync(folder.file('recordings/the-article-as-it-was.warc.gz'))).toBe(true)
  expect(seen).toHaveLength(2)
  expect(seen[1]).toBe(seen[0])
})

test('work that fails while it is recorded leaves no record, so that the next run records anew', async () => {
  const options = { folder: folder.file('failing') }
  const body = recorded('fails', () => Promise.reject(new Error('not as expected')), options)
  await expect(body()).rejects.toThrow('not as expected')
  expect(existsSync(folder.file('failing/fails.warc.gz'))).toBe(false)
})
