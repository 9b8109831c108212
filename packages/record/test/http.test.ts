import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'

import { EngineError } from '@harvestman/core'
import { answer, answerPage, goodPages, scriptedLLM, scriptedSearch, startSite, type Site } from '@harvestman/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WARCParser, WARCRecord, WARCSerializer } from 'warcio'

import { compareSteps } from '../src/index.ts'
import { packMember, unpackMember } from '../src/warc/members.ts'
import { makeFolder, record, rerun, scrapeAll, type RunEngine } from './bench.ts'

const folder = makeFolder()
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
      {
        path: '/secret',
        about: 'a page that sets a cookie and shows what it was sent',
        handle: (visit) =>
          answer(visit, 'text/html', '<h1>For members</h1><p>The word is swordfish-4711.</p>', {
            headers: { 'set-cookie': 'session=abcdef123456', 'x-own': 'private-thing' },
          }),
      },
    ],
  })
})
afterAll(async () => {
  await site.close()
  folder.clean()
})

const paths = [
  ...goodPages.map(({ path }) => path),
  '/redirect/chain/3',
  '/status/404',
  '/status/500',
  '/packed/gzip',
  '/packed/br',
  '/broken/reset',
  '/cookie/set',
  '/encoding/windows-1252/header',
]

test(
  'pages, files, redirects and failures are replayed byte for byte, and nothing is connected to',
  { tags: ['long'] },
  async () => {
    const requests = paths.map((path) => ({ url: site.url + path, formats: ['markdown', 'rawHtml', 'links'] as const }))
    const file = folder.file('pages.warc.gz')
    const recorded = await record({ file }, {}, (engine) => scrapeAll(engine, requests))
    const { result, connections } = await rerun(file, (engine) => scrapeAll(engine, requests))
    expect(result).toEqual(recorded)
    expect(recorded.filter((outcome) => outcome.includes('"markdown"')).length).toBeGreaterThan(goodPages.length)
    expect(connections).toBe(0)
  },
)

test('a crawl with its robots.txt and sitemaps is replayed, page by page', async () => {
  const file = folder.file('crawl.warc.gz')
  const crawl = async (engine: Parameters<Parameters<typeof rerun>[1]>[0]) => {
    const job = await engine.crawl({ url: `${site.url}/crawl/`, limit: 20 })
    const documents = new Map<string, string>()
    for await (const { metadata, markdown } of job.documents()) documents.set(metadata.sourceURL, markdown)
    return Object.fromEntries(documents)
  }
  const recorded = await record({ file }, {}, crawl)
  const { result, connections } = await rerun(file, crawl)
  expect(Object.keys(recorded)).toHaveLength(20)
  expect(result).toEqual(recorded)
  expect(connections).toBe(0)
})

test('equal requests are answered in the order in which they were recorded, then by the last again', async () => {
  const file = folder.file('counter.warc.gz')
  const visit = async (engine: Parameters<Parameters<typeof rerun>[1]>[0], times: number) =>
    (
      await scrapeAll(
        engine,
        Array.from({ length: times }, () => ({ url: `${site.url}/counter`, maxAge: 0 })),
      )
    ).map((outcome) => /visit \d+/.exec(outcome)?.[0])
  const recorded = await record({ file }, {}, (engine) => visit(engine, 3))
  const { result } = await rerun(file, (engine) => visit(engine, 4))
  expect(new Set(recorded).size).toBe(3)
  expect(result).toEqual([...recorded, recorded[2]])
})

test('what a model and a search had said is said again, with their tokens, and they are not asked', async () => {
  const file = folder.file('asked.warc.gz')
  const llm = scriptedLLM([
    { value: 'A short page.', usage: { inputTokens: 10, outputTokens: 3 } },
    { value: 'Another.' },
  ])
  const search = scriptedSearch({ web: [{ url: `${site.url}/good/article`, title: 'Harvestmen' }] })
  const ask = async (engine: Parameters<Parameters<typeof rerun>[1]>[0]) => {
    const { web } = await engine.search({ query: 'harvestmen', limit: 3 })
    const request = { url: `${site.url}/good/article`, formats: ['summary'] as const, maxAge: 0 }
    return JSON.stringify([web, await engine.scrape(request), await engine.scrape(request)])
  }
  const recorded = await record({ file }, { llm, search }, ask)
  const { result } = await rerun(file, ask)
  expect(recorded).toMatch(/A short page\..*Another\./)
  expect(result).toBe(recorded)
  expect([llm.questions.length, search.queries.length]).toEqual([2, 1])
})

test('what was not recorded fails with its name, or is loaded and added with patch', async () => {
  const file = folder.file('patch.warc.gz')
  const known = { url: `${site.url}/good/article` }
  const more = { url: `${site.url}/good/terms` }
  await record({ file }, {}, (engine) => scrapeAll(engine, [known]))
  const strict = await rerun(file, (engine) => engine.scrape(more).catch((error: unknown) => error))
  expect(EngineError.is(strict.result) && strict.result.message).toContain(`GET ${more.url}`)
  expect(strict.connections).toBe(0)
  const patched = await rerun(file, (engine) => scrapeAll(engine, [known, more]), { patch: true })
  expect(patched.result[1]).toContain('They rest.')
  const index = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8').trim().split('\n')
  expect(index).toHaveLength(2)
  expect(index).toEqual(index.toSorted())
  const again = await rerun(file, (engine) => scrapeAll(engine, [more]))
  expect(again.result[0]).toContain('They rest.')
  expect(again.connections).toBe(0)
})

test('keys, cookies and what the caller names are in none of the files, and the page is replayed', async () => {
  const file = folder.file('secret.warc.gz')
  const secrets = { headers: ['x-own'], query: ['ticket'], values: ['swordfish-4711'] }
  const request = {
    url: `${site.url}/secret?ticket=T-123456&page=2`,
    headers: { authorization: 'Bearer key-98765', cookie: 'id=cookie-13579' },
  }
  await record({ file, secrets }, {}, (engine) => scrapeAll(engine, [request]))
  const records = await readForeign(file)
  const all =
    records.map(({ text, head }) => head + text).join() + readFileSync(file.replace('.warc.gz', '.jsonl'), 'utf8')
  for (const secret of ['key-98765', 'cookie-13579', 'abcdef123456', 'private-thing', 'T-123456', 'swordfish-4711'])
    expect(all).not.toContain(secret)
  const { result } = await rerun(file, (engine) => scrapeAll(engine, [request]), { secrets })
  expect(result[0]).toContain('The word is left-out.')
})

test('a record is read by another reader: pairs, digests, and bodies that are kept once', async () => {
  const file = folder.file('foreign.warc.gz')
  const requests = ['/good/article', '/packed/gzip', '/good/terms'].map((path) => ({ url: site.url + path }))
  await record({ file }, {}, (engine) => scrapeAll(engine, requests))
  const records = await readForeign(file)
  expect(records.map(({ type }) => type)).toEqual([
    'warcinfo',
    'response',
    'request',
    'revisit',
    'request',
    'response',
    'request',
  ])
  const [, response, request, revisit] = records
  expect(response?.fields['warc-payload-digest']).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(response?.fields['warc-concurrent-to']).toBe(request?.fields['warc-record-id'])
  expect(response?.text).toContain('<html')
  expect(revisit?.fields['warc-payload-digest']).toBe(response?.fields['warc-payload-digest'])
  expect(revisit?.fields['warc-refers-to-target-uri']).toBe(`${site.url}/good/article`)
  const index = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8').trim().split('\n')
  expect(index).toHaveLength(3)
  const { offset, length } = JSON.parse(index[0]?.replace(/^\S+ \S+ /, '') ?? '') as Record<'offset' | 'length', string>
  const member = readFileSync(file).subarray(Number(offset), Number(offset) + Number(length))
  expect((await WARCParser.parse(chunksOf(member)))?.warcTargetURI).toBe(`${site.url}/good/article`)
})

test('a record that another program has written is replayed: packed and in chunks, as it came over the wire', async () => {
  const file = folder.file('theirs.warc.gz')
  const page = '<html><title>Theirs</title><h1>Theirs</h1><p>Written by another program.</p></html>'
  const chunked = `${page.length.toString(16)}\r\n${page}\r\n0\r\n\r\n`
  const response = WARCRecord.create(
    {
      url: 'http://example.com/theirs',
      date: '2026-01-02T03:04:05Z',
      type: 'response',
      warcVersion: 'WARC/1.1',
      statusline: 'HTTP/1.1 200 OK',
      httpHeaders: { 'Content-Type': 'text/html', 'Transfer-Encoding': 'chunked' },
    },
    chunksOf(Buffer.from(chunked)),
  )
  writeFileSync(file, await WARCSerializer.serialize(response, { gzip: true }))
  const { result, connections } = await rerun(file, (engine) => engine.scrape({ url: 'http://example.com/theirs' }))
  expect(result.markdown).toContain('Written by another program.')
  expect(connections).toBe(0)
})

test('a record whose writer was killed is read up to its last whole exchange', async () => {
  const file = folder.file('cut.warc.gz')
  const requests = ['/good/article', '/good/terms'].map((path) => ({ url: site.url + path }))
  const recorded = await record({ file }, {}, (engine) => scrapeAll(engine, requests))
  const [, second = ''] = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8').split('\n')
  const { offset } = JSON.parse(second.replace(/^\S+ \S+ /, '')) as { readonly offset: string }
  truncateSync(file, Number(offset) + 300)
  const { result } = await rerun(file, (engine) => scrapeAll(engine, requests))
  expect(result[0]).toBe(recorded[0])
  expect(result[1]).toContain('Not in the record')
})

test('one letter that was changed in a recorded answer is found by comparing how both documents came about', async () => {
  const file = folder.file('flipped.warc.gz')
  const request = { url: `${site.url}/good/terms` }
  const explained = async (engine: RunEngine) => (await engine.scrape(request, { explain: true })).explain
  const before = await record({ file }, {}, explained)
  const same = await rerun(file, explained)
  expect(before && same.result && compareSteps(before, same.result)).toBeUndefined()
  const bytes = readFileSync(file)
  const line = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8').replace(/^\S+ \S+ /, '')
  const offset = Number((JSON.parse(line) as { readonly offset: string }).offset)
  const member = unpackMember(bytes.subarray(offset), 1_000_000)
  if (typeof member !== 'object') throw new Error('The record has no such member.')
  const flipped = Buffer.from(member.bytes.toString('latin1').replace('They rest.', 'They rust.'), 'latin1')
  const tail = bytes.subarray(offset + member.length)
  writeFileSync(file, Buffer.concat([bytes.subarray(0, offset), packMember(flipped, 1), tail]))
  const { result: after } = await rerun(file, explained)
  const difference = before && after && compareSteps(before, after)
  expect(difference).toMatchObject({ before: { step: 'loader', status: 200 }, after: { step: 'loader', status: 200 } })
  expect(difference?.before?.digest).not.toBe(difference?.after?.digest)
})

test.each([{ append: true }, { patch: true }])(
  'a record that was cut in the middle of an exchange is added to, and read as a whole: %o',
  async ({ append, patch }) => {
    const file = folder.file(`added-${patch}.warc.gz`)
    const [rest, index] = [file.replace('.warc.gz', '.jsonl'), file.replace('.warc.gz', '.cdxj')]
    const requests = ['/good/article', '/good/terms'].map((path) => ({ url: site.url + path, maxAge: 0 }))
    const recorded = await record({ file }, {}, (engine) => scrapeAll(engine, requests))
    const [, second = ''] = readFileSync(index, 'utf8').split('\n')
    truncateSync(
      file,
      Number((JSON.parse(second.replace(/^\S+ \S+ /, '')) as { readonly offset: string }).offset) + 300,
    )
    writeFileSync(rest, readFileSync(rest).subarray(0, -20))
    rmSync(index)
    const again = (engine: RunEngine) => scrapeAll(engine, [requests[1]!])
    if (append) await record({ file, append }, {}, again)
    else await rerun(file, again, { patch })
    expect((await readForeign(file)).map(({ type }) => type)).toEqual([
      'warcinfo',
      ...['response', 'request', 'response', 'request'],
    ])
    expect(readFileSync(index, 'utf8').trim().split('\n')).toHaveLength(2)
    for (const line of readFileSync(rest, 'utf8').trim().split('\n'))
      expect(() => JSON.parse(line) as unknown).not.toThrow()
    const { result, connections } = await rerun(file, (engine) => scrapeAll(engine, requests))
    expect(result.map(markdownOf)).toEqual(recorded.map(markdownOf))
    expect(connections).toBe(0)
  },
)

function markdownOf(outcome: string): unknown {
  return (JSON.parse(outcome) as { readonly markdown?: unknown }).markdown
}

async function* chunksOf(bytes: Uint8Array) {
  yield bytes
}

/** Reads a record with the reader of others. */
async function readForeign(file: string) {
  const records = []
  for await (const one of WARCParser.iterRecords(chunksOf(readFileSync(file)))) {
    const text = await one.contentText()
    const fields = Object.fromEntries(one.warcHeaders.headers.entries())
    records.push({
      type: one.warcType,
      fields,
      text,
      head: JSON.stringify([...(one.httpHeaders?.headers.entries() ?? [])]),
    })
  }
  return records
}

test('a run that is recorded uses one fetcher, even if there is another one for blocked pages', async () => {
  const identityFetcher = () => {
    throw new TypeError('It was created.')
  }
  const loaders = async (engine: RunEngine) => engine.capabilities().loaders
  const file = folder.file('one-fetcher.warc.gz')
  expect(await record({ file }, { identityFetcher }, loaders)).toEqual(['http'])
})
