import { expect, test } from 'vitest'

import { mcpHandler } from './mcp.ts'

const asked: { readonly path: string; readonly body: unknown }[] = []

/** An API with one page, its picture of so many bytes, and its browser. */
const apiWith =
  (bytes: number) =>
  async (request: Request): Promise<Response> => {
    const { pathname: path } = new URL(request.url)
    if (path === '/v2/kinds') return Response.json({ success: true, kinds: [] })
    if (path === '/v2/features') return Response.json({ success: true, features: [] })
    asked.push({ path, body: request.method === 'POST' ? await request.json() : undefined })
    if (path === '/v2/files/abc')
      return new Response(new Uint8Array(bytes).fill(7), { headers: { 'content-type': 'image/jpeg' } })
    if (path === '/v2/scrape/s1/interact') return Response.json({ success: true, output: 'The cheapest is oak.' })
    const metadata = { title: 'Lamp', url: 'https://a.test/', statusCode: 200, scrapeId: 's1' }
    return Response.json({ success: true, data: { metadata, screenshot: 'https://public.test/web/v2/files/abc' } })
  }

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[]
}

async function call(name: string, input: object, bytes = 10): Promise<Result> {
  asked.length = 0
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = { name, arguments: input }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const handle = mcpHandler({ ask: apiWith(bytes) })
  const text = await (await handle(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }))).text()
  const { result } = JSON.parse(/\{.*\}/s.exec(text)?.[0] ?? '{}') as { readonly result: Result }
  return result
}

const url = 'https://a.test/'

test('a screenshot is a picture beside the text, small enough for clients, from wherever the server has its files', async () => {
  const { content } = await call('scrape', { url, formats: ['markdown', 'screenshot'] })
  const data = Buffer.alloc(10, 7).toString('base64')
  expect(content).toEqual([
    { type: 'text', text: expect.stringContaining('Title: Lamp') as string },
    { type: 'image', mimeType: 'image/jpeg', data },
  ])
  expect(asked[0]?.body).toMatchObject({ formats: ['markdown', { type: 'screenshot', quality: 70 }] })
})

test('a screenshot that clients would refuse is named by its address', async () => {
  const { content } = await call('scrape', { url, formats: ['screenshot'] }, 700_001)
  expect(content.map(({ type }) => type)).toEqual(['text'])
  expect(content[0]?.text).toContain('https://public.test/web/v2/files/abc')
})

test('interact opens a page by its url, and says how to go on in its browser', async () => {
  const { content } = await call('interact', { url, prompt: 'Find the cheapest.' })
  expect(asked.map(({ path }) => path)).toEqual(['/v2/scrape', '/v2/scrape/s1/interact'])
  expect(asked[1]?.body).toEqual({ prompt: 'Find the cheapest.', timeout: 60 })
  expect(content[0]?.text).toMatch(/The cheapest is oak\.[^]*interact \{"id": "s1"\}/)
})

test('interact with an id opens nothing', async () => {
  await call('interact', { id: 's1', code: '1' })
  expect(asked.map(({ path }) => path)).toEqual(['/v2/scrape/s1/interact'])
})
