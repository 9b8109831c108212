// @module-tag browser
import type { Browser, Tab } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

let site: Served
let browser: Browser

beforeAll(async () => {
  site = await serve({
    '/': '<h1>Home</h1>',
    '/cookie': (_, response) =>
      response
        .writeHead(200, { 'set-cookie': 'seen=yes; Path=/; Max-Age=9999', 'content-type': 'text/html' })
        .end('<h1>Cookie</h1>'),
    '/cached.js': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=9999' })
        .end('window.cached = 1'),
    '/cached': '<h1>Cached</h1><script src="/cached.js"></script>',
    '/worker.js': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end('onfetch = () => {}'),
    '/shared.js': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          'let kept; onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => { port.postMessage(kept ?? "nothing"); kept = data } }',
        ),
    '/locked': (request, response) => {
      if (request.headers.authorization) return response.writeHead(200).end('in')
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end('out')
    },
  })
  browser = startBrowser()
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

const at = (path: string): URL => new URL(`http://localhost:${site.port}${path}`)

// For each kind of memory: a script that leaves something, and one that finds it or says "nothing".
const kinds: Readonly<Record<string, { readonly leave: string; readonly find: string }>> = {
  'cookies of scripts': {
    leave: 'document.cookie = "left=yes; max-age=9999"; "left"',
    find: 'document.cookie.includes("left") ? "found" : "nothing"',
  },
  'local storage': { leave: 'localStorage.left = 1; "left"', find: 'localStorage.left ? "found" : "nothing"' },
  'session storage': { leave: 'sessionStorage.left = 1; "left"', find: 'sessionStorage.left ? "found" : "nothing"' },
  IndexedDB: {
    leave: `await new Promise((resolve, reject) => {
      const request = indexedDB.open('left')
      request.onupgradeneeded = () => request.result.createObjectStore('s')
      request.onsuccess = resolve; request.onerror = reject
    }); "left"`,
    find: '(await indexedDB.databases()).some(({ name }) => name === "left") ? "found" : "nothing"',
  },
  'cache storage': {
    leave: 'await (await caches.open("left")).put("/x", new Response("x")); "left"',
    find: '(await caches.has("left")) ? "found" : "nothing"',
  },
  'service workers': {
    leave: 'await navigator.serviceWorker.register("/worker.js"); "left"',
    find: '(await navigator.serviceWorker.getRegistrations()).length ? "found" : "nothing"',
  },
  'the private file system': {
    leave: 'await (await navigator.storage.getDirectory()).getFileHandle("left", { create: true }); "left"',
    find: '(await (await navigator.storage.getDirectory()).getFileHandle("left").catch(() => 0)) ? "found" : "nothing"',
  },
  'shared workers': {
    leave: `await new Promise((resolve) => { const { port } = new SharedWorker('/shared.js'); port.onmessage = resolve; port.postMessage('left') }); "left"`,
    find: `const said = await new Promise((resolve) => { const { port } = new SharedWorker('/shared.js'); port.onmessage = resolve; port.postMessage('x') }); said.data === 'left' ? "found" : "nothing"`,
  },
  'the name of the window': { leave: 'window.name = "left"; "left"', find: 'window.name ? "found" : "nothing"' },
  'names and words of hosts': {
    leave: `await fetch('http://user:word@' + location.host + '/locked').catch(() => 0); await new Promise((r) => { const x = new XMLHttpRequest(); x.onloadend = r; x.open('GET', '/locked', true, 'user', 'word'); x.send() }); "left"`,
    find: '(await fetch("/locked")).status === 200 ? "found" : "nothing"',
  },
  locks: {
    leave:
      'navigator.locks.request("left", () => new Promise(() => {})); await new Promise((r) => setTimeout(r, 20)); "left"',
    find: '(await navigator.locks.query()).held.length ? "found" : "nothing"',
  },
}

async function findIn(tab: Tab, script: string): Promise<unknown> {
  await tab.goto(at('/'), soon())
  return tab.evaluate(script, soon())
}

/** Where each kind of memory was found, once one tab had left something in it. */
interface Found {
  /** In the tab that left it, and in another one beside it. */
  readonly beside: readonly unknown[]
  /** In the other one when the first was closed, and in one that was opened then. */
  after: readonly unknown[]
}

const found = new Map<string, Found>()

beforeAll(async () => {
  await inTab(browser, {}, async (other) => {
    await inTab(browser, {}, async (tab) => {
      for (const [kind, { leave, find }] of Object.entries(kinds)) {
        expect(await findIn(tab, leave)).toBe('left')
        // Names of windows are told over the same site too.
        found.set(kind, { beside: [await tab.evaluate(find, soon()), await findIn(other, find)], after: [] })
      }
    })
    await inTab(browser, {}, async (later) => {
      for (const [kind, { find }] of Object.entries(kinds))
        found.get(kind)!.after = [await findIn(other, find), await findIn(later, find)]
    })
  })
})

describe('what one tab leaves behind, another does not find', () => {
  for (const kind of Object.keys(kinds))
    test(`${kind}, while both are open and after`, () => {
      // It is really there, for the tab that left it.
      expect(found.get(kind)).toEqual({ beside: ['found', 'nothing'], after: ['nothing', 'nothing'] })
    })

  test('cookies of hosts', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/cookie'), soon())
      await tab.goto(at('/'), soon())
      expect(site.headersOf('/')?.cookie).toBe('seen=yes')
    })
    await inTab(browser, {}, (tab) => tab.goto(at('/'), soon()))
    expect(site.headersOf('/')?.cookie).toBeUndefined()
  })

  test('files in the HTTP cache', async () => {
    const fetches = (): number => site.seen.filter((line) => line === 'GET /cached.js').length
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/cached'), soon())
      await tab.goto(at('/cached'), soon())
      expect(fetches()).toBe(1)
    })
    await inTab(browser, {}, (tab) => tab.goto(at('/cached'), soon()))
    expect(fetches()).toBe(2)
  })

  test('messages between windows of one site', async () => {
    await inTab(browser, {}, async (one) => {
      await inTab(browser, {}, async (other) => {
        await one.goto(at('/'), soon())
        await other.goto(at('/'), soon())
        await one.evaluate('window.heard = 0; new BroadcastChannel("c").onmessage = () => { heard = 1 }; 0', soon())
        await other.evaluate('new BroadcastChannel("c").postMessage(1); new Promise((r) => setTimeout(r, 50))', soon())
        expect(await one.evaluate('heard', soon())).toBe(0)
      })
    })
  })

  test('permissions', async () => {
    const ask = '(await navigator.permissions.query({ name: "geolocation" })).state'
    const nowhere = { ...profile }
    delete (nowhere as { location?: unknown }).location
    await inTab(browser, {}, async (tab) => {
      expect(await findIn(tab, ask)).toBe('granted')
      const plain = await browser.open(nowhere, soon())
      try {
        expect(await findIn(plain, ask)).not.toBe('granted')
      } finally {
        await plain.close()
      }
    })
  })
})
