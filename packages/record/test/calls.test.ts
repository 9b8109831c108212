// Records of single calls on an engine that does other work beside them.
import type { EndpointFile } from '@harvestman/core/plugin'
import { createWriteStream, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { agent, answers } from '@harvestman/answers'
import { createEngine, EngineError, memoryStore, type Engine } from '@harvestman/core'
import { answerPage, scriptedLLM, scriptedSearch, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WARCParser } from 'warcio'

import { records, replay, type RecordsOptions } from '../src/index.ts'
import { makeFolder, rerun } from './bench.ts'

const folder = makeFolder()
const allowPrivate = ['127.0.0.0/8']
let site: Site
let counter = 0
beforeAll(async () => {
  site = await startSite({
    pages: 30,
    routes: [
      {
        path: '/counter',
        about: 'another page with each visit',
        handle: (visit) => answerPage(visit, 'Counter', `<p>This is visit ${++counter}.</p>`),
      },
    ],
  })
})
afterAll(async () => {
  await site.close()
  folder.clean()
})

const model = () => scriptedLLM([{ value: 'A page that counts.' }])

function open(options?: RecordsOptions) {
  const search = scriptedSearch({ web: [{ url: `${site.url}/counter`, title: 'Counter' }] })
  return createEngine({ allowPrivate, llm: model(), search, plugins: [records(options)] })
}

/** Saves the record of a call as a file. */
/** The part of an engine that returns records. */
interface Saving {
  readonly records: { get(id: string, call?: { readonly team?: string | undefined }): Promise<EndpointFile> }
}

async function save({ records }: Saving, id: string, team?: string): Promise<string> {
  const file = folder.file(`${id}.warc.gz`)
  const kept = await records.get(id, { team })
  await pipeline(Readable.from(kept.bytes), createWriteStream(file))
  expect(kept.name).toBe(`${id}.warc.gz`)
  return file
}

/** Pages of a search are loaded side by side: which of them gets which id is chance. */
const withoutId = ({ metadata, ...page }: { readonly metadata?: { readonly statusCode?: number } }) => ({
  ...page,
  status: metadata?.statusCode,
})

async function addressesIn(file: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const record of new WARCParser([readFileSync(file)]))
    if (record.warcType === 'response') found.push(record.warcTargetURI ?? '')
  return found
}

test('a scrape is recorded by itself, beside others, and is replayed byte for byte with its id', async () => {
  await using engine = open()
  const request = { url: `${site.url}/counter`, formats: ['markdown', 'summary'] as const }
  // The page is kept: what is recorded is loaded all the same.
  await engine.scrape(request)
  const [recorded, other] = await Promise.all([
    engine.scrape({ ...request, maxAge: 3_600_000, record: true }),
    engine.scrape({ url: `${site.url}/good/article` }),
  ])
  const file = await save(engine, recorded.metadata.scrapeId)
  expect(await addressesIn(file)).toEqual([`${site.url}/counter`])
  const { result, connections } = await rerun(file, (again) => again.scrape(request))
  expect(result).toEqual(recorded)
  expect(connections).toBe(0)
  await expect(engine.records.get(other.metadata.scrapeId)).rejects.toMatchObject({ code: 'not_found' })
})

test(
  'a crawl is recorded with its robots.txt and sitemaps, also when they were read before',
  { tags: ['long'] },
  async () => {
    await using engine = open()
    const request = { url: `${site.url}/crawl/`, limit: 12 }
    const pagesOf = async (from: Pick<Engine, 'crawl'>, more = {}) => {
      const job = await from.crawl({ ...request, ...more })
      const pages = new Map<string, string>()
      for await (const { metadata, markdown } of job.documents()) pages.set(metadata.sourceURL, markdown)
      return { id: job.id, pages: Object.fromEntries(pages) }
    }
    await pagesOf(engine)
    const recorded = await pagesOf(engine, { record: true })
    const file = await save(engine, recorded.id)
    expect(await addressesIn(file)).toContain(`${site.url}/robots.txt`)
    const { result, connections } = await rerun(file, (again) => pagesOf(again))
    expect(Object.keys(result.pages)).toHaveLength(12)
    expect(result.pages).toEqual(recorded.pages)
    expect(connections).toBe(0)
  },
)

test('maps, searches and batches are recorded', { tags: ['long'] }, async () => {
  await using engine = open()
  const map = await engine.map({ url: `${site.url}/crawl/`, record: true })
  const mapped = await rerun(await save(engine, map.id), (again) => again.map({ url: `${site.url}/crawl/` }))
  expect(mapped.result).toEqual(map)
  const search = { query: 'counters', scrapeOptions: { formats: ['markdown'] as const } }
  const found = await engine.search({ ...search, record: true })
  const searched = await rerun(await save(engine, found.id), (again) => again.search(search))
  expect(found.web).toEqual([expect.objectContaining({ markdown: expect.stringContaining('visit') })])
  expect(searched.result.web?.map(withoutId)).toEqual(found.web?.map(withoutId))
  const batch = await engine.batch({ urls: [`${site.url}/counter`], record: true })
  await batch.end()
  expect(await addressesIn(await save(engine, batch.id))).toContain(`${site.url}/counter`)
  expect([mapped.connections, searched.connections]).toEqual([0, 0])
})

test('an agent is recorded, with its questions to the model and the pages that it read', async () => {
  const replies = [
    { calls: [{ name: 'read', input: { url: `${site.url}/counter` } }] },
    { calls: [{ name: 'finish', input: {} }] },
    { value: { visits: 1 } },
  ]
  const schema = { type: 'object', properties: { visits: { type: 'number' } } }
  const parts = { allowPrivate, plugins: [answers, records()] as const }
  await using engine = createEngine({ ...parts, llm: scriptedLLM(replies) })
  const job = await engine.start(agent, {
    prompt: 'How many visits?',
    urls: [`${site.url}/counter`],
    schema,
    record: true,
  })
  const { status, data } = await job.end()
  expect({ status, data }).toEqual({ status: 'completed', data: { visits: 1 } })
  const file = await save(engine, job.id)
  expect(await addressesIn(file)).toContain(`${site.url}/counter`)
  await using again = await replay(file, { engine: { allowPrivate, plugins: [answers] } })
  const repeated = await again.start(agent, { prompt: 'How many visits?', urls: [`${site.url}/counter`], schema })
  expect((await repeated.end()).data).toEqual(data)
})

test('a scrape that failed names its record, and fails in the same way when it is replayed', async () => {
  await using engine = open()
  const request = { url: `${site.url}/broken/reset`, timeout: 10_000 }
  const failure = await engine.scrape({ ...request, record: true }).catch((error: unknown) => error)
  if (!EngineError.is(failure)) throw failure
  const file = await save(engine, String(failure.details['record']))
  const { result } = await rerun(file, (again) => again.scrape(request).catch((error: unknown) => error))
  expect(result).toMatchObject({ code: failure.code, message: failure.message })
})

test('records belong to their team, leave out secrets, and are deleted', async () => {
  await using engine = open()
  const call = { team: 'acme' }
  const headers = { authorization: 'Bearer K-1234-secret', 'x-own-key': 'K-5678-secret' }
  const { metadata } = await engine.scrape({ url: `${site.url}/counter`, headers, record: true }, call)
  const id = metadata.scrapeId
  await expect(engine.records.get(id)).rejects.toMatchObject({ code: 'not_found' })
  const file = await save(engine, id, 'acme')
  const texts: string[] = []
  for await (const record of new WARCParser([readFileSync(file)])) texts.push((await record.contentText()) ?? '')
  expect(texts.join('\n')).not.toMatch(/K-\d+-secret/)
  await engine.records.delete(id)
  expect((await engine.records.get(id, call)).mediaType).toBe('application/gzip')
  await engine.records.delete(id, call)
  await expect(engine.records.get(id, call)).rejects.toMatchObject({ code: 'not_found' })
})

test('a record stays within its bounds, and the request is answered all the same', async () => {
  const warnings: string[] = []
  await using engine = createEngine({
    allowPrivate,
    observer: (event) => event.kind === 'warning' && warnings.push(event.message),
    plugins: [records({ limits: { exchanges: 1 } })],
  })
  const { metadata } = await engine.scrape({ url: `${site.url}/redirect/chain/3`, record: true })
  expect(await addressesIn(await save(engine, metadata.scrapeId))).toHaveLength(1)
  expect(warnings).toEqual([expect.stringContaining('is full')])
})

test('the parts of a job that goes on in another process are one record', async () => {
  const store = memoryStore()
  const [first, second] = [1, 2].map(() => createEngine({ allowPrivate, store, plugins: [records()] }))
  if (!first || !second) throw new Error('two engines')
  const job = await first.batch({ urls: [`${site.url}/good/article`], record: true })
  await job.end()
  await first.close()
  await second.batch({ urls: [`${site.url}/counter`], appendToId: job.id })
  const again = await second.jobs.find(job.id)
  await expect.poll(async () => (await again.status()).completed, { timeout: 60_000 }).toBe(2)
  const file = await save(second, job.id)
  await second.close()
  await store.close()
  expect(await addressesIn(file)).toEqual(expect.arrayContaining([`${site.url}/good/article`, `${site.url}/counter`]))
})

test('a request for a record is refused where none is kept, and where nothing may be kept', async () => {
  await using plain = createEngine({ allowPrivate })
  await using engine = open()
  const url = `${site.url}/counter`
  const before = counter
  for (const refused of [
    plain.scrape({ url, record: true }),
    plain.crawl({ url, record: true }),
    plain.map({ url, record: true }),
  ])
    await expect(refused).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringContaining('records()'),
    })
  for (const refused of [
    engine.scrape({ url, record: true, zeroDataRetention: true }),
    engine.crawl({ url, record: true, zeroDataRetention: true }),
  ])
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^record(?::| cannot be combined)/),
    })
  expect(counter).toBe(before)
})
