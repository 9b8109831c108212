// @module-tag long
// @module-tag browser
import type { Browser, BrowserProfile, Tab } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { starter } from '../src/chromium/starter.ts'
import { openEgress } from '../src/egress/egress.ts'
import type { Place } from '../src/pool/place.ts'
import { makePool } from '../src/pool/pool.ts'
import { wantOf } from '../src/pool/wish.ts'
import { localGuard } from './guard.ts'
import { pages } from './pages.ts'
import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

let site: Served
let secure: Served
let browser: Browser

beforeAll(async () => {
  site = await serve(pages)
  secure = await serve(
    { '/': '<h1>Secure</h1>', '/part.js': '1', '/parts': '<script src="/part.js"></script>' },
    { secure: true },
  )
  browser = startBrowser({ tabs: 8 })
})

afterAll(async () => {
  await browser.close()
  await site.close()
  await secure.close()
})

const soonest = { timeout: 30_000 }
const at = (path: string, host = 'site.test'): URL => new URL(`http://${host}:${site.port}${path}`)
const value = (tab: Tab, script: string): Promise<unknown> => tab.evaluate(script, soon())

function on<T>(path: string, more: Partial<BrowserProfile>, work: (tab: Tab) => Promise<T>): Promise<T> {
  return inTab(browser, more, async (tab) => {
    await tab.goto(at(path), soon())
    return work(tab)
  })
}

describe('the browser says that it is', () => {
  const story = `({
    agent: navigator.userAgent, mobile: navigator.userAgentData?.mobile, brands: navigator.userAgentData?.brands.map(({ brand }) => brand),
    system: navigator.userAgentData?.platform, platform: navigator.platform, touch: navigator.maxTouchPoints, width: innerWidth,
    ratio: devicePixelRatio, hover: matchMedia('(hover: hover)').matches })`
  const worker = `new Promise((resolve) => { new Worker(URL.createObjectURL(new Blob(['postMessage(navigator.userAgent)']))).onmessage = ({ data }) => resolve(data) })`

  test('a browser of a person at a desk, everywhere the same', () =>
    inTab(browser, {}, async (tab) => {
      const identity = (await browser.identity?.())!
      await tab.goto(new URL(`http://localhost:${site.port}/tells`), soon())
      const told = (await value(tab, story)) as Record<string, unknown>
      expect(told).toMatchObject({ mobile: false, touch: 0, ratio: 1, width: 1280, hover: true })
      expect(told['agent']).toMatch(
        /^Mozilla\/5\.0 \(.*\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/,
      )
      const { brand } = identity
      expect(told['brands']).toHaveLength(brand === undefined ? 2 : 3)
      expect(told['brands']).toEqual(expect.arrayContaining(['Chromium', ...(brand === undefined ? [] : [brand])]))
      expect(JSON.stringify(told)).not.toContain('Headless')
      const sent = site.headersOf('/tells') ?? {}
      expect(sent['user-agent']).toBe(told['agent'])
      expect(sent['sec-ch-ua']).toContain(`"Chromium";v="${identity.version}"`)
      expect(sent['sec-ch-ua']).not.toContain('Headless')
      expect(sent['sec-ch-ua-mobile']).toBe('?0')
      expect(await value(tab, worker)).toBe(told['agent'])
    }))

  test('a phone, everywhere the same', () =>
    inTab(browser, { mobile: true }, async (tab) => {
      await tab.goto(new URL(`http://localhost:${site.port}/tells`), soon())
      const told = (await value(tab, story)) as Record<string, unknown>
      expect(told).toMatchObject({
        mobile: true,
        system: 'Android',
        platform: 'Linux armv81',
        touch: 5,
        ratio: 2.625,
        hover: false,
      })
      expect(told['agent']).toContain('Android 10; K')
      const sent = site.headersOf('/tells') ?? {}
      expect(sent['user-agent']).toBe(told['agent'])
      expect(sent).toMatchObject({ 'sec-ch-ua-mobile': '?1', 'sec-ch-ua-platform': '"Android"' })
      expect(await value(tab, worker)).toBe(told['agent'])
    }))

  test('who the caller says, with nothing that contradicts it', () =>
    on('/tells', { headers: { 'user-agent': 'Walker/1.0' } }, async (tab) => {
      expect(await value(tab, 'navigator.userAgent')).toBe('Walker/1.0')
      expect(site.headersOf('/tells')).toMatchObject({ 'user-agent': 'Walker/1.0' })
      expect(site.headersOf('/tells')?.['sec-ch-ua'] ?? '').not.toContain('Chromium')
    }))

  test('who the caller says, also if it sends other headers', () =>
    on('/tells', { headers: { 'user-agent': 'Walker/1.0', 'x-more': 'yes' } }, async () => {
      expect(site.headersOf('/tells')).toMatchObject({ 'user-agent': 'Walker/1.0', 'x-more': 'yes' })
    }))
})

describe('the browser seems to be', () => {
  const story = `({ zone: Intl.DateTimeFormat().resolvedOptions().timeZone, hour: new Date(0).getHours(), languages: navigator.languages,
    number: (1234.5).toLocaleString(), where: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => resolve([latitude, longitude]), ({ message }) => resolve(message))) })`
  const cases: Readonly<Record<string, readonly [languages: string[], told: object, header: string]>> = {
    DE: [
      ['de-DE'],
      { zone: 'Europe/Berlin', hour: 1, languages: ['de-DE', 'de'], number: '1.234,5', where: [52.5, 13.4] },
      'de-DE,de;q=0.9',
    ],
    JP: [
      ['ja-JP', 'en-US'],
      { zone: 'Asia/Tokyo', hour: 9, languages: ['ja-JP', 'ja', 'en-US', 'en'], where: [35.7, 139.7] },
      'ja-JP,ja;q=0.9,en-US;q=0.8,en;q=0.7',
    ],
    BR: [
      ['pt-BR'],
      { zone: 'America/Sao_Paulo', hour: 21, number: '1.234,5', where: [-23.6, -46.6] },
      'pt-BR,pt;q=0.9',
    ],
    IN: [['hi-IN'], { zone: 'Asia/Calcutta', hour: 5, where: [28.6, 77.2] }, 'hi-IN,hi;q=0.9'],
  }
  for (const [country, [languages, told, header]] of Object.entries(cases)) {
    test(`in ${country}: time, language, numbers and place`, () =>
      inTab(browser, { location: { country, languages } }, async (tab) => {
        await tab.goto(new URL(`http://localhost:${site.port}/tells`), soon())
        expect(await value(tab, story)).toMatchObject(told)
        expect(site.headersOf('/tells')?.['accept-language']).toBe(header)
      }))
  }
})

describe("the caller's headers", () => {
  const headers = {
    'x-secret': 'word',
    authorization: 'Bearer mine',
    cookie: 'session=42; theme=dark',
    referer: 'http://before.test/',
  }

  test('go to the page and to what it loads from its own origin, and nowhere else', () =>
    on('/loads-other', { headers }, async (tab) => {
      for (const path of ['/loads-other', '/own.js']) {
        expect(site.headersOf(path), path).toMatchObject({
          'x-secret': 'word',
          authorization: 'Bearer mine',
          cookie: 'session=42; theme=dark',
        })
      }
      expect(site.headersOf('/loads-other')?.referer).toBe('http://before.test/')
      const foreign = JSON.stringify(site.headersOf('/foreign.js'))
      for (const word of ['word', 'mine', 'session']) expect(foreign).not.toContain(word)
      expect(await value(tab, 'document.cookie')).toBe('session=42; theme=dark')
    }))

  test('do not follow a redirect to another origin', () =>
    on('/to-other', { headers }, async (tab) => {
      expect(await tab.html()).toContain('Other')
      expect(site.headersOf('/to-other')).toMatchObject({ authorization: 'Bearer mine' })
      const foreign = JSON.stringify(site.headersOf('/tells-other'))
      for (const word of ['word', 'mine', 'session']) expect(foreign).not.toContain(word)
    }))
})

describe('a certificate that nobody trusts', () => {
  const address = (path = '/'): URL => new URL(`https://site.test:${secure.port}${path}`)

  test('is refused, and taken by the tab that asked for it, alone', async () => {
    await inTab(browser, { skipTlsVerification: true }, async (tab) => {
      expect((await tab.goto(address('/parts'), soon())).status).toBe(200)
      expect(secure.seen).toContain('GET /part.js')
      await inTab(browser, {}, async (other) => {
        await expect(other.goto(address(), soon())).rejects.toMatchObject({ code: 'tls_failed' })
      })
      await tab.goto(address(), soon())
      expect(await tab.html()).toContain('Secure')
    })
  })
})

describe('blockAds', () => {
  test('leaves out hosts that serve them, known to the page or not, and nothing when it is off', async () => {
    const story = 'document.body.dataset.first + document.body.dataset.third'
    await on('/ads', { blockAds: true }, async (tab) => {
      await tab.waitFor('[data-first][data-second][data-third]', soon())
      expect(await value(tab, story)).not.toContain('undefined')
      expect(site.seen).not.toContain('GET /plain')
    })
    await on('/ads', { blockAds: false }, async (tab) => {
      await tab.waitFor('[data-second="came"][data-third="came"]', soon())
      expect(site.seen).toContain('GET /plain')
    })
  })

  test('sends no beacons, which count visitors, and tells the page that they were sent', async () => {
    const known = (): boolean => site.seen.includes('POST /beacon')
    await on('/counted', { blockAds: true }, async (tab) => {
      await tab.waitFor('[data-sent="true"][data-after]', soon())
      expect(known()).toBe(false)
    })
    await on('/counted', { blockAds: false }, (tab) => tab.waitFor('[data-sent="true"][data-after]', soon()))
    await vi.waitFor(() => expect(known()).toBe(true), soonest)
  })

  test('answers cookie notices with no, and shows what was behind them', async () => {
    await on('/cookie-wall', { blockAds: true }, async (tab) => {
      const html = await tab.html()
      expect(html).toContain('The whole article, after no')
      expect(html).not.toContain('We use cookies')
      expect(await value(tab, 'getComputedStyle(document.body).overflowY')).not.toBe('hidden')
    })
    await on('/onetrust', { blockAds: true }, async (tab) => {
      expect(await value(tab, 'document.body.dataset.choice')).toBe('no')
      expect(await tab.html()).not.toContain('Cookies!')
    })
    await on('/cookie-wall', { blockAds: false }, async (tab) => expect(await tab.html()).toContain('We use cookies'))
  })

  test('takes nothing for a notice that only speaks of cookies', () =>
    on('/cookie-shop', { blockAds: true }, async (tab) => {
      expect(await tab.html()).toContain('Chocolate cookie')
      expect(await tab.html()).toContain('class="cookie-title"')
    }))
})

test('pictures are loaded for who looks; else they are left out, and the page is not told that they failed', async () => {
  const count = (): number => site.seen.filter((line) => line === 'GET /one.svg').length
  await on('/pictures', { pictures: false }, async (tab) => {
    expect(await tab.html()).toContain('src="/one.svg"')
    expect(count()).toBe(0)
  })
  await on('/pictures', { pictures: true }, async (tab) => {
    await tab.waitFor('[data-one]', soon())
    expect(count()).toBe(1)
  })
})

test('a page without pictures is not painted, but its frames and observers run as in any other', async () => {
  await on('/frames-only', { pictures: false }, async (tab) => {
    const html = await tab.html()
    expect(html).toContain('Five frames')
    expect(html).toContain('seen by an observer')
    expect(html).not.toContain('far by an observer')
    await tab.evaluate('scrollTo(0, 5000)', soon())
    await tab.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))', soon())
    expect(await tab.html()).toContain('far by an observer')
    await expect(tab.screenshot({ fullPage: false }, soon())).rejects.toMatchObject({
      code: 'action_failed',
      message: expect.stringContaining('needs.pictures: true'),
    })
  })
})

test('a browser for pages without images paints nothing, and another does', async () => {
  const pool = makePool(starter({}), () => openEgress(localGuard()), {})
  const shoot = async (place: Place, text: string): Promise<string> => {
    const { session } = place
    const { frameId } = await session.send('Page.navigate', { url: 'about:blank' })
    await session.send('Page.setDocumentContent', { frameId, html: `<h1>${text}</h1>` })
    return (await session.send('Page.captureScreenshot', { format: 'png' })).data
  }
  const showsText = async (pictures: boolean): Promise<boolean> => {
    const place = await pool.open(wantOf({ ...profile, pictures }), soon())
    try {
      return (await shoot(place, 'One')) !== (await shoot(place, 'Two'))
    } finally {
      await place.close()
    }
  }
  try {
    expect(await showsText(false)).toBe(false)
    expect(await showsText(true)).toBe(true)
  } finally {
    await pool.close()
  }
})

/** Width and height of a PNG or a JPEG. */
function sizeOf(bytes: Uint8Array): readonly [number, number] {
  const data = Buffer.from(bytes)
  if (data[0] === 0x89) return [data.readUInt32BE(16), data.readUInt32BE(20)]
  for (let at = 2; at < data.length; at += 2 + data.readUInt16BE(at + 2)) {
    if (data[at + 1] === 0xc0 || data[at + 1] === 0xc2) return [data.readUInt16BE(at + 7), data.readUInt16BE(at + 5)]
  }
  return [0, 0]
}

describe('a picture of the page', () => {
  const shoot = (tab: Tab, options: Partial<Parameters<Tab['screenshot']>[0]> = {}): Promise<Uint8Array> =>
    tab.screenshot({ fullPage: false, ...options }, soon())

  test('has the size of the window, of the one asked for, or of the whole page', () =>
    on('/red', {}, async (tab) => {
      expect(sizeOf(await shoot(tab))).toEqual([1280, 800])
      expect(sizeOf(await shoot(tab, { viewport: { width: 500, height: 300 } }))).toEqual([500, 300])
      expect(sizeOf(await shoot(tab, { fullPage: true }))).toEqual([1280, 2000])
      expect(sizeOf(await shoot(tab, { fullPage: true, viewport: { width: 640, height: 480 }, quality: 50 }))).toEqual([
        640, 2000,
      ])
      // The window is as it was.
      expect(await value(tab, 'innerWidth')).toBe(1280)
    }))

  test('on a phone is that of a phone', () =>
    on('/red', { mobile: true }, async (tab) => {
      expect(sizeOf(await shoot(tab))).toEqual([1082, 2402])
    }))

  test('is smaller with less quality', () =>
    on('/frames', {}, async (tab) => {
      const [good, bad] = [await shoot(tab, { quality: 95 }), await shoot(tab, { quality: 5 })]
      expect(bad.length).toBeLessThan(good.length)
    }))

  test('of a page that is too high shows its first part, and says so', { tags: ['long'] }, () =>
    on('/very-high', {}, async (tab) => {
      const [, height] = sizeOf(await shoot(tab, { fullPage: true, quality: 10 }))
      expect(height).toBe(16_384)
      expect(tab.warnings?.().join()).toContain('300000 pixels high')
    }),
  )

  test('shows the page: it is red where the page is red', () =>
    on('/red', {}, async (tab) => {
      const png = Buffer.from(await shoot(tab, { viewport: { width: 20, height: 20 } })).toString('base64')
      const look = `new Promise((resolve) => { const image = new Image(); image.onload = () => { const context = document.createElement('canvas').getContext('2d')
        context.drawImage(image, 0, 0); resolve([...context.getImageData(5, 5, 1, 1).data]) }; image.src = 'data:image/png;base64,${png}' })`
      expect(await value(tab, look)).toEqual([255, 0, 0, 255])
    }))

  test('is taken in many tabs at once', { tags: ['long'] }, async () => {
    const sizes = await Promise.all(
      Array.from({ length: 8 }, () => on('/red', {}, async (tab) => sizeOf(await shoot(tab, { fullPage: true })))),
    )
    expect(sizes).toEqual(Array.from({ length: 8 }, () => [1280, 2000]))
  })
})

describe('a print of the page', () => {
  const boxOf = (bytes: Uint8Array): readonly number[] => {
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(bytes).toString('latin1')) ?? []
    return [Math.round(Number(width)), Math.round(Number(height))]
  }
  const print = (tab: Tab, options: Partial<Parameters<Tab['pdf']>[0]> = {}): Promise<Uint8Array> =>
    tab.pdf({ format: 'Letter', landscape: false, scale: 1, ...options }, soon())

  test('has the paper, the direction and the scale asked for', () =>
    on('/red', {}, async (tab) => {
      expect(boxOf(await print(tab))).toEqual([612, 792])
      // Chromium rounds up to whole points.
      expect(boxOf(await print(tab, { format: 'A4' }))).toEqual([596, 842])
      expect(boxOf(await print(tab, { format: 'A4', landscape: true }))).toEqual([842, 596])
      const pagesOf = (bytes: Uint8Array): number =>
        Buffer.from(bytes)
          .toString('latin1')
          .match(/\/Type \/Page\b/g)?.length ?? 0
      expect(pagesOf(await print(tab, { scale: 2 }))).toBeGreaterThan(pagesOf(await print(tab, { scale: 0.5 })))
    }))

  test('on paper that does not exist fails', () =>
    on('/plain', {}, async (tab) => {
      for (const format of ['A99', 'constructor'])
        await expect(print(tab, { format })).rejects.toMatchObject({ code: 'action_failed' })
    }))
})
