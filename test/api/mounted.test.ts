// The API inside of other people's servers, under a path: the official client follows links, files and WebSockets there.
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type Engine } from '@harvestman/core'
import { apiKeys, attachWebSockets, createApi, serve, toNodeHandler } from '@harvestman/http'
import { fakeBrowser, startSite } from '@harvestman/testing'
import Client from '@mendable/firecrawl-js'
import express from 'express'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startExpress } from '../../docs/examples/server-express.ts'
import { startFastify } from '../../docs/examples/server-fastify.ts'
import { startHono } from '../../docs/examples/server-hono.ts'
import { routeOf } from '../../docs/examples/server-next.ts'

const key = 'fc-key'
const ends: (() => unknown)[] = []
let site: Awaited<ReturnType<typeof startSite>>
let engine: Engine

beforeAll(async () => {
  site = await startSite()
  engine = newEngine()
})

// Hono puts classes of its own in their place, for the whole process: other files may run in it.
const own = (['Request', 'Response'] as const).map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)!] as const,
)
afterAll(() => {
  for (const [name, descriptor] of own) Object.defineProperty(globalThis, name, descriptor)
})

const newEngine = (): Engine =>
  createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } }),
  })

afterAll(async () => {
  for (const end of ends.splice(0)) await end()
  await engine.close()
  await site.close()
})

async function listening(server: Server): Promise<string> {
  if (!server.listening) await new Promise((ready) => server.once('listening', ready))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => void server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

type Started = { readonly server: Server; readonly close: () => Promise<void> }
const frameworks: Readonly<Record<string, (engine: Engine) => Started | Promise<Started>>> = {
  Express: (engine) => startExpress(engine, key, 0),
  Hono: (engine) => startHono(engine, key, 0),
  Fastify: (engine) => startFastify(engine, key, 0),
}

async function addressOf({ server }: Started): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.each(Object.entries(frameworks))('Under a path of %s', (_, start) => {
  let base = ''
  beforeAll(async () => {
    const started = await start(newEngine())
    ends.push(started.close)
    base = await addressOf(started)
  })

  test('the app itself is untouched', async () => {
    expect(await (await fetch(base)).text()).toBe('The app itself.')
  })

  test('a client reads a crawl page by page, and hears of it over a WebSocket', async () => {
    const client = new Client({ apiKey: key, apiUrl: `${base}/web` })
    const { id, url } = await client.startCrawl(`${site.url}/crawl/`, { limit: 4 })
    expect(url).toBe(`${base}/web/v2/crawl/${id}`)
    const watcher = client.watcher(id, { kind: 'crawl', timeout: 20 })
    const seen: unknown[] = []
    watcher.on('document', (document) => void seen.push(document))
    const done = new Promise((resolve, reject) => {
      watcher.on('done', resolve)
      watcher.on('error', reject)
    })
    await watcher.start()
    expect(await done).toMatchObject({ status: 'completed' })
    expect(seen).toHaveLength(4)
    const first = await fetch(`${url}?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    expect(await first.json()).toMatchObject({ next: `${base}/web/v2/crawl/${id}?skip=1&limit=1` })
    const whole = await client.getCrawlStatus(id, { autoPaginate: true })
    expect(whole.data).toHaveLength(4)
  })

  test('a screenshot is where its address says', async () => {
    const client = new Client({ apiKey: key, apiUrl: `${base}/web` })
    const { screenshot = '' } = await client.scrape('http://127.0.0.1:8000/js', { formats: ['screenshot'] })
    expect(screenshot).toContain(`${base}/web/v2/files/`)
    expect((await fetch(screenshot)).status).toBe(200)
  })

  test('one call lets what is being answered finish, says goodbye to those who listen, then closes the engine', async () => {
    const own = newEngine()
    const started = await start(own)
    const at = await addressOf(started)
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const send = (path: string, body: object): Promise<Response> =>
      fetch(`${at}/web${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { id } = (await (await send('/v2/crawl', { url: `${site.url}/slow/delay?ms=60000` })).json()) as {
      id: string
    }
    const listener = new WebSocket(`${at.replace('http', 'ws')}/web/v2/crawl/${id}`, key)
    await once(listener, 'open')
    const hungUp = once(listener, 'close')
    const asked = new Promise((now) => started.server.once('request', now))
    const answer = send('/v2/scrape', { url: `${site.url}/slow/delay?ms=1000` })
    await asked
    await started.close()
    expect((await answer).status).toBe(200)
    expect((await hungUp)[0]).toMatchObject({ code: 1001 })
    await expect(own.scrape({ url: `${site.url}/good/article` })).rejects.toThrow(/closed/)
  })
})

test('a route of Next answers, and its links have the path', async () => {
  const { GET, POST } = routeOf(engine, key)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ urls: [`${site.url}/good/article`] })
  const response = await POST(new Request('https://app.test/web/v2/batch/scrape', { method: 'POST', headers, body }))
  const { id, url } = (await response.json()) as { readonly id: string; readonly url: string }
  expect(url).toBe(`https://app.test/web/v2/batch/scrape/${id}`)
  expect((await GET(new Request(url, { headers }))).status).toBe(200)
})

test('a body that a middleware has parsed is taken as it is, and the mount of Express alone is enough for links', async () => {
  const app = express()
  app.use(express.json())
  app.use('/deep/web', toNodeHandler(createApi(engine, { authenticate: apiKeys(key) })))
  const base = await listening(app.listen(0))
  const client = new Client({ apiKey: key, apiUrl: `${base}/deep/web` })
  const { url } = await client.startCrawl(`${site.url}/crawl/`, { limit: 1 })
  expect(url).toContain(`${base}/deep/web/v2/crawl/`)
})

test('behind a proxy that is trusted, links are those of the proxy', async () => {
  const api = createApi(engine, { authenticate: apiKeys(key), trustProxy: true })
  const server = await serve(api, { port: 0 })
  ends.push(() => server.close())
  const response = await fetch(`${server.url}/v2/batch/scrape`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'example.com',
      'x-forwarded-prefix': '/web',
    },
    body: JSON.stringify({ urls: [`${site.url}/good/article`] }),
  })
  expect(await response.json()).toMatchObject({
    url: expect.stringMatching('^https://example.com/web/v2/batch/') as unknown,
  })
})

test('what others listen for on the same server is left to them', async () => {
  const app = express()
  const server = app.listen(0)
  const base = await listening(server)
  server.on('upgrade', (request, socket) => {
    if (request.url === '/theirs') socket.end('HTTP/1.1 418 Theirs\r\n\r\n')
  })
  attachWebSockets(server, createApi(engine, { authenticate: apiKeys(key), basePath: '/web' }))
  const socket = new WebSocket(`${base.replace('http', 'ws')}/theirs`)
  await new Promise((failed) => socket.addEventListener('error', failed))
  const ours = new WebSocket(`${base.replace('http', 'ws')}/web/v2/crawl/${crypto.randomUUID()}`, key)
  const { code } = await new Promise<CloseEvent>((closed) => ours.addEventListener('close', closed))
  expect(code).toBe(1008)
})
