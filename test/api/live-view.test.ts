// @module-tag long
// @module-tag browser
// Who may watch a live browser, and how much each viewer is sent. Real Chromium.
import { request as open } from 'node:http'

import { createEngine } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { plainBrowser } from '../plain-browser.ts'
import { makeLine, type Line } from './line.ts'

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() })],
})
const moving = `data:text/html,<script>setInterval(() => { document.body.style.background = 'hsl(' + (performance.now() % 360) + ' 50% 50%)' }, 30)</script><body>`
let api: Server
beforeAll(async () => {
  api = await serve(createApi(engine, { authenticate: apiKeys('key-one') }), { port: 0 })
})
afterAll(async () => {
  await api.close()
  await engine.close()
})

type Right = keyof LiveSession['tokens']
const at = ({ id, tokens }: LiveSession, right: Right = 'view'): string => `/live/${id}/screen?token=${tokens[right]}`

/** The status that a WebSocket is answered with. */
function statusOf(path: string, headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  return new Promise((resolve, reject) => {
    const asked = open(api.url + path, { headers: { ...upgrade, ...headers } })
    asked.once('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode)
    })
    asked.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.once('error', reject)
    asked.end()
  })
}

interface Viewer {
  readonly socket: WebSocket
  readonly frames: () => number
}

async function watch(session: LiveSession, answers: boolean): Promise<Viewer> {
  const socket = new WebSocket(api.url.replace('http', 'ws') + at(session))
  socket.binaryType = 'arraybuffer'
  let frames = 0
  socket.addEventListener('message', ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return
    frames += 1
    if (answers) socket.send('seen')
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  return { socket, frames: () => frames }
}

describe('the live view', () => {
  test('is opened by its own token alone, and from no page of another site', async () => {
    await using session = await engine.live.open({}, { team: 'default' })
    await using other = await engine.live.open({}, { team: 'default' })
    expect(await statusOf(at(session))).toBe(101)
    expect(await statusOf(at(session), { origin: api.url })).toBe(101)
    expect(await statusOf(at(session), { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(at(session, 'cdp'))).toBe(403)
    expect(await statusOf(at(session).replace(session.tokens.view, other.tokens.view))).toBe(403)
    expect(await statusOf(at(session).replace(/token=.*/, ''))).toBe(403)
    expect(await statusOf(at(session).replace('/screen', '/screens'))).toBe(404)
    const cdp = `/cdp/${session.id}?token=${session.tokens.cdp}`
    expect(await statusOf(cdp)).toBe(101)
    expect(await statusOf(cdp, { origin: 'https://evil.example' })).toBe(403)
    await session.stop()
    for (const path of [at(session), cdp]) expect(await statusOf(path)).toBe(403)
  })

  test(
    'sends a viewer that does not keep up the newest picture later, and nobody waits for it',
    { tags: ['long'] },
    async () => {
      await using session = await engine.live.open({}, { team: 'default' })
      await session.act({ type: 'goto', url: moving })
      const [slow, fast] = [await watch(session, false), await watch(session, true)]
      await expect.poll(() => fast.frames()).toBeGreaterThan(20)
      expect(slow.frames()).toBe(2)
      slow.socket.send('seen')
      await expect.poll(() => slow.frames()).toBe(3)
      for (const { socket } of [slow, fast]) socket.close()
    },
  )

  test('has many viewers at once, and none of them is left when it ends', { tags: ['long'] }, async () => {
    await using session = await engine.live.open({}, { team: 'default' })
    await session.act({ type: 'goto', url: moving })
    const viewers = await Promise.all(Array.from({ length: 200 }, () => watch(session, true)))
    await expect.poll(() => Math.min(...viewers.map(({ frames }) => frames()))).toBeGreaterThanOrEqual(2)
    expect((await session.snapshot()).url).toMatch(/^data:/)
    const gone = viewers.map(({ socket }) => new Promise((resolve) => socket.addEventListener('close', resolve)))
    await session.stop()
    await Promise.all(gone)
  })
})

const canvasColour = (page: Page): Promise<string> =>
  page.$eval('canvas', (canvas) => {
    const [red, green, blue] = canvas.getContext('2d')!.getImageData(640, 300, 1, 1).data
    return [red, green, blue].map((part) => Math.round(part! / 255)).join('')
  })
const coloured = (background: string): string =>
  `data:text/html,<title>${background}</title><body style="background:${background};height:100vh;margin:0" onmousedown="document.title = 'clicked'">`

describe('the page of the live view', () => {
  let browser: Browser
  let line: Line
  beforeAll(async () => {
    line = await makeLine(Number(new URL(api.url).port))
    browser = await puppeteer.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
  })
  afterAll(async () => {
    await browser?.close()
    await line.close()
  })

  const view = async ({ id, tokens }: LiveSession, token = tokens.control): Promise<Page> => {
    const page = await browser.newPage()
    await page.goto(`${line.url}/live/${id}?token=${token}`)
    return page
  }
  const says = (page: Page, words: string): Promise<unknown> =>
    page.waitForFunction(`document.querySelector('#cover').textContent.includes(${JSON.stringify(words)})`)
  const isLive = (page: Page): Promise<unknown> => page.waitForSelector('#state[data-state=live]')

  test(
    'connects again by itself however often it fails, and then shows the page as it is now and takes clicks',
    { tags: ['long'] },
    async () => {
      await using session = await engine.live.open({}, { team: 'default' })
      await session.act({ type: 'goto', url: coloured('red') })
      const page = await view(session)
      await isLive(page)
      await expect.poll(() => canvasColour(page)).toBe('100')

      line.cut()
      await says(page, 'Attempt 4')
      expect(await page.$eval('#state', (state) => state.textContent)).toBe('Reconnecting')
      expect(await canvasColour(page)).toBe('100')
      await session.act({ type: 'goto', url: coloured('blue') })
      await line.mend()
      await page.evaluate(`document.querySelector('#again').click()`)
      await isLive(page)
      await expect.poll(() => canvasColour(page)).toBe('001')
      await page.click('canvas')
      await expect.poll(async () => (await session.snapshot()).title).toBe('clicked')

      line.cut()
      await says(page, 'Reconnecting')
      await line.mend()
      await isLive(page)
      await page.close()
    },
  )

  test('says that a session has ended meanwhile, and that an address is not good', async () => {
    await using session = await engine.live.open({}, { team: 'default' })
    const page = await view(session)
    await isLive(page)
    line.cut()
    await says(page, 'Reconnecting')
    await session.stop()
    await line.mend()
    await says(page, 'This session has ended')
    await page.close()
    const late = await view(session)
    await says(late, 'This link is not valid')
    await late.close()
  })

  test('passes on what a keyboard on glass changes in its field', async () => {
    await using session = await engine.live.open({}, { team: 'default' })
    await session.act({
      type: 'goto',
      url: 'data:text/html,<textarea autofocus oninput="document.title = value"></textarea>',
    })
    const page = await view(session)
    await isLive(page)
    // As such a keyboard does it: a word grows, another one takes its place, a letter goes, and a line ends.
    await page.evaluate(`{
      const keys = document.querySelector('#keys')
      const change = (value, isComposing = false) => {
        keys.value = value
        keys.dispatchEvent(new InputEvent('input', { isComposing }))
      }
      const before = keys.value
      for (const word of ['te', 'tee', 'tea', 'te', 'ten']) change(before + word, true)
      keys.dispatchEvent(new CompositionEvent('compositionend'))
      change(keys.value.slice(0, -1))
      change(keys.value + '\\nx')
    }`)
    await expect.poll(async () => (await session.snapshot()).text).toContain(String.raw`value="te\nx"`)
    await page.close()
  })
})
