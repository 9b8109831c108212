// @module-tag browser
import { EngineError } from '@harvestman/ports'
import type { Browser, Tab } from '@harvestman/ports'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { launch } from '../src/chromium/launch.ts'
import { openEgress } from '../src/egress/egress.ts'
import { findBrowser } from '../src/index.ts'
import { makeHost } from '../src/pool/host.ts'
import { identityOf } from '../src/profile/identity.ts'
import { makeTab } from '../src/tab/tab.ts'
import { openView } from '../src/tab/view.ts'
import { listenPrivately, serve, type Listener, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

// Everything a page can reach out with. Each ends by itself, by success or failure.
const vectors = /* js */ `
const [base, wsBase, host, port] = [TARGET, TARGET.replace('http', 'ws'), new URL(TARGET).hostname, new URL(TARGET).port]
const add = (tag, attributes) => new Promise((resolve) => {
  const element = document.createElement(tag)
  element.onload = element.onerror = resolve
  Object.assign(element, attributes)
  document.body.append(element)
})
const worker = (code) => new Promise((resolve) => {
  const made = new Worker(URL.createObjectURL(new Blob([code + ';postMessage(1)'])))
  made.onmessage = made.onerror = resolve
})
const all = {
  iframe: () => add('iframe', { src: base + '/iframe' }),
  img: () => add('img', { src: base + '/img' }),
  script: () => add('script', { src: base + '/script' }),
  stylesheet: () => add('link', { rel: 'stylesheet', href: base + '/stylesheet' }),
  cssUrl: () => { document.body.style.backgroundImage = 'url(' + base + '/css-url)' },
  font: () => new FontFace('f', 'url(' + base + '/font)').load(),
  prefetch: () => add('link', { rel: 'prefetch', href: base + '/prefetch' }),
  preconnect: () => add('link', { rel: 'preconnect', href: base }),
  dnsPrefetch: () => add('link', { rel: 'dns-prefetch', href: base }),
  fetch: () => fetch(base + '/fetch', { mode: 'no-cors' }),
  xhr: () => new Promise((resolve) => { const x = new XMLHttpRequest(); x.onloadend = resolve; x.open('GET', base + '/xhr'); x.send() }),
  beacon: () => { navigator.sendBeacon(base + '/beacon', 'x') },
  webSocket: () => new Promise((resolve) => { const s = new WebSocket(wsBase + '/socket'); s.onerror = s.onclose = resolve }),
  eventSource: () => new Promise((resolve) => { const s = new EventSource(base + '/events'); s.onerror = () => { s.close(); resolve() } }),
  webRtc: async () => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host + ':' + port }, { urls: 'turn:' + host + ':' + port + '?transport=tcp', username: 'u', credential: 'c' }] })
    peer.createDataChannel('c')
    await peer.setLocalDescription(await peer.createOffer())
    await new Promise((resolve) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve(); setTimeout(resolve, 600) })
    peer.close()
  },
  form: () => new Promise((resolve) => {
    document.body.insertAdjacentHTML('beforeend', '<iframe name="target"></iframe><form method="post" target="target" action="' + base + '/form"></form>')
    document.querySelector('iframe[name=target]').onload = resolve
    document.forms[0].submit()
  }),
  object: () => add('object', { data: base + '/object' }),
  embed: () => add('embed', { src: base + '/embed' }),
  video: () => new Promise((resolve) => { const v = document.createElement('video'); v.onerror = resolve; v.preload = 'auto'; v.src = base + '/video'; document.body.append(v); v.load() }),
  worker: () => worker('fetch("' + base + '/worker", { mode: "no-cors" }).catch(() => 0)'),
  importScripts: () => worker('try { importScripts("' + base + '/import") } catch {}'),
  serviceWorker: async () => {
    const registration = await navigator.serviceWorker.register('/worker.js?' + encodeURIComponent(base))
    await registration.unregister()
  },
  speculation: () => {
    const rules = document.createElement('script')
    rules.type = 'speculationrules'
    rules.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [base + '/speculation'], eagerness: 'immediate' }], prerender: [{ source: 'list', urls: [base + '/prerender'], eagerness: 'immediate' }] })
    document.head.append(rules)
  },
  modulePreload: () => add('link', { rel: 'modulepreload', href: base + '/module' }),
  cssImport: () => new Promise((resolve) => {
    const style = document.createElement('style')
    style.onload = style.onerror = resolve
    style.textContent = '@import url(' + base + '/css-import)'
    document.head.append(style)
  }),
  svgImage: () => { document.body.insertAdjacentHTML('beforeend', '<svg><image href="' + base + '/svg-image"/><use href="' + base + '/svg-use#x"/></svg>') },
  icon: () => add('link', { rel: 'icon', href: base + '/icon' }),
  inputImage: () => add('input', { type: 'image', src: base + '/input-image' }),
  fencedFrame: () => { document.body.append(Object.assign(document.createElement('fencedframe'), { config: globalThis.FencedFrameConfig ? new FencedFrameConfig(base + '/fenced') : null })) },
  sharedWorker: () => { new SharedWorker(URL.createObjectURL(new Blob(['fetch("' + base + '/shared", { mode: "no-cors" }).catch(() => 0)']))) },
  webTransport: () => new WebTransport(base.replace('http:', 'https:') + '/transport').ready,
  ping: () => {
    document.body.insertAdjacentHTML('beforeend', '<a id="p" ping="' + base + '/ping" href="#x">x</a>')
    document.getElementById('p').click()
  },
}
const limit = () => new Promise((resolve) => setTimeout(resolve, 1000))
Promise.all(Object.values(all).map((vector) => Promise.race([Promise.resolve().then(vector).catch(() => 0), limit()])))
  .then(() => new Promise((resolve) => setTimeout(resolve, 300)))
  .then(() => { document.body.dataset.done = String(Object.keys(all).length) })
`

const kinds = [
  { kind: 'shell', tags: ['browser'] },
  { kind: 'full', tags: ['full-browser'] },
] as const
type Kind = (typeof kinds)[number]['kind']
const hosts = ['127.0.0.1', 'localhost', '[::1]', 'private.test']

let site: Served
let listener: Listener
let guard: ReturnType<typeof guardOfSite>
const browsers = new Map<Kind, Browser>()

beforeAll(async () => {
  listener = await listenPrivately()
  site = await serve({
    '/vectors': (request, response) => {
      const target = new URL(request.url ?? '', 'http://x').searchParams.get('target')
      const code = `const TARGET = ${JSON.stringify(target)}\n${vectors}`
      response
        .setHeader('content-type', 'text/html')
        .end(`<body><h1>Vectors</h1><script type="module">${code}</script>`)
    },
    '/worker.js': (request, response) => {
      const target = decodeURIComponent((request.url ?? '').split('?')[1] ?? '')
      response
        .setHeader('content-type', 'text/javascript')
        .end(`fetch('${target}/service', { mode: 'no-cors' }).catch(() => 0)`)
    },
    '/moves': (request, response) => {
      const code = new URL(request.url ?? '', 'http://x').searchParams.get('code')
      response.setHeader('content-type', 'text/html').end(`<body><h1>Before</h1><script>${code}</script>`)
    },
    '/redirects': (request, response) => {
      const to = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? ''
      response.writeHead(302, { location: to }).end()
    },
    '/': '<h1>Home</h1>',
  })
  guard = guardOfSite()
})

beforeEach(() => guard.reset())

afterAll(async () => {
  for (const browser of browsers.values()) await browser.close()
  await site.close()
  await listener.close()
})

/** Lets the site pass and nothing else, whatever the scheme, and keeps what it was asked for. */
function guardOfSite() {
  const asked: string[] = []
  const more = new Set<number>()
  let checksUrls = true
  const check = (host: string, port: number): void => {
    asked.push(`${host}:${port}`)
    if (port !== site.port && !more.has(port)) throw new EngineError('url_blocked', 'Not one of the public web.')
  }
  return {
    asked,
    checkUrl: (url: URL) => {
      if (checksUrls) check(url.hostname, Number(url.port) || 80)
    },
    resolve: async (host: string, port: number) => {
      check(host, port)
      return { address: '127.0.0.1', family: 4 } as const
    },
    letPass: (port: number) => more.add(port),
    leaveUrls: () => (checksUrls = false),
    reset: () => {
      asked.length = 0
      more.clear()
      checksUrls = true
    },
  }
}

/** The browser of this file behind that guard: each test has a tab of its own in it, with a context of its own. */
function browserOf(kind: Kind = 'shell'): Browser {
  const browser = browsers.get(kind) ?? startBrowser({ prefer: kind }, guard)
  browsers.set(kind, browser)
  return browser
}

async function runVectors(tab: Tab, target: string): Promise<number> {
  const address = `http://localhost:${site.port}/vectors?target=${encodeURIComponent(target)}`
  await tab.goto(new URL(address), soon())
  await tab.waitFor('[data-done]', soon())
  return Number(await tab.evaluate('document.body.dataset.done', soon()))
}

describe('what a page does', () => {
  for (const { kind, tags } of kinds)
    for (const scheme of ['http', 'https'])
      for (const host of hosts) {
        const isOne = (scheme === 'http') === (host === '127.0.0.1') && ['127.0.0.1', 'private.test'].includes(host)
        const options = { tags: [...tags, ...longIf(kind === 'full' || !isOne).tags] }
        test(`reaches no private place by ${scheme} at ${host}, in the ${kind} browser`, options, async () => {
          const before = listener.contacts
          const place = `${host}:${listener.port}`
          await inTab(browserOf(kind), { pictures: true }, async (tab) => {
            expect(await runVectors(tab, `${scheme}://${place}`)).toBe(32)
          })
          // They did try, and were heard by the guard.
          expect(guard.asked.filter((asked) => asked === place).length).toBeGreaterThan(10)
          expect(listener.contacts - before).toBe(0)
        })
      }

  test('would reach it if the guard allowed it: the listener listens', async () => {
    guard.letPass(listener.port)
    const before = listener.contacts
    await inTab(browserOf(), { pictures: true }, (tab) => runVectors(tab, `http://127.0.0.1:${listener.port}`))
    expect(listener.contacts - before).toBeGreaterThan(12)
  })
})

describe('a page that goes elsewhere by itself', () => {
  const codes: Readonly<Record<string, (target: string) => string>> = {
    'at once': (target) => `location = '${target}'`,
    'after a moment': (target) => `setTimeout(() => { location = '${target}' }, 60)`,
    'by replacing': (target) => `setTimeout(() => location.replace('${target}'), 20)`,
    'by a meta refresh': (target) => `document.head.innerHTML = '<meta http-equiv=refresh content="0; url=${target}">'`,
    'by a form': (target) =>
      `const f = document.createElement('form'); f.action = '${target}'; document.body.append(f); f.submit()`,
    'by a new window': (target) => `open('${target}')`,
    'after a second': (target) => later(target, 1_000),
    'after five seconds': (target) => later(target, 5_000),
    'by its history': (target) =>
      `setTimeout(() => { history.pushState(0, '', '/redirects?to=${encodeURIComponent(target)}'); history.pushState(0, '', '/moves?x'); history.back() }, 20)`,
    'by loading again what it only pretended to be': (target) =>
      `setTimeout(() => { history.replaceState(0, '', '/redirects?to=${encodeURIComponent(target)}'); location.reload() }, 20)`,
    'by a window that it opened before': (target) =>
      `const w = open('about:blank'); setTimeout(() => { w.location = '${target}' }, 50)`,
    'by its frame, for the whole page': (target) =>
      `document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<script>top.location=&quot;${target}&quot;</scr' + 'ipt>"></iframe>')`,
    'over a redirect': (target) => `setTimeout(() => { location = '/redirects?to=${encodeURIComponent(target)}' }, 20)`,
  }
  const later = (target: string, ms: number): string =>
    `setTimeout(() => { location = '${target}'; setTimeout(() => { document.body.dataset.tried = 1 }, 300) }, ${ms})`
  for (const [way, code] of Object.entries(codes)) {
    test(`is kept where it was when that is private: ${way}`, longIf(way === 'after five seconds'), async () => {
      const before = listener.contacts
      const source = encodeURIComponent(code(`http://127.0.0.1:${listener.port}/secret`))
      await inTab(browserOf(), {}, async (tab) => {
        await tab.goto(new URL(`http://localhost:${site.port}/moves?code=${source}`), soon())
        if (/^after (?:a second|five)/.test(way)) await tab.waitFor('[data-tried]', soon())
        expect(await tab.html()).toContain('Before')
        expect(await tab.url()).not.toContain('/secret')
      })
      expect(listener.contacts - before).toBe(0)
    })
  }

  test('an address that redirects to a private one is refused', async () => {
    const to = encodeURIComponent(`http://127.0.0.1:${listener.port}/`)
    await inTab(browserOf(), {}, async (tab) => {
      const going = tab.goto(new URL(`http://localhost:${site.port}/redirects?to=${to}`), soon())
      await expect(going).rejects.toMatchObject({ code: 'url_blocked' })
    })
  })
})

test('addresses that Chromium would reach without its proxy go through it like any other', async () => {
  const implicit = ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0.0.0.0', '10.0.0.1']
  await inTab(browserOf(), {}, async (tab) => {
    await tab.goto(new URL(`http://localhost:${site.port}/`), soon())
    for (const host of implicit) {
      await tab.evaluate(`fetch('http://${host}:${listener.port}/', { mode: 'no-cors' }).catch(() => 0)`, soon())
    }
  })
  for (const host of implicit) expect(guard.asked).toContain(`${host}:${listener.port}`)
})

test('without its proxy the browser reaches nothing at all', { tags: ['long'] }, async () => {
  guard.letPass(listener.port)
  const egress = await openEgress(guard)
  const confinement = { sandbox: process.getuid?.() !== 0, user: undefined }
  const running = await launch(
    {
      ...findBrowser()!,
      proxy: egress.address,
      pictures: true,
      confinement,
      pageMemory: 1e9,
      nice: 0,
      hiddenWait: false,
    },
    soon(),
  )
  const before = listener.contacts
  try {
    const place = await (await makeHost(running, egress)).open({}, () => undefined)
    const disguise = { profile, identity: identityOf(running, profile), leavesOut: [] }
    const tab = makeTab(await openView(place, guard, disguise), place.close)
    await tab.goto(new URL(`http://localhost:${site.port}/`), soon())
    await tab.evaluate(`fetch('http://127.0.0.1:${listener.port}/', { mode: 'no-cors' })`, soon())
    expect(listener.contacts - before).toBe(1)
    await egress.close()
    const reach = `Promise.all(['127.0.0.1', 'localhost', '[::1]'].map((host) => fetch('http://' + host + ':${listener.port}/', { mode: 'no-cors' }).then(() => 'came', () => 'failed')))`
    expect(await tab.evaluate(reach, soon())).toEqual(['failed', 'failed', 'failed'])
    for (const port of [site.port, listener.port]) {
      await expect(tab.goto(new URL(`http://localhost:${port}/after`), soon())).rejects.toMatchObject({
        code: 'connection_failed',
      })
    }
    await tab.close()
  } finally {
    await running.close()
    await egress.close()
  }
  expect(listener.contacts - before).toBe(1)
  expect(site.seen).not.toContain('GET /after')
})

test('no QUIC leaves, even when a host offers it', async () => {
  const offering = await serve(
    { '*': '<h1>Secure</h1>' },
    { secure: true, headers: { 'alt-svc': `h3=":${listener.port}"` } },
  )
  guard.letPass(offering.port)
  const before = listener.contacts
  try {
    await inTab(browserOf(), { skipTlsVerification: true }, async (tab) => {
      for (const path of ['/one', '/two', '/three']) {
        await tab.goto(new URL(`https://site.test:${offering.port}${path}`), soon())
      }
      expect(await tab.html()).toContain('Secure')
    })
  } finally {
    await offering.close()
  }
  expect(listener.contacts - before).toBe(0)
})

test('only web addresses are visited', async () => {
  guard.leaveUrls()
  const addresses = [
    'file:///etc/hostname',
    'chrome://version',
    'data:text/html,<h1>x',
    'view-source:http://site.test/',
    'about:blank',
  ]
  await inTab(browserOf(), {}, async (tab) => {
    for (const address of addresses) {
      await expect(tab.goto(new URL(address), soon())).rejects.toMatchObject({ code: 'url_blocked' })
    }
    await tab.goto(new URL(`http://localhost:${site.port}/`), soon())
    for (const address of addresses.slice(0, 4)) {
      await tab.evaluate(`location = ${JSON.stringify(address)}`, soon()).catch(() => undefined)
    }
    expect(await tab.html()).toContain('Home')
  })
})
