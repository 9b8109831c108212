// @module-tag long
// @module-tag browser
// Links to a live browser that end before it does, why a live view ended, and how old its pictures are. Real Chromium.
import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { askServer } from './bench.ts'

const engine = createEngine({ browser: puppeteerBrowser(), plugins: [live({ sessions: puppeteerSessions() })] })
let api: Server
let browser: Browser
beforeAll(async () => {
  api = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
  browser = await puppeteer.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await api.close()
  await engine.close()
})

interface Share {
  readonly id: string
  readonly url: string
  readonly expiresAt: string
}
const ask = async (method: string, path: string, more: { body?: unknown; key?: string } = {}) => {
  const { status, body } = await askServer({ server: api }, method, path, more)
  return { status, body: body as unknown as Share & { readonly shares: readonly Share[]; readonly endReason?: string } }
}
const isLive = (page: Page): Promise<unknown> => page.waitForSelector('#state[data-state=live]')
const cardOf = async (page: Page): Promise<unknown> => {
  await page.waitForSelector('#state[data-state=over]')
  return page.$eval('#card', (card) => [...card.querySelectorAll('strong, #why')].map((part) => part.textContent))
}

test('a link shows the live browser to those who have no key, until its owner ends it', async () => {
  await using session = await engine.live.open({}, { team: 'one' })
  const path = `/v2/interact/${session.id}/shares`
  const { status, body: link } = await ask('POST', path, { body: { ttl: 120 } })
  expect(status).toBe(200)
  expect((await ask('POST', path, { body: { ttl: 120 }, key: 'key-two' })).status).toBe(403)
  expect((await ask('POST', path, { body: { ttl: 5 } })).status).toBe(400)
  const page = await browser.newPage()
  await page.goto(link.url)
  await isLive(page)
  expect(await page.$eval('body', ({ className }) => className)).toBe('watch')
  expect((await ask('GET', path)).body.shares.map(({ id, url }) => [id, url])).toEqual([[link.id, link.url]])
  expect((await ask('DELETE', `${path}/${link.id}`, { key: 'key-two' })).status).toBe(403)
  expect((await ask('DELETE', `${path}/${link.id}`)).status).toBe(200)
  expect(await cardOf(page)).toEqual(['This link has ended', 'Its owner ended it.'])
  expect((await ask('DELETE', `${path}/${link.id}`)).status).toBe(404)
  expect((await ask('GET', path)).body.shares).toEqual([])
  expect(session.closed.aborted).toBe(false)
  await page.reload()
  expect((await cardOf(page)) as readonly string[]).toContain('This link is not valid')
  await page.close()
})

test('a live view that ends keeps its last picture and says why, and so does what is kept of the session', async () => {
  const session = await engine.live.open({}, { team: 'one' })
  await session.act({ type: 'goto', url: 'data:text/html,<body style="background:red;height:100vh;margin:0">' })
  const page = await browser.newPage()
  await page.goto(`${api.url}/live/${session.id}?token=${session.tokens.view}`)
  const isRed = `(() => {
    const [red, green] = document.querySelector('canvas').getContext('2d').getImageData(400, 300, 1, 1).data
    return red > 200 && green < 60
  })()`
  await page.waitForFunction(isRed)
  expect((await ask('DELETE', `/v2/browser/${session.id}`)).status).toBe(200)
  expect(await cardOf(page)).toEqual(['The live browser has ended', 'It was stopped.'])
  expect(await page.evaluate(isRed)).toBe(true)
  expect((await ask('GET', `/v2/browser/${session.id}`)).body).toMatchObject({ endReason: 'stopped' })
  await page.close()
})

/** A server whose clock is ahead by a day, and whose only picture is an hour old. */
const otherClock = `{
  const [day, hour] = [86_400_000, 3_600_000]
  globalThis.WebSocket = class extends EventTarget {
    readyState = 1
    constructor() {
      super()
      setTimeout(() => this.tell({ type: 'hello', mayAct: false }))
    }
    show(data) { this.dispatchEvent(new MessageEvent('message', { data })) }
    tell(message) { this.show(JSON.stringify(message)) }
    send(text) {
      if (text === 'seen') return
      const { at } = JSON.parse(text)
      if (globalThis.isSilent) return
      setTimeout(() => this.tell({ type: 'time', at, now: performance.now() + day }))
      if (!this.hasSent) setTimeout(() => void this.picture())
      this.hasSent = true
    }
    async picture() {
      const canvas = new OffscreenCanvas(8, 8)
      canvas.getContext('2d')
      const jpeg = await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer()
      const bytes = new Uint8Array(16 + jpeg.byteLength)
      const head = new DataView(bytes.buffer)
      head.setUint32(0, 8)
      head.setUint32(4, 8)
      head.setFloat64(8, performance.now() + day - hour)
      bytes.set(new Uint8Array(jpeg), 16)
      this.show(bytes.buffer)
    }
  }
}`

test('the lag is how long after it was made a picture is shown, by the clock of the server', async () => {
  await using session = await engine.live.open({}, { team: 'one' })
  const page = await browser.newPage()
  await page.evaluateOnNewDocument(otherClock)
  await page.goto(`${api.url}/live/${session.id}`)
  const told = await page.waitForFunction(`/^\\d+\\.\\d s$/.exec(document.querySelector('#lag').textContent)?.[0]`)
  const seconds = Number.parseFloat(String(await told.jsonValue()))
  expect(seconds).toBeGreaterThanOrEqual(3_600)
  expect(seconds).toBeLessThan(2 * 3_600)
  await page.evaluate('globalThis.isSilent = true')
  await page.waitForFunction(`/^over \\d+ s$/.test(document.querySelector('#lag').textContent)`)
  await page.close()
})

test('a real picture has a lag too', async () => {
  await using session = await engine.live.open({}, { team: 'one' })
  const page = await browser.newPage()
  await page.goto(`${api.url}/live/${session.id}?token=${session.tokens.view}`)
  await page.waitForFunction(`/^[\\d.]+ m?s$/.test(document.querySelector('#lag').textContent)`)
  await page.close()
})
