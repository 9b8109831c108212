// Pictures of the page of the live view, to look at: each state, to look on and with hands, on a desk and a phone, light and dark.
// `node test/bench/browser/live-shots.ts FOLDER`
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine } from '@harvestman/core'
import { live } from '@harvestman/live'
import { createApi, serve } from '@harvestman/http'
import { findBrowser, puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import puppeteer, { type Page } from 'puppeteer-core'

import { makeLine } from '../../api/line.ts'

const folder = process.argv[2] ?? 'live-shots'
mkdirSync(folder, { recursive: true })
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const shop = (title: string): string => `<meta charset=utf-8><title>${title} · a shop of tea</title>
  <style>body { font: 18px/1.5 Georgia, serif; margin: 40px auto; max-width: 1000px; color: #222 } .row { display: flex; gap: 24px } .card { flex: 1; border: 1px solid #ccc; border-radius: 8px; padding: 24px }</style>
  <h1>${title}</h1><p><input placeholder="Search" style="font: inherit; padding: 8px; width: 60%"> <button style="font: inherit">Go</button></p>
  <div class=row>${['Green', 'Black', 'White'].map((kind) => `<div class=card><h2>${kind} tea</h2><p>From hills where it rains a lot. 100 g for 7.50.</p><button>Buy</button></div>`).join('')}</div>
  ${'<p>Some more text of the page, so that there is something below.</p>'.repeat(20)}`
const frame = (src: string): string =>
  `<meta charset=utf-8><meta name=viewport content="width=device-width, initial-scale=1"><meta name=color-scheme content="light dark"><body style="margin: 0; font: 16px system-ui; padding: 16px"><h2>An app of somebody's</h2><iframe src="${src}" style="width: 100%; max-width: 800px; height: 480px; border: 1px solid gray"></iframe>`
const site = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
  response.setHeader('content-type', 'text/html')
  response.end(
    pathname === '/frame' ? frame(searchParams.get('src') ?? '') : shop(decodeURIComponent(pathname.slice(1))),
  )
})
await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [live({ sessions: puppeteerSessions() })],
})
const api = await serve(createApi(engine), { port: 0 })
const line = await makeLine(Number(new URL(api.url).port))
const browser = await puppeteer.launch({ executablePath: findBrowser()?.executable ?? '', args: ['--no-sandbox'] })

const screens = {
  desk: { width: 1280, height: 800 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

async function open(url: string, screen: keyof typeof screens, scheme: string): Promise<Page> {
  const page = await browser.newPage()
  await page.setViewport(screens[screen])
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.goto(url)
  return page
}

for (const mode of ['view', 'control'] as const)
  for (const screen of ['desk', 'phone'] as const)
    for (const scheme of ['light', 'dark']) {
      const shot = async (page: Page, state: string): Promise<void> => {
        await page.screenshot({ path: `${folder}/${state}-${mode}-${screen}-${scheme}.png` })
      }
      const session = await engine.live.open()
      const address = `${line.url}/live/${session.id}?token=${session.tokens[mode]}`
      await session.act({
        type: 'goto',
        url: `${origin}/A%20page%20whose%20name%20is%20rather%20long?and=a&search=that-goes-on`,
      })

      line.hold()
      const page = await open(address, screen, scheme)
      await sleep(300)
      await shot(page, '1-connecting')
      line.release()
      await page.waitForSelector('#state[data-state=live]')
      await shot(page, '2-live')
      if (await page.evaluate(`!document.querySelector('#size').hidden`)) {
        await page.click('#size')
        await shot(page, '2-larger')
        await page.click('#size')
      }
      const client = await puppeteer.connect({
        browserWSEndpoint: `${api.url.replace(/^http/, 'ws')}/cdp/${session.id}?token=${session.tokens.cdp}`,
        defaultViewport: null,
      })
      for (const name of ['Baskets', 'Checkout of what is in the basket', 'Terms', 'Contact'])
        await (await client.newPage()).goto(`${origin}/${encodeURIComponent(name)}`)
      await sleep(1_000)
      await shot(page, '3-tabs')
      if (mode === 'control') {
        await page.evaluate(`document.querySelector('#address').value = 'nowhere.example.invalid'`)
        await page.focus('#address')
        await page.keyboard.press('Enter')
        await page.waitForFunction(`document.querySelector('#toast').textContent !== ''`)
        await shot(page, '4-failed')
      }
      line.cut()
      await sleep(4_000)
      await shot(page, '5-reconnecting')
      await line.mend()
      await page.waitForSelector('#state[data-state=live]', { timeout: 30_000 })
      await shot(page, '6-back')
      const framed = await open(`${origin}/frame?src=${encodeURIComponent(address)}`, screen, scheme)
      await sleep(1_500)
      await shot(framed, '7-framed')
      await framed.close()
      await client.disconnect()
      await session.stop()
      await sleep(500)
      await shot(page, '8-ended')
      await page.close()
      const late = await open(address, screen, scheme)
      await sleep(1_500)
      await shot(late, '9-late')
      await late.close()
      const refused = await open(address.replace(/token=.{5}/, 'token=wrong'), screen, scheme)
      await sleep(1_500)
      await shot(refused, '9-refused')
      await refused.close()
    }

/** All pictures of a state on one sheet. */
const states = [
  '1-connecting',
  '2-live',
  '2-larger',
  '3-tabs',
  '4-failed',
  '5-reconnecting',
  '6-back',
  '7-framed',
  '8-ended',
  '9-late',
  '9-refused',
]
for (const state of states) {
  const page = await browser.newPage()
  await page.setViewport({ width: 1800, height: 1100 })
  await page.goto(`file://${process.cwd()}/test/bench/browser/`)
  const names = ['view', 'control'].flatMap((mode) =>
    Object.keys(screens).flatMap((screen) =>
      ['light', 'dark'].map((scheme) => `${state}-${mode}-${screen}-${scheme}.png`),
    ),
  )
  await page.setContent(
    `<body style="margin: 4px; background: #808">${names.map((name) => `<img src="file://${folder}/${name}" style="height: 530px; max-width: 610px; margin: 2px; object-fit: contain; object-position: top">`).join('')}`,
  )
  await sleep(300)
  await page.screenshot({ path: `${folder}/sheet-${state}.png` })
  await page.close()
}

await browser.close()
await line.close()
await api.close()
await engine.close()
site.close()
site.closeAllConnections()
