// @module-tag browser
// Signatures on the requests of an engine, over real HTTP and with a real browser, checked by an independent verifier.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, type Engine } from '@harvestman/core'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { botAuth, botDirectory, botDirectoryPath, makeBotKey } from '../src/index.ts'
import { readBotKey } from '../src/bot-auth/bot-key.ts'
import { verifyDirectory, verifyRequest } from './verify.ts'

const { privateKey } = makeBotKey()
const { id, publicKey } = readBotKey(privateKey)
const agent = 'https://bot.example.com'
const userAgent = 'Gatherer/1.0 (+https://bot.example.com)'

interface Seen {
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

let site: Server
let port: number
let engine: Engine
let plain: Engine
const seen: Seen[] = []
// The same server under two names, which are two authorities.
const at = (path: string, host = '127.0.0.1'): string => `http://${host}:${port}${path}`
const requestFor = (path: string): Seen => seen.find(({ url }) => new URL(url).pathname === path)!

const page = (body: string): string =>
  `<!doctype html><title>Page</title><main><p>A page with some text.</p>${body}</main>`

beforeAll(async () => {
  site = createServer(({ url = '/', headers }, response) => {
    seen.push({ url: `http://${headers.host}${url}`, headers })
    if (url === '/moved') return response.writeHead(302, { location: at('/landed', 'localhost') }).end()
    if (url === '/framed')
      return response
        .setHeader('content-type', 'text/html')
        .end(page(`<iframe src="${at('/frame', 'localhost')}"></iframe><img src="/image.png">`))
    return response.setHeader('content-type', 'text/html').end(page(''))
  })
  await new Promise<void>((resolve) => void site.listen(0, '127.0.0.1', resolve))
  ;({ port } = site.address() as AddressInfo)
  const options = { allowPrivate: ['127.0.0.0/8', '::1/128'], browser: puppeteerBrowser(), userAgent }
  engine = createEngine({ ...options, plugins: [botAuth({ keys: [privateKey], agent, userAgent })] })
  plain = createEngine(options)
})
beforeEach(() => void seen.splice(0))
afterAll(async () => {
  await Promise.all([engine?.close(), plain?.close()])
  site.closeAllConnections()
  await new Promise((resolve) => void site.close(resolve))
})

const inBrowser = { formats: ['rawHtml', 'screenshot'] as const }

describe.each([
  ['over HTTP', {}],
  ['in a browser', inBrowser],
])('%s', (_, options) => {
  test('the request for a page is signed for its host, with the key in the directory', async () => {
    await engine.scrape({ url: at('/page'), ...options } as never)
    const { url, headers } = requestFor('/page')
    const parameters = await verifyRequest(url, headers, publicKey)
    expect(parameters).toMatchObject({ keyid: id, alg: 'ed25519' })
    expect(Number(parameters['expires']) - Number(parameters['created'])).toBe(60)
    expect(headers['signature-agent']).toBe(`sig1="${agent}"`)
    expect(headers['user-agent']).toBe(userAgent)
  })

  test('a redirect to another host is signed for that host, with another nonce', async () => {
    await engine.scrape({ url: at('/moved'), ...options } as never)
    const [first, second] = [requestFor('/moved'), requestFor('/landed')]
    expect(new URL(second.url).hostname).toBe('localhost')
    const one = await verifyRequest(first.url, first.headers, publicKey)
    const two = await verifyRequest(second.url, second.headers, publicKey)
    expect(one['nonce']).not.toBe(two['nonce'])
    // Neither signature is valid for the other host.
    await expect(verifyRequest(first.url, second.headers, publicKey)).rejects.toThrow()
    await expect(verifyRequest(second.url, first.headers, publicKey)).rejects.toThrow()
  })

  test('headers of the caller are sent next to the signature', async () => {
    await engine.scrape({ url: at('/page'), headers: { 'x-mine': 'yes' }, ...options } as never)
    const { url, headers } = requestFor('/page')
    expect(headers).toMatchObject({ 'x-mine': 'yes', 'user-agent': userAgent })
    await verifyRequest(url, headers, publicKey)
  })

  test('a request with the user agent of somebody else is not signed', async () => {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' }
    await engine.scrape({ url: at('/page'), headers, ...options } as never)
    expect(requestFor('/page').headers).toMatchObject(headers)
    expect(requestFor('/page').headers).not.toHaveProperty('signature')
    expect(requestFor('/page').headers).not.toHaveProperty('signature-agent')
  })

  test('nothing is signed without the plugin', async () => {
    await plain.scrape({ url: at('/page'), ...options } as never)
    expect(Object.keys(requestFor('/page').headers).filter((name) => name.startsWith('signature'))).toEqual([])
  })
})

test('the pages of a crawl are signed, and its requests for robots.txt', async () => {
  const crawl = await engine.crawl({ url: at('/page', 'localhost'), limit: 1, sitemap: 'skip' })
  await crawl.end()
  for (const path of ['/robots.txt', '/page'])
    await verifyRequest(requestFor(path).url, requestFor(path).headers, publicKey)
})

test('a browser signs the documents of frames for their own host, and no other request', async () => {
  await engine.scrape({ url: at('/framed'), ...inBrowser } as never)
  const frame = requestFor('/frame')
  expect(new URL(frame.url).hostname).toBe('localhost')
  await verifyRequest(frame.url, frame.headers, publicKey)
  expect(requestFor('/image.png').headers).not.toHaveProperty('signature')
})

describe('the key directory', () => {
  const next = makeBotKey()
  const directory = botDirectory({ keys: [privateKey, next.privateKey], agent })
  const url = `${agent}${botDirectoryPath}`

  test('has the public part of every key, and is signed with each', async () => {
    const response = directory(new Request(url))
    expect(response.headers.get('content-type')).toBe('application/http-message-signatures-directory+json')
    const body = await response.clone().text()
    const { keys } = JSON.parse(body) as { keys: { kid: string; kty: string; crv: string; x: string }[] }
    expect(keys.map(({ kid }) => kid)).toEqual([id, next.id])
    expect(body).not.toContain(privateKey)
    expect(keys.every((key) => !('d' in key))).toBe(true)
    for (const [index, key] of keys.entries())
      expect(await verifyDirectory(url, response, key, `sig${index + 1}`)).toMatchObject({ keyid: key.kid })
  })

  test('is signed for the host of the agent, whatever host a request names', async () => {
    const response = directory(new Request(`https://mirror.example${botDirectoryPath}`))
    await verifyDirectory(url, response, publicKey, 'sig1')
    const ofMirror = verifyDirectory(`https://mirror.example${botDirectoryPath}`, response, publicKey, 'sig1')
    await expect(ofMirror).rejects.toThrow()
  })

  test('can only be read', () => {
    expect(directory(new Request(url, { method: 'POST' })).status).toBe(405)
    expect(directory(new Request(url, { method: 'HEAD' })).body).toBeNull()
  })
})

test.each([
  ['no key', { keys: [] }, /keys must not be empty/],
  ['an agent over plain HTTP', { agent: 'http://bot.example.com' }, /not an HTTPS origin/],
  ['an agent with a path', { agent: 'https://bot.example.com/x' }, /not an HTTPS origin/],
  ['no user agent', { userAgent: ' ' }, /userAgent is required/],
])('%s is refused', (_, wrong, message) => {
  expect(() => botAuth({ keys: [privateKey], agent, userAgent, ...wrong })).toThrow(message)
})
