// @module-tag browser
// The video of a live browser over HTTP, also when the session has ended. Real Chromium.
import { createClient } from '@harvestman/client'
import { createEngine } from '@harvestman/core'
import { apiKeys, createApi, serve, type Server } from '@harvestman/http'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { sessionReplay } from '@harvestman/session-replay'
import { afterAll, beforeAll, expect, test } from 'vitest'

const engine = createEngine({
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() }), sessionReplay()],
})
let server: Server
const client = (key: string) => createClient({ url: server.url, key })
beforeAll(async () => {
  server = await serve(createApi(engine, { authenticate: apiKeys('one:key-one,two:key-two') }), { port: 0 })
})
afterAll(async () => {
  await server.close()
  await engine.close()
})

test('a session that has ended has an HLS playlist, whose parts open without a key and for nothing else', async () => {
  const browser = await client('key-one').browsers.open()
  // Until there is a picture of it.
  const session = await engine.live.find(browser.id, { team: 'one' })
  const shown = Promise.withResolvers<undefined>()
  const screen = await session.watch({ frame: async () => shown.resolve(undefined), tabs: () => undefined })
  await shown.promise
  screen.close()
  const { browsers, replays } = client('key-one')
  await browsers.close(browser.id)
  const pages = await replays.list(browser.id)
  expect(pages).toEqual([
    {
      pageId: '0',
      url: `/v2/interact/${browser.id}/replay/0`,
      pageUrl: 'about:blank',
      startTimeMs: expect.any(Number),
      endTimeMs: expect.any(Number),
    },
  ])
  const playlist = await replays.playlist(browser.id, '0')
  expect(playlist).toMatch(/^#EXTM3U[^]*#EXT-X-ENDLIST\n$/)
  const [header = '', first = ''] = playlist.match(/http:\/\/[^\s"]+/g) ?? []
  const parts = await Promise.all([header, first].map((url) => fetch(url)))
  expect(parts.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
    [200, 'video/mp4'],
    [200, 'video/mp4'],
  ])
  const [start = ''] = await Promise.all(parts.map((part) => part.text()))
  expect(start.slice(4, 8)).toBe('ftyp')
  const refused = [header.replace(/token=.*/, 'token=x'), header.replace(browser.id, crypto.randomUUID())]
  for (const url of refused) expect((await fetch(url)).status).toBe(404)
  await expect(client('key-two').replays.list(browser.id)).rejects.toMatchObject({ status: 404 })
  await expect(replays.playlist(browser.id, '7')).rejects.toMatchObject({ status: 404 })
  await expect(replays.playlist(browser.id, 'x')).rejects.toMatchObject({ status: 400 })
}, 120_000)
