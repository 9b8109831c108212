// The tools that search scraped pages: over MCP with the official client, and in a framework, on a real engine and a real site.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { answers } from '@harvestman/answers'
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { createApi } from '@harvestman/http'
import { pageIndex } from '@harvestman/search'
import { aiTools } from '@harvestman/tools/ai-sdk'
import { mcpHandler } from '@harvestman/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'

const about = (thing: string): string =>
  `<h2>${thing}</h2><p>${`The ${thing} of this shop is made by hand and lasts for many years. `.repeat(40)}</p>`

/** A site of one page, and an engine with an index. */
async function bench() {
  let things: readonly string[] = ['lamp', 'chair', 'table']
  const site = createServer(({ url }, response) => {
    const html = `<!doctype html><title>Shop</title><main><h1>Shop</h1>${things.map(about).join('')}</main>`
    response.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(html)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const index = pageIndex()
  const engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    search: index,
    plugins: [data(), answers, index.plugin],
  })
  onTestFinished(async () => {
    await engine.close()
    site.close()
  })
  const api = createApi(engine)
  const tools = await aiTools(api, { sets: ['retrieval'] })
  const call = async (name: string, input: object): Promise<string> => {
    const result = await tools[name]?.execute(input, {})
    return result?.text ?? ''
  }
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const change = (next: readonly string[]): void => {
    things = next
  }
  return { engine, api, tools, call, url, change }
}

async function connect(api: (request: Request) => Promise<Response>, path = '/mcp'): Promise<Client> {
  const mcp = mcpHandler({ ask: api })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => mcp(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), { fetch }))
  onTestFinished(() => client.close())
  return client
}

test('a model finds a passage, and reads the chunks around it', async () => {
  const { engine, call, url } = await bench()
  await engine.scrape({ url })
  const found = await call('search_pages', { query: 'chair', limit: 1 })
  expect(found).toContain(`<page-content url=${JSON.stringify(url)}>`)
  expect(found).toContain('The chair of this shop')
  const [, chunk = ''] = /^Chunk: (\S+),/m.exec(found) ?? []
  const read = await call('read_chunk', { url, chunk, around: 1 })
  for (const thing of ['lamp', 'chair']) expect(read).toContain(`The ${thing} of this shop`)
  expect(await call('read_chunk', { url, chunk, around: 0 })).not.toContain('The lamp of this shop')
})

test('a model that reads a chunk that is gone gets the chunks of the page', async () => {
  const { call, url } = await bench()
  const text = await call('read_chunk', { url, chunk: 'abc' })
  expect(text).toContain('no such chunk any more')
  expect(text).toContain('Shop > chair')
})

test('a model sees what a crawl found changed', async () => {
  const { engine, call, url, change } = await bench()
  const crawl = async () => {
    const job = await engine.crawl({ url, scrapeOptions: { formats: ['chunkChanges'] } })
    await job.end()
    return job.id
  }
  await crawl()
  change(['lamp', 'bed', 'table'])
  const text = await call('what_changed', { job: await crawl() })
  expect(text).toContain('The bed of this shop')
  expect(text).not.toContain('The lamp of this shop')
  expect(await call('what_changed', { job: await crawl() })).toBe('There are no further changes.')
})

test('a model checks whether pages still have what it cites', async () => {
  const { call, url, change } = await bench()
  const quoteOf = (thing: string): string => `The ${thing} of this shop is made by hand and lasts for many years.`
  change(['lamp', 'bed'])
  const citations = [
    { url, quote: quoteOf('lamp') },
    { url, quote: quoteOf('chair') },
    { url, quote: 'Visitors are welcome every Monday.' },
    { url: `${url}none`, quote: quoteOf('lamp') },
  ]
  const text = await call('verify', { citations })
  expect(text).toMatch(/^1: unchanged\n\n2: changed\n\n<page-content[^>]*>\nThe \w+ of this shop is made by hand/)
  expect(text).toMatch(/3: gone\n\n4: gone\. The page has the status 404\.$/)
})

test('verify is not listed by a server without this kind of job', async () => {
  const engine = createEngine({ plugins: [data()] })
  onTestFinished(() => engine.close())
  expect(Object.keys(await aiTools(createApi(engine), { sets: ['retrieval'] }))).not.toContain('verify')
})

test('retrieval is a set of its own, which an app or an MCP client chooses', async () => {
  const { api, tools } = await bench()
  const retrieval = ['search_pages', 'read_chunk', 'what_changed', 'verify']
  expect(Object.keys(tools)).toEqual(retrieval)
  const listed = async (path: string) => (await (await connect(api, path)).listTools()).tools
  const chosen = await listed('/mcp?tools=retrieval')
  expect(chosen.map(({ name }) => name)).toEqual(retrieval)
  expect(
    JSON.stringify(chosen.map(({ name, description, inputSchema }) => [name, description, inputSchema])).length,
  ).toBeLessThan(3_000)
  const names = async (path: string) => (await listed(path)).map(({ name }) => name)
  for (const name of retrieval) expect(await names('/mcp')).not.toContain(name)
  expect(await names('/mcp?tools=web,retrieval')).toEqual(expect.arrayContaining(['scrape', ...retrieval]))
  expect((await connect(api, '/mcp?tools=retrieval')).getInstructions()).toMatch(/^search_pages searches/)
})

test('an unknown set of tools is refused, with the known ones', async () => {
  const { api } = await bench()
  const response = await mcpHandler({ ask: api })(
    new Request('http://localhost/mcp?tools=all', { method: 'POST', body: '{}' }),
  )
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'tools: there is no set "all". Use web or retrieval.' })
  const last = await mcpHandler({ ask: api })(
    new Request('http://localhost/mcp?tools=web,retrieval,all', { method: 'POST', body: '{}' }),
  )
  expect(last.status).toBe(400)
})

/** Calls a tool of a server with these responses, by path. */
async function callOf(responses: Readonly<Record<string, (body: URLSearchParams) => object>>) {
  const api = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    const response = responses[pathname]
    return response ? Response.json(response(searchParams)) : new Response('{}', { status: 404 })
  }
  const tools = await aiTools(api, { sets: ['retrieval'] })
  return async (name: string, input: object) => {
    const text = (await tools[name]?.execute(input, {}))?.text ?? ''
    return { text, tokens: Math.ceil(Buffer.byteLength(text) / 3) }
  }
}

const long = 'Über '.repeat(2_000)
const place = { url: `https://a.test/${'x'.repeat(100)}`, title: long, headings: [long, long], date: '2026-01-01' }

test('the passages of a search fit into maxTokens with their titles and headings', async () => {
  const passages = Array.from({ length: 20 }, (_, index) => ({ ...place, chunk: `c${index}`, text: 'A lamp.' }))
  const call = await callOf({ '/v2/passages/search': () => ({ success: true, data: { passages } }) })
  for (const maxTokens of [500, 2_000]) {
    const { text, tokens } = await call('search_pages', { query: 'lamp', limit: 20, maxTokens })
    expect(tokens).toBeLessThanOrEqual(maxTokens)
    expect(text).toContain('Chunk: c0')
    expect(text).toMatch(/\d+ more passages did not fit/)
  }
})

test('a chunk, or the list of the chunks of a page, fits into maxTokens', async () => {
  const chunks = Array.from({ length: 50 }, (_, index) => ({ id: `c${index}`, headings: [long], text: long }))
  const call = await callOf({ '/v2/scrape': () => ({ success: true, data: { chunks } }) })
  for (const chunk of ['c3', 'gone'])
    expect((await call('read_chunk', { url: place.url, chunk, maxTokens: 500 })).tokens).toBeLessThanOrEqual(500)
})

test('the changes of a crawl fit into maxTokens, and the next call continues after the last one', async () => {
  const all = Array.from({ length: 60 }, (_, index) => ({
    ...{ change: 'added', page: place.url, id: `c${index}`, headings: [long] },
    chunk: { text: `Lamp ${index}.` },
  }))
  const job = '0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11'
  const call = await callOf({
    [`/v2/chunks/changes/${job}`]: (query) => {
      const from = Number(query.get('after') ?? 0)
      const end = from + Number(query.get('limit'))
      return { success: true, data: all.slice(from, end), ...(end < all.length && { next: String(end) }) }
    },
  })
  const seen: string[] = []
  for (let after: string | undefined = '0'; after !== undefined;) {
    const { text, tokens } = await call('what_changed', { job, after, maxTokens: 1_000 })
    expect(tokens).toBeLessThanOrEqual(1_000)
    seen.push(...[...text.matchAll(/^added (c\d+)$/gm)].map(([, id = '']) => id))
    after = /"after":"(\d+)"/.exec(text)?.[1]
  }
  expect(seen).toEqual(all.map(({ id }) => id))
})

test('the changed passages of a check fit into maxTokens, and every verdict is listed', async () => {
  const verdict = { url: 'https://a.test/', quote: 'A lamp.', status: 'changed', now: { quote: long.slice(0, 2_000) } }
  const citations = Array.from({ length: 20 }, () => verdict)
  const call = await callOf({
    '/v2/verify': () => ({ success: true, id: 'job' }),
    '/v2/verify/job': () => ({ success: true, status: 'completed', data: { citations } }),
  })
  const given = citations.map(({ url, quote }) => ({ url, quote }))
  for (const maxTokens of [200, 2_000]) {
    const { text, tokens } = await call('verify', { citations: given, maxTokens })
    expect(tokens).toBeLessThanOrEqual(maxTokens)
    expect(text).toContain('20: changed')
    expect(text.includes('Über')).toBe(maxTokens > 200)
  }
})

test('a check that fails is an error with its reason', async () => {
  const call = await callOf({
    '/v2/verify': () => ({ success: true, id: 'job' }),
    '/v2/verify/job': () => ({ success: true, status: 'failed', error: 'There are too few credits.' }),
  })
  const { text } = await call('verify', { citations: [{ url: 'https://a.test/', quote: 'A lamp.' }] })
  expect(text).toBe('There are too few credits. (JOB_FAILED)')
})

test('the result of a check that took too long is read with its id, without another check', async () => {
  const verdict = { url: 'https://a.test/', quote: 'A lamp.', status: 'unchanged' }
  const call = await callOf({
    '/v2/verify/job': () => ({ success: true, status: 'completed', data: { citations: [verdict] } }),
  })
  expect((await call('verify', { id: 'job' })).text).toBe('1: unchanged')
  expect((await call('verify', {})).text).toContain('Pass citations, or the id')
  const both = { id: 'job', citations: [{ url: 'https://a.test/', quote: 'A lamp.' }] }
  expect((await call('verify', both)).text).toContain('Pass citations, or the id')
})
