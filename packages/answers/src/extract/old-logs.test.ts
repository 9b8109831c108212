import { readFileSync, readdirSync } from 'node:fs'

import { createEngine, memoryStore } from '@harvestman/core'
import type { Fetcher, Json } from '@harvestman/ports'
import { handClock, scriptedLLM } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { answers, extract } from '../index.ts'

/** What a store held of an extract of an earlier version: every key of it. Bytes stand as base64. */
interface Kept {
  readonly job: string
  readonly at: number
  readonly entries: Readonly<Record<string, { readonly json: Json } | { readonly bytes: string }>>
}

const folder = new URL('old-logs/', import.meta.url)
const visited: string[] = []
const fetcher = (): Fetcher => ({
  exchange: async ({ url, headers }) => {
    const { host, pathname } = new URL(url)
    // What is told of the job goes elsewhere.
    if (host === 'shop.test') visited.push(`${pathname} ${headers['x-a']}`)
    const body = '<title>Lamp</title><main><p>The Luna weighs 3 kg.</p></main>'
    return { status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode(body) }
  },
  close: async () => undefined,
})

// Of two pages, one was kept when its engine was cut off; the other extract was whole.
test.each(readdirSync(folder))('the extract %s of an earlier version is read, and goes on to its end', async (file) => {
  const { job: id, at, entries } = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Kept
  const clock = handClock(at)
  const store = memoryStore({ clock })
  for (const [key, entry] of Object.entries(entries))
    await store.set(key, 'json' in entry ? entry.json : new Uint8Array(Buffer.from(entry.bytes, 'base64')))
  const llm = scriptedLLM([{ value: { material: null, weight: '3 kg' } }])
  await using engine = createEngine({ fetcher, llm, store, clock, plugins: [answers] })
  visited.length = 0
  const urls = ['https://shop.test/aurora', 'https://shop.test/luna']
  const status = await (await engine.find(extract, id)).end()
  expect(status).toMatchObject({
    status: 'completed',
    data: { material: 'oak', weight: '3 kg' },
    sources: { material: [urls[0]], weight: [urls[1]] },
    invalidURLs: ['no address'],
    request: { scrapeOptions: { onlyMainContent: false, location: { country: 'DE' } } },
  })
  expect(status.urlTrace?.map(({ url, status }) => [url, status])).toEqual(urls.map((url) => [url, 'scraped']))
  expect(visited).toEqual(file.startsWith('cut') ? ['/luna b'] : [])
})
