// @module-tag long
// @module-tag browser
// Videos of live browsers, in a real browser that plays them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live, type LiveSession } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { answer, movedClock, startSite, type Site } from '@harvestman/testing'
import { launch, type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { plainBrowser } from '../../../test/plain-browser.ts'
import { sessionReplay } from '../src/index.ts'

const colour = (name: string): string =>
  `<!doctype html><title>${name}</title><body style="margin:0;background:${name}"><p style="color:${name}">.</p>`
/** Runs in a page. */
const nameOf = `([red, , blue]) => red > 150 && blue < 100 ? 'red' : blue > 150 && red < 100 ? 'blue' : red + ',' + blue`
let site: Site
let player: Browser
let files: Server
let served: Uint8Array = new Uint8Array()
beforeAll(async () => {
  site = await startSite({
    routes: ['red', 'blue'].map((name) => ({
      path: `/${name}`,
      about: `a page that is ${name}`,
      handle: (visit) => answer(visit, 'text/html', colour(name)),
    })),
  })
  files = createServer((_, response) => response.setHeader('content-type', 'video/mp4').end(served))
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  player = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
})
afterAll(async () => {
  await player.close()
  files.close()
  await site.close()
})

function open(clock = movedClock()) {
  return createEngine({
    clock,
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    // The order of the plugins says nothing.
    plugins: [sessionReplay(), live({ sessions: puppeteerSessions() })],
  })
}

/** Plays a video, and gives its length in seconds and the colours at its beginning and its end. */
async function play(bytes: Uint8Array): Promise<{ readonly seconds: number; readonly colours: readonly string[] }> {
  served = bytes
  const page = await player.newPage()
  await page.goto(`http://127.0.0.1:${(files.address() as AddressInfo).port}/`)
  const shown = await page.evaluate(`(async () => {
    const video = document.createElement('video')
    const source = new MediaSource()
    video.src = URL.createObjectURL(source)
    const once = (target, name) => new Promise((done, fail) => {
      target.addEventListener(name, done, { once: true })
      video.addEventListener('error', () => fail(new Error(video.error.message)), { once: true })
    })
    await once(source, 'sourceopen')
    const buffer = source.addSourceBuffer('video/mp4; codecs="avc1.420028"')
    buffer.appendBuffer(await (await fetch('/')).arrayBuffer())
    await once(buffer, 'updateend')
    source.endOfStream()
    const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    const colours = []
    const seconds = buffer.buffered.end(0)
    for (const at of [0.01, seconds - 0.05]) {
      video.currentTime = at
      await once(video, 'seeked')
      // The picture of a time is there a little after the time.
      do {
        await new Promise((done) => setTimeout(done, 20))
        context.drawImage(video, 0, 0, 1, 1)
      } while (context.getImageData(0, 0, 1, 1).data[3] === 0)
      colours.push((${nameOf})(context.getImageData(0, 0, 1, 1).data))
    }
    return { seconds, colours }
  })()`)
  await page.close()
  return shown as Awaited<ReturnType<typeof play>>
}

/** Waits until a session shows a page of one colour. */
async function isShown(session: LiveSession, colour: string): Promise<void> {
  let last: Uint8Array = new Uint8Array()
  const frame = async ({ jpeg }: { readonly jpeg: Uint8Array }): Promise<void> => void (last = jpeg)
  const screen = await session.watch({ frame, tabs: () => undefined })
  const page = await player.newPage()
  const shown = () =>
    page.evaluate(`(async () => {
      const image = new Image()
      image.src = 'data:image/jpeg;base64,${Buffer.from(last).toString('base64')}'
      await image.decode().catch(() => undefined)
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      context.drawImage(image, 0, 0, 1, 1)
      return (${nameOf})(context.getImageData(0, 0, 1, 1).data)
    })()`)
  await expect.poll(shown, { timeout: 60_000 }).toBe(colour)
  screen.close()
  await page.close()
}

async function allOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

test(
  'a session that has ended is a video that a browser plays, as long as the session, and a playlist of its parts',
  { tags: ['long'], timeout: 120_000 },
  async () => {
    const clock = movedClock()
    await using engine = open(clock)
    const session = await engine.live.open()
    await session.act({ type: 'goto', url: `${site.url}/red` })
    await isShown(session, 'red')
    // Longer than a segment.
    clock.moveOn(11_000)
    await session.act({ type: 'goto', url: `${site.url}/blue` })
    await isShown(session, 'blue')
    await session.stop()
    const replay = await engine.replays.get(session.id)
    const [page] = replay.pages
    if (!page) throw new Error('no page')
    expect(page.url).toBe(`${site.url}/blue`)
    const asked: string[] = []
    const text = replay.playlist(page.pageId, ({ part, token }) => {
      asked.push(part)
      return `https://example.com/${part}?token=${token}`
    })
    // A slow machine adds its own time to the 11 seconds of the clock.
    expect(asked.slice(0, 3)).toEqual(['header', '0', '1'])
    expect(asked).toEqual(['header', ...asked.slice(1).map((_, index) => `${index}`)])
    expect(text).toMatch(/^#EXTM3U\n[^]*#EXT-X-MAP:URI="https:[^]*#EXTINF:10\.000,\nhttps:[^]*#EXT-X-ENDLIST\n$/)
    const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
    const video = await allOf(engine.replays.video(session.id, page.pageId))
    const { seconds, colours } = await play(video)
    expect(seconds).toBeCloseTo((page.endTimeMs - page.startTimeMs) / 1_000, 0)
    expect(colours).toEqual([expect.any(String), 'blue'])
    const parts = await Promise.all(
      asked.map((part) => engine.replays.part(session.id, { page: page.pageId, part, token })),
    )
    expect(Buffer.concat(parts).equals(video)).toBe(true)
  },
)

test('a replay is of its team, its parts open by their token alone, and sessions can be left out', async () => {
  await using engine = open()
  const session = await engine.live.open({}, { team: 'acme' })
  await session.act({ type: 'goto', url: `${site.url}/red` })
  await session.stop()
  const [page] = (await engine.replays.get(session.id, { team: 'acme' })).pages
  const part = { page: page?.pageId ?? '', part: 'header', token: 'x'.repeat(32) }
  await expect(engine.replays.get(session.id)).rejects.toMatchObject({ code: 'not_found' })
  await expect(engine.replays.part(session.id, part)).rejects.toMatchObject({ code: 'not_found' })
  const other = await engine.live.open({ recordSession: false })
  await other.act({ type: 'goto', url: `${site.url}/red` })
  await other.stop()
  await expect(engine.replays.get(other.id)).rejects.toMatchObject({ code: 'not_found' })
}, 120_000)
