// @module-tag browser
// A model reads pages for members by MCP, and the user of its client logs in by the link of an elicitation. Real Chromium.
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { live } from '@harvestman/live'
import { people } from '@harvestman/live/people'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { mcpHandler } from '@harvestman/tools/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser } from 'puppeteer-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { logIn, logInByLink, startMembersSite, startPerson, type MembersSite } from './members-site.ts'

const pages = 4
let site: MembersSite
let person: Browser
let server: Server
let mcp: ReturnType<typeof mcpHandler>
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  robots: 'never',
  plugins: [live({ sessions: puppeteerSessions() }), people()],
})
const team = 'one'

/** The links that the client has shown. */
const shown: object[] = []
let choice: 'accept' | 'decline' = 'accept'
const clients: Client[] = []

beforeAll(async () => {
  site = await startMembersSite(pages)
  person = await startPerson()
  const api = createApi(engine, { authenticate: apiKeys('one:secret') })
  mcp = mcpHandler({ ask: api })
  server = await serve(api, { port: 0 })
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await person?.close()
  await server?.close()
  await engine.close()
  await site?.close()
})
beforeEach(async () => {
  shown.length = 0
  choice = 'accept'
  await engine.scrape(logIn(site.origin, 'members'), { team })
  site.endSessionsAfter(2)
})

async function connect(capabilities: object): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities, versionNegotiation: { mode: 'auto' } })
  if ('elicitation' in capabilities)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      shown.push(params)
      if (choice === 'decline') return { action: 'decline' }
      // The user logs in while the call is repeated.
      if ('url' in params) void logInByLink(person, params.url).catch(() => undefined)
      return { action: 'accept' }
    })
  const requestInit = { headers: { authorization: 'Bearer secret' } }
  const fetch = (url: string | URL, init?: RequestInit): Promise<Response> => mcp(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit, fetch }))
  clients.push(client)
  return client
}

async function call(client: Client, name: string, input: object): Promise<string> {
  const { content } = (await client.callTool({ name, arguments: { ...input, profile: 'members' } })) as {
    readonly content: readonly { readonly text?: string }[]
  }
  return content.map(({ text = '' }) => text).join('\n')
}

const withLinks = { elicitation: { url: {} } }
const read = (client: Client) => call(client, 'scrape', { url: `${site.origin}/page/1` })

test('the user of the client logs in by a link when a page is logged out, and the call returns the page', async () => {
  const client = await connect(withLinks)
  expect(await read(client)).toContain('This is /page/1')
  await read(client)
  expect(shown).toEqual([])
  expect(await read(client)).toContain('This is /page/1')
  expect(shown).toMatchObject([{ mode: 'url', url: expect.stringContaining(`${server.url}/v2/people/link/open/`) }])
})

test('a user who declines ends the request, and the model is informed', async () => {
  site.endSessionsAfter(0)
  choice = 'decline'
  await engine.profiles.import('members', { state: [{ name: 'session', value: 'old', domain: '127.0.0.1' }] }, { team })
  const client = await connect(withLinks)
  expect(await read(client)).toContain('The user declined to log in')
  expect((await engine.people.list({ team }))[0]).toMatchObject({ status: 'failed' })
})

test('a client without links gets the error, and nobody is asked', async () => {
  await engine.profiles.import('members', { state: [{ name: 'session', value: 'old', domain: '127.0.0.1' }] }, { team })
  const before = await engine.people.list({ team })
  const client = await connect({})
  expect(await read(client)).toContain('SCRAPE_LOGGED_OUT')
  expect(await engine.people.list({ team })).toHaveLength(before.length)
})

test('the pages of a crawl wait for the user, and the repeated call continues the same crawl', async () => {
  const client = await connect(withLinks)
  const told = await call(client, 'crawl', { url: `${site.origin}/`, limit: pages + 1 })
  expect(told).toContain(`completed, ${pages + 1} of ${pages + 1} pages`)
  expect(shown).toHaveLength(1)
  expect([...site.shown.keys()].toSorted()).toEqual(['/', '/page/0', '/page/1', '/page/2', '/page/3'])
})
