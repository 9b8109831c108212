// Which tools a model is offered, and what their list costs it before the first call: the official client on a real engine.
import { createEngine } from '@harvestman/core'
import { answers } from '@harvestman/answers'
import { defineAction, defineFormat, definePlugin, markdown, tariff } from '@harvestman/core/plugin'
import { apiKeys, createApi } from '@harvestman/http'
import { scriptedLLM, scriptedSearch, startSite } from '@harvestman/testing'
import { mcpHandler } from '@harvestman/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

function serve(options: Parameters<typeof createEngine>[0]) {
  const engine = createEngine({ plugins: [answers], ...options })
  onTestFinished(() => engine.close())
  return createApi(engine)
}

const charactersOf = (tools: readonly object[]): number => JSON.stringify(tools).length

type Ask = (request: Request) => Promise<Response>

async function connect(ask: Ask): Promise<Client> {
  const mcp = mcpHandler({ ask })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => mcp(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
  onTestFinished(() => client.close())
  return client
}

async function list(ask: Ask) {
  const { tools } = await (await connect(ask)).listTools()
  return tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
}

async function withoutAbilities(response: Response): Promise<Response> {
  // Cast: the shape is that of the API.
  const { kinds } = (await response.json()) as { readonly kinds: readonly object[] }
  return Response.json({ success: true, kinds })
}

test('tools that need what a server does not have are not listed', async () => {
  const names = (await list(serve({}))).map(({ name }) => name)
  for (const name of [
    'agent',
    'deep_research',
    'search',
    'interact',
    'interact_stop',
    'scripts',
    'run_script',
    'verify',
  ])
    expect(names).not.toContain(name)
  expect(names).toEqual(expect.arrayContaining(['scrape', 'extract', 'llmstxt', 'answer']))
})

test('a server with a model and a search lists what needs them', async () => {
  const llm = scriptedLLM([])
  const names = (await list(serve({ llm, search: scriptedSearch({}) }))).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['agent', 'deep_research', 'search']))
})

test('the list of tools is short, also where a server does not describe its abilities and all are listed', async () => {
  const api = serve({})
  const silent = async (request: Request): Promise<Response> => {
    const response = await api(request)
    return new URL(request.url).pathname === '/v2/kinds' ? withoutAbilities(response) : response
  }
  const all = await list(silent)
  expect(all).toHaveLength(20)
  // Four characters are about a token. The schemas of jobs alone had 15,000.
  expect(charactersOf(all)).toBeLessThan(13_500)
  expect(charactersOf(await list(api))).toBeLessThan(9_000)
})

test('an option that is described in one line reaches the job', async () => {
  const api = serve({})
  let body: unknown
  const noting = async (request: Request): Promise<Response> => {
    if (request.method === 'POST') body = await request.clone().json()
    return api(request)
  }
  const client = await connect(noting)
  const extract = (await client.listTools()).tools.find(({ name }) => name === 'extract')
  expect(JSON.stringify(extract?.inputSchema)).toContain('includeSubdomains (boolean, default true)')
  const options = { includeSubdomains: false, scrapeOptions: { waitFor: 10 } }
  await client.callTool({
    name: 'extract',
    arguments: { urls: ['http://127.0.0.1:1/'], prompt: 'The price.', options },
  })
  expect(body).toEqual({
    ...{ urls: ['http://127.0.0.1:1/'], prompt: 'The price.' },
    ...{ includeSubdomains: false, scrapeOptions: { waitFor: 10 } },
  })
})

test('a caller without a key gets 401 with WWW-Authenticate, and the official client says so', async () => {
  const api = createApi(createEngine(), { authenticate: apiKeys('secret') })
  const mcp = mcpHandler({ ask: api })
  const response = await mcp(new Request('http://localhost/mcp', { method: 'POST', body: '{}' }))
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
  expect(await response.json()).toMatchObject({ success: false, error: 'Unauthorized' })
  await expect(connect(api)).rejects.toThrow(/401|unauthorized/i)
})

test('the prices that tools name are those of the engine', async () => {
  const tools = await list(serve({ search: scriptedSearch({}) }))
  const described = (name: string): string => tools.find((tool) => tool.name === name)?.description ?? ''
  const { page, modelFormat, search } = tariff
  expect(described('scrape')).toContain(`Price: ${page} credit, ${page + modelFormat} with a summary.`)
  expect(described('crawl')).toContain(`Price: ${page} credit a page.`)
  expect(described('search')).toContain(`Price: ${search.credits} credits for ${search.results} results.`)
})

test('formats and actions of plugins can be used in the tool scrape, with their options', async () => {
  const site = await startSite()
  onTestFinished(() => site.close())
  const teaser = defineFormat({
    type: 'teaser',
    options: z.object({ letters: z.int().min(1).default(20) }),
    needs: { markdown },
    derive: ({ markdown }, { options }) => ({ text: markdown.slice(0, options.letters) }),
  })
  const shout = defineFormat({ type: 'shout', needs: { markdown }, derive: ({ markdown }) => markdown.toUpperCase() })
  const count = defineAction({
    type: 'count',
    schema: z.object({ selector: z.string(), most: z.int().optional() }),
    run: async () => undefined,
  })
  const plugin = definePlugin({ name: 'words', formats: [teaser, shout], actions: [count] })
  const api = serve({ plugins: [plugin], allowPrivate: ['127.0.0.0/8'] })
  const client = await connect(api)
  const { tools } = await client.listTools()
  const schema = JSON.stringify(tools.find(({ name }) => name === 'scrape')?.inputSchema)
  expect(schema).toContain('teaser (letters?)')
  expect(schema).toContain('"shout"')
  // Nothing here can carry out actions.
  expect(schema).not.toContain('count (selector')
  const call = {
    name: 'scrape',
    arguments: { url: `${site.url}/good/article`, formats: [{ type: 'teaser', letters: 5 }, 'shout'] },
  }
  const { content } = await client.callTool(call)
  const text = JSON.stringify(content)
  expect(text).toMatch(/teaser: \{\\n \\"text\\": \\".{5}\\"/)
  expect(text).toMatch(/shout: [^a-z]{5}/)
})
