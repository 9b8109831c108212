// @module-tag browser
import type { LiveBrowser, Sessions } from '@harvestman/ports'
import type { Browser as Puppeteer, CDPSession, Page } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { puppeteerSessions } from '../src/index.ts'
import { attach, clientOf, connectPuppeteer, type Client } from './clients.ts'
import { localGuard } from './guard.ts'
import { serve, type Served } from './servers.ts'
import { profile, soon } from './setup.ts'

let site: Served
let sessions: Sessions
let live: LiveBrowser
let browser: Puppeteer

beforeAll(async () => {
  site = await serve({
    '/csp': (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'none'" })
        .end('<title>Strict</title>'),
    '/file': (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-disposition': 'attachment; filename="report.bin"',
        })
        .end(Buffer.alloc(3_000_000, 7)),
    '/huge': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
      const chunk = Buffer.alloc(1_000_000)
      const write = (left: number): void => {
        if (left === 0 || response.destroyed) response.end()
        else response.write(chunk, () => write(left - 1))
      }
      write(400)
    },
    '/popup': '<title>Popup</title>',
    '*': '<title>Home</title><input type=file id=file><a id=get href="/file">Get</a>',
  })
  sessions = puppeteerSessions()(localGuard())
  live = await sessions.open({ team: 'one', profile }, soon())
})

afterAll(async () => {
  await sessions.close()
  await site.close()
})

beforeEach(async () => {
  browser = await connectPuppeteer(await live.connect())
})

afterEach(() => browser.disconnect())

const at = (path: string): string => `http://site.test:${site.port}${path}`

async function inPage<T>(path: string, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage()
  await page.goto(at(path))
  try {
    return await work(page)
  } finally {
    await page.close()
  }
}

test('a client reads the PDF of a page, which is a stream of its own, and no stream of another client', () =>
  inPage('/', async (page) => {
    expect(
      Buffer.from(await page.pdf())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    const cdp = await page.createCDPSession()
    const { stream } = await cdp.send('Page.printToPDF', { transferMode: 'ReturnAsStream' })
    const other = await clientOf(live)
    for (const sessionId of [undefined, await attach(other)]) {
      const { error } = await other.ask('IO.read', { handle: stream }, sessionId)
      expect(error?.message).toMatch(/Invalid stream handle/)
    }
    other.wire.close()
    expect((await cdp.send('IO.read', { handle: stream ?? '', size: 5 })).data).toMatch(/%PDF-|JVBERi0/)
  }))

test('setBypassCSP lets a script of the client run where the page allows none', () =>
  inPage('/', async (page) => {
    await page.setBypassCSP(true)
    await page.goto(at('/csp'))
    await page.addScriptTag({ content: 'window.ran = true' })
    expect(await page.evaluate('window.ran')).toBe(true)
  }))

test('a file chooser is reported to the client that intercepts it, and paths are refused with what to do instead', () =>
  inPage('/', async (page) => {
    const [chooser] = await Promise.all([page.waitForFileChooser({ timeout: 10_000 }), page.click('#file')])
    expect(chooser.isMultiple()).toBe(false)
    await expect(chooser.accept(['/etc/hostname'])).rejects.toThrow(/Send the contents/)
  }))

test('a client answers, changes and stops the requests of its pages', () =>
  inPage('/', async (page) => {
    await page.setRequestInterception(true)
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname === '/made-up') void request.respond({ contentType: 'text/html', body: '<title>Made up</title>' })
      else if (pathname === '/stopped') void request.abort()
      else void request.continue({ headers: { ...request.headers(), 'x-added': 'yes' } })
    })
    await page.goto(at('/made-up'))
    expect(await page.title()).toBe('Made up')
    await page.goto(at('/headers'))
    expect(site.headersOf('/headers')).toMatchObject({ 'x-added': 'yes' })
    await expect(page.goto(at('/stopped'))).rejects.toThrow(/ERR_FAILED/)
    const cdp = await page.createCDPSession()
    const elsewhere = cdp.send('Fetch.continueRequest', { requestId: 'x', url: 'file:///etc/hostname' })
    await expect(elsewhere).rejects.toThrow(/must be an http or https URL/)
    expect(site.seen.some((line) => /made-up|stopped/.test(line))).toBe(false)
  }))

test('a context of its own has other cookies, goes through the same guard, and can be closed', async () => {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  await page.goto(at('/'))
  expect(await page.title()).toBe('Home')
  await page.evaluate('document.cookie = "who=other"')
  await inPage('/', async (mine) => expect(await mine.evaluate('document.cookie')).toBe(''))
  const answer = await page.goto(`http://private.test:${site.port}/`).catch((error: Error) => error)
  expect(answer instanceof Error || answer?.status() !== 200).toBe(true)
  await context.close()
  const again = await connectPuppeteer(await live.connect())
  expect(again.browserContexts()).toHaveLength(1)
  await again.disconnect()
  const client = await clientOf(live)
  const refused = await client.ask('Target.createBrowserContext', { proxyServer: 'http://127.0.0.1:1' })
  expect(refused.error?.message).toMatch(/use the proxy of the session/)
  client.wire.close()
})

describe('downloads', () => {
  const ended = (cdp: CDPSession): Promise<string> =>
    new Promise((resolve) => {
      cdp.on('Browser.downloadProgress', ({ guid, state }) => state !== 'inProgress' && resolve(`${state} ${guid}`))
    })

  test('are refused until a client allows them', () =>
    inPage('/', async (page) => {
      await page.click('#get')
      const { ask, wire } = await clientOf(live)
      expect((await ask('IO.read', { handle: 'download:none' })).error?.message).toMatch(/no such download/)
      wire.close()
      expect(page.url()).toBe(at('/'))
    }))

  test('are kept in the session, and read and removed by their handle', () =>
    inPage('/', async (page) => {
      const cdp = await page.createCDPSession()
      await cdp.send('Browser.setDownloadBehavior', {
        behavior: 'allow',
        downloadPath: '/anywhere',
        eventsEnabled: true,
      })
      const end = ended(cdp)
      await page.click('#get')
      const [state, guid] = (await end).split(' ')
      expect(state).toBe('completed')
      const handle = `download:${guid}`
      const chunks: Buffer[] = []
      for (let eof = false; !eof;) {
        const chunk = await cdp.send('IO.read', { handle })
        chunks.push(Buffer.from(chunk.data, 'base64'))
        eof = chunk.eof
      }
      expect(Buffer.concat(chunks).equals(Buffer.alloc(3_000_000, 7))).toBe(true)
      await cdp.send('IO.close', { handle })
      await expect(cdp.send('IO.read', { handle })).rejects.toThrow(/no such download/)
    }))
})

test('downloads beyond the limit of a session are canceled, and say so', { tags: ['long'] }, () =>
  inPage('/', async (page) => {
    const cdp = await page.createCDPSession()
    await cdp.send('Browser.setDownloadBehavior', { behavior: 'allow', eventsEnabled: true })
    const ended = new Promise<{ guid: string; state: string }>((resolve) => {
      cdp.on('Browser.downloadProgress', (event) => event.state !== 'inProgress' && resolve(event))
    })
    await page.evaluate('location.href = "/huge"; 0')
    const { guid, state } = await ended
    expect(state).toBe('canceled')
    await expect(cdp.send('IO.read', { handle: `download:${guid}` })).rejects.toThrow(/at most 100 MB in 100 files/)
  }),
)

/** Page targets, as the browser has them. */
async function tabs({ ask }: Client): Promise<number> {
  const { result } = await ask('Target.getTargets')
  return ((result?.['targetInfos'] ?? []) as { type: string }[]).filter(({ type }) => type === 'page').length
}

test('windows that a page opens are tabs of the session: of 60, at most 20 are let', { tags: ['long'] }, async () => {
  const own = await sessions.open({ team: 'two', profile }, soon())
  const client = await clientOf(own)
  const session = await attach(client)
  const before = site.seen.length
  for (const features of ['', 'noopener']) {
    const expression = `for (let at = 0; at < 30; at += 1) window.open('${at('/popup')}', '_blank', '${features}')`
    await client.ask('Runtime.evaluate', { expression, userGesture: true }, session)
  }
  const opened = (): number => site.seen.slice(before).filter((line) => line.includes('/popup')).length
  await expect.poll(() => tabs(client), { timeout: 20_000 }).toBe(20)
  const { error } = await client.ask('Target.createTarget', { url: at('/popup') })
  expect(error?.message).toMatch(/at most 20 tabs/)
  // One that is closed may have asked for its document before.
  await expect.poll(opened, { timeout: 20_000 }).toBeGreaterThanOrEqual(19)
  expect(opened()).toBeLessThan(30)
  expect(await tabs(client)).toBe(20)
  await own.close()
})
