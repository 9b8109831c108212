// Whatever a client of the tools sends, it is answered over HTTP, nothing breaks, and the next honest call is answered.
import { hostileTexts, hostileValues, spoiled, spoiledByChance } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { mcpHandler } from './mcp.ts'

const kind = {
  ...{ kind: 'llms-txt', title: 'llms.txt', description: 'Writes one.', path: '/v2/llmstxt' },
  ...{ request: { type: 'object', properties: { url: { type: 'string' } } }, answer: {} },
}
const asked: string[] = []
/** An API that knows nothing, as one does that a stranger asks. */
const ask = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  if (pathname === '/v2/kinds') return Response.json({ success: true, kinds: [kind] })
  if (pathname === '/v2/features') return Response.json({ success: true, features: [] })
  asked.push(pathname)
  await request.text()
  return Response.json({ success: false, code: 'NOT_FOUND', error: 'Nothing is there.' }, { status: 404 })
}
const handle = mcpHandler({ ask, key: 'secret' })

const send = async (body: string): Promise<string> => {
  const response = await handle(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body,
    }),
  )
  return `${response.status} ${await response.text()}`
}

const id = '019b0000-0000-7000-8000-000000000000'
const url = 'https://a.test/'
const inputs: Readonly<Record<string, object>> = {
  scrape: { url, formats: ['markdown'], onlyMainContent: true, waitFor: 1, maxTokens: 1_000 },
  read: { id, offset: 0, section: 'A', maxTokens: 1_000 },
  find: { id, query: 'words', limit: 2 },
  map: { url, search: 'words', limit: 5 },
  crawl: { url, limit: 2, includePaths: ['/a'], excludePaths: ['/b'], wait: true },
  job: { id },
  pages: { id, cursor: 0 },
  cancel: { id },
  search: { query: 'words', limit: 2, source: 'web', includeDomains: ['a.test'] },
  changes: { url, tag: 'a' },
  parse: { base64: 'YQ==', name: 'a.txt', formats: ['markdown'] },
  interact: { id, prompt: 'Click.', timeout: 5 },
  interact_stop: { id },
  scripts: { offset: 0, maxTokens: 1_000 },
  run_script: { name: 'order', parameters: { who: 'Ann', goods: ['Pen'] }, timeout: 5 },
  llms_txt: { url, maxUrls: 3 },
  answer: { id, offset: 0, maxTokens: 1_000 },
}
const meta = { progressToken: 1 }
const requests = [
  ...Object.entries(inputs).map(([name, input]) => ({
    method: 'tools/call',
    params: { name, arguments: input, _meta: meta },
  })),
  {
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  },
  { method: 'tools/list', params: { cursor: 'a' } },
  { method: 'resources/read', params: { uri: `harvestman://page/${id}` } },
  { method: 'notifications/cancelled', params: { requestId: 1, reason: 'No.' } },
  { method: 'ping', params: {} },
].map((request) => ({ jsonrpc: '2.0', id: 7, ...request }))

const honest = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'map', arguments: { url } },
})

// Each call makes a server, so a part of them is enough.
const values = hostileValues.filter((_, index) => index % 3 === 0)

function* flood(): Generator<string> {
  yield* hostileTexts
  yield `[${requests.map((request) => JSON.stringify(request)).join(',')}]`
  for (const request of requests) yield* spoiled(request, values)
  yield* spoiledByChance(requests, 1_000, 3)
}

test(
  'of thousands of hostile messages each is answered, and none breaks anything',
  { timeout: 300_000, tags: ['long'] },
  async () => {
    const statuses = new Map<string, number>()
    let count = 0
    for (const text of flood()) {
      const answer = await send(text)
      const status = answer.slice(0, 3)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      count += 1
    }
    expect(count).toBeGreaterThan(2_000)
    expect([...statuses.keys()].filter((status) => !/^(?:20|4)/.test(status))).toEqual([])
    // Many are fit to be carried out, and the API is what refuses those.
    expect(asked.length).toBeGreaterThan(100)
    asked.length = 0
    expect(await send(honest)).toContain('Nothing is there.')
    expect(asked).toEqual(['/v2/map'])
  },
)
