// @module-tag browser
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { LiveBrowser, Sessions } from '@harvestman/ports'
import { type Browser as Puppeteer } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { puppeteerSessions } from '../src/index.ts'
import { connectPuppeteer } from './clients.ts'
import { localGuard } from './guard.ts'
import { serve, type Answer, type Served } from './servers.ts'
import { profile, soon } from './setup.ts'

let site: Served
let sockets: Server
let sessions: Sessions
let live: LiveBrowser
let browser: Puppeteer

const open: Answer = (_request, response) =>
  response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'text/plain' }).end('fetched')
const script =
  (source: string): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(source)

beforeAll(async () => {
  site = await serve({
    '/open': open,
    '/shared.js': script(
      'onconnect = async ({ ports: [port] }) => port.postMessage(await (await fetch("/open")).text())',
    ),
    '/service.js': script(
      'onmessage = async ({ source }) => source.postMessage(await (await fetch("/open?service")).text())',
    ),
    '/forget': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'clear-site-data': '"*"' })
        .end('<title>Forgotten</title>'),
    '*': '<title>Home</title>',
  })
  sockets = createServer().on('upgrade', ({ headers }, socket) => {
    const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    socket.write(Buffer.from([0x81, 8, ...Buffer.from('greeting')]))
  })
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  sessions = puppeteerSessions()(localGuard())
})

afterAll(async () => {
  await sessions.close()
  sockets.closeAllConnections()
  sockets.close()
  await site.close()
})

/** No page of this session has navigated yet. */
beforeEach(async () => {
  live = await sessions.open({ team: 'one', profile }, soon())
  browser = await connectPuppeteer(await live.connect())
})

afterEach(() => live.close())

const at = (path: string): string => `http://site.localhost:${site.port}${path}`
const fetchText = (url: string): string => `fetch(${JSON.stringify(url)}).then((answer) => answer.text())`

test('a page that a client opens in a new session is shown', async () => {
  const page = await browser.newPage()
  const response = await page.goto(at('/'))
  expect([response?.status(), await page.title()]).toEqual([200, 'Home'])
})

test('the first page of a new session may fetch and open a WebSocket before it navigates', async () => {
  const [page] = await browser.pages()
  const { port } = sockets.address() as AddressInfo
  const greeting = `new Promise((resolve, reject) => {
    const socket = new WebSocket('ws://site.localhost:${port}/')
    socket.onmessage = ({ data }) => resolve(data)
    socket.onerror = () => reject(new Error('The WebSocket failed.'))
  })`
  expect(await page?.evaluate(greeting)).toBe('greeting')
  expect(await page?.evaluate(fetchText(at('/open')))).toBe('fetched')
})

test.each(['', 'noopener'])('a window that a page opens in a new session is shown (%j)', async (features) => {
  const [page] = await browser.pages()
  await page?.evaluate(`window.open(${JSON.stringify(at('/'))}, '_blank', ${JSON.stringify(features)}); 0`)
  const titles = async (): Promise<string[]> => Promise.all((await browser.pages()).map((one) => one.title()))
  await expect.poll(titles).toContain('Home')
})

test('shared and service workers of a page that a client opened reach the network', async () => {
  const page = await browser.newPage()
  await page.goto(at('/'))
  const shared = `new Promise((resolve) => {
    new SharedWorker('/shared.js').port.onmessage = ({ data }) => resolve(data)
  })`
  expect(await page.evaluate(shared)).toBe('fetched')
  const service = `new Promise((resolve, reject) => {
    navigator.serviceWorker.onmessage = ({ data }) => resolve(data)
    navigator.serviceWorker.register('/service.js').catch(reject)
    navigator.serviceWorker.ready.then(({ active }) => active.postMessage('fetch'))
  })`
  expect(await page.evaluate(service)).toBe('fetched')
})

test('a site that clears all of its data does not take the credentials of the proxy away', async () => {
  const page = await browser.newPage()
  await page.goto(at('/forget'))
  const next = await browser.newPage()
  expect((await next.goto(`http://other.test:${site.port}/`))?.status()).toBe(200)
})
