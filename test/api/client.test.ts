// Our own typed client against a real server.
import { createClient, HarvestmanError } from '@harvestman/client'
import type { Engine } from '@harvestman/core'
import { defineFormat, definePlugin, title } from '@harvestman/core/plugin'
import { fakeBrowser } from '@harvestman/testing'
import { links } from 'dead-links'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

import { openHouse } from './bench.ts'

const shout = defineFormat({
  type: 'shout',
  options: z.object({ mark: z.string().max(3).default('!') }),
  value: z.object({ text: z.string() }),
  needs: { title },
  derive: async ({ title }, { options }) => ({ text: `${title.toUpperCase()}${options.mark}` }),
})
const shouting = definePlugin({ name: 'shouting', formats: [shout] })
const plugins = [shouting, links] as const
const house = openHouse('key-one', { browser: fakeBrowser({ pages: {} }), plugins })
/** As a program would have it that imports the type of the engine of its server. */
type ServerEngine = Engine<typeof plugins>
const { at } = house
const knowing = () => createClient<ServerEngine>({ url: house.server.url, key: 'key-one' })
const client = (key = 'key-one') => createClient({ url: house.server.url, key })
const pages = () => ['/good/article', '/good/docs', '/good/table'].map(at)

async function all<Item>(items: AsyncIterable<Item> | AsyncGenerator<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a document has what was asked for, and its type says so', async () => {
  const document = await client().scrape({ url: at('/good/article'), formats: ['markdown', { type: 'links' }] })
  expectTypeOf(document.markdown).toEqualTypeOf<string>()
  expectTypeOf(document.links).toEqualTypeOf<readonly string[]>()
  expectTypeOf(document).not.toHaveProperty('html')
  expect(document.markdown).toContain('but it walks on six')
  expect(document.links.length).toBeGreaterThan(0)
  const again = await client().findScrape(document.metadata.scrapeId)
  expect(again.markdown).toBe(document.markdown)
  const plain = await client().scrape({ url: at('/good/article') })
  expectTypeOf(plain.markdown).toEqualTypeOf<string>()
})

test('what is not right does not compile, and is refused with each problem', async () => {
  // @ts-expect-error There is no such option.
  const asking = client().scrape({ url: at('/good/article'), onlyMainContnt: true })
  const error = await asking.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(HarvestmanError)
  expect(error).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    requestId: expect.any(String) as string,
    details: [{ path: ['onlyMainContnt'], message: expect.stringContaining('is not a known key') as string }],
  })
  await expect(client('none').scrape({ url: at('/') })).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  await expect(client().scrape({ url: 'https://none.invalid' })).rejects.toMatchObject({
    status: 200,
    code: 'SCRAPE_DNS_RESOLUTION_ERROR',
  })
})

test('a map gives links', async () => {
  const { links } = await client().map({ url: at('/crawl/'), limit: 5 })
  expect(links).toHaveLength(5)
})

test('a crawl gives each document once, as they come', async () => {
  const crawl = await client().crawl({
    url: at('/crawl/'),
    limit: 5,
    scrapeOptions: { formats: ['markdown', 'links'] },
  })
  const seen: string[] = []
  for await (const { markdown, metadata } of crawl.documents()) {
    expectTypeOf(markdown).toEqualTypeOf<string>()
    expect(markdown).not.toBe('')
    seen.push(metadata.sourceURL)
  }
  expect(new Set(seen).size).toBe(5)
  expect(await crawl.status()).toMatchObject({ status: 'completed', total: 5, completed: 5 })
  expect(await crawl.cancel()).toBe(false)
  const found = await all(client().findCrawl(crawl.id).documents({ skip: 3 }))
  expect(found.map(({ metadata }) => metadata.sourceURL)).toEqual(seen.slice(3))
})

test('a batch is watched until its end, and says what failed', async () => {
  const batch = await client().batch({ urls: [...pages(), 'no url', 'http://none.invalid/'], ignoreInvalidURLs: true })
  expect(batch.invalidURLs).toEqual(['no url'])
  const types: string[] = []
  for await (const event of batch.events()) {
    types.push(event.type)
    if (event.type === 'page') expectTypeOf(event.document.markdown).toEqualTypeOf<string>()
  }
  expect(types.at(0)).toBe('started')
  expect(types.at(-1)).toBe('completed')
  expect(types.filter((type) => type === 'page')).toHaveLength(3)
  expect((await batch.errors()).errors).toMatchObject([{ code: 'SCRAPE_DNS_RESOLUTION_ERROR' }])
  expect(await batch.end()).toMatchObject({ status: 'completed', total: 4, completed: 3 })
})

test('a job is cancelled, and a start with the same key is the same job', async () => {
  const idempotencyKey = crypto.randomUUID()
  const request = { url: at('/slow/silent?own-client'), limit: 2 } as const
  const crawl = await client().crawl(request, { idempotencyKey })
  expect((await client().crawl(request, { idempotencyKey })).id).toBe(crawl.id)
  expect(await crawl.cancel()).toBe(true)
  expect(await crawl.end()).toMatchObject({ status: 'cancelled' })
})

test('a client that knows its server types the formats of plugins and gets what they say', async () => {
  const url = at('/good/article')
  const { shout } = await knowing().scrape({ url, formats: [{ type: 'shout', mark: '?' }] })
  expectTypeOf(shout).toEqualTypeOf<{ text: string }>()
  expect(shout.text).toMatch(/^[^a-z]+\?$/)
  const crawl = await knowing().crawl({ url: at('/crawl/'), limit: 2, scrapeOptions: { formats: ['shout'] } })
  const texts = (await all(crawl.documents())).map((document) => document.shout.text)
  expect(texts).toEqual([expect.stringMatching(/!$/), expect.stringMatching(/!$/)])
  const described = (await (await fetch(`${house.server.url}/openapi.json`)).json()) as object
  expect(JSON.stringify(described)).toContain('"const":"shout"')
})

test('a client that knows its server starts the kinds of its plugins by name', async () => {
  const job = await knowing().start('dead_links', { url: at('/good/article'), limit: 1 })
  const { status, data } = await job.end()
  expectTypeOf(data?.report).toEqualTypeOf<string | undefined>()
  expect([status, typeof data?.report]).toEqual(['completed', 'string'])
})
