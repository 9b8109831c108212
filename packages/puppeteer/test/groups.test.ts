// @module-tag long
// @module-tag browser
import type { Browser, BrowserProfile, Tab } from '@harvestman/ports'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { findByArgument, listProcesses } from '../src/chromium/processes.ts'
import type { BrowserEvent, PuppeteerOptions } from '../src/index.ts'
import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

let site: Served
const closers: (() => unknown)[] = []

beforeAll(async () => {
  let count = 0
  site = await serve({
    '/': '<h1>Home</h1>',
    '/counted': (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Number ${(count += 1)}</h1>`),
    '/kept.js': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'max-age=9999' })
        .end('window.kept = 1'),
    '/kept': '<h1>Kept</h1><script src="/kept.js"></script>',
    '/opens': '<h1>Opens</h1><script>open("/"); alert(1)</script>',
    '/file': (_, response) => void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('bytes'),
  })
})

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

afterAll(() => site.close())

const at = (path: string): URL => new URL(`http://localhost:${site.port}${path}`)

function start(options: PuppeteerOptions = {}): { readonly browser: Browser; readonly pids: readonly number[] } {
  const pids: number[] = []
  const onEvent = ({ kind, pid }: BrowserEvent): void => void (kind === 'started' && pid && pids.push(pid))
  const browser = startBrowser({ ...options, onEvent })
  closers.push(browser.close)
  return { browser, pids }
}

/** Visits a page in a tab of its own, and asks the page something. */
function ask(browser: Browser, more: Partial<BrowserProfile>, script: string, path = '/'): Promise<unknown> {
  return inTab(browser, more, async (tab) => {
    await tab.goto(at(path), soon())
    return tab.evaluate(script, soon())
  })
}

const leave = `document.cookie = 'left=1; max-age=999'; localStorage.left = 1; sessionStorage.left = 1; window.name = 'left';
  await new Promise((resolve) => { const r = indexedDB.open('left'); r.onsuccess = r.onerror = resolve })
  await (await caches.open('left')).put('/x', new Response('x')); 'done'`
const find = `[document.cookie, localStorage.left ?? '', sessionStorage.left ?? '', window.name,
  (await indexedDB.databases()).length, (await caches.keys()).length].join()`
const nothing = ',,,,0,0'
const fetches = (): number => site.seen.filter((line) => line === 'GET /kept.js').length

describe('tabs of one group', () => {
  test('go on where the one before ended: its storage and its cache are there', async () => {
    const { browser } = start()
    const before = fetches()
    await ask(browser, { group: 'a' }, leave, '/kept')
    expect(await ask(browser, { group: 'a' }, find, '/kept')).toBe('left=1,1,1,left,1,1')
    expect(fetches() - before).toBe(1)
  })

  test('share nothing with those of another group, of none, or of another profile', async () => {
    const { browser } = start()
    const before = fetches()
    await ask(browser, { group: 'a' }, leave, '/kept')
    const others: readonly Partial<BrowserProfile>[] = [
      { group: 'b' },
      {},
      {},
      { group: 'a', mobile: true },
      { group: 'a', headers: { 'x-other': 'yes' } },
    ]
    for (const other of others) expect(await ask(browser, other, find, '/kept')).toBe(nothing)
    expect(fetches() - before).toBe(1 + others.length)
  })

  test('share nothing after a tab of no group was closed', { tags: ['long'] }, async () => {
    const { browser } = start()
    await ask(browser, {}, leave)
    expect(await ask(browser, {}, find)).toBe(nothing)
    expect(await ask(browser, { group: 'a' }, find)).toBe(nothing)
  })

  test('load what they are sent to, also where only the part after # differs', async () => {
    const { browser } = start()
    const words: string[] = []
    for (const path of ['/counted#a', '/counted#b', '/counted#b', '/counted']) {
      await inTab(browser, { group: 'a' }, async (tab) => {
        expect(await tab.goto(at(path), soon())).toMatchObject({ url: at(path).href, status: 200 })
        words.push(await tab.html())
      })
    }
    expect(words.map((html) => /Number \d/.exec(html)?.[0])).toEqual(['Number 1', 'Number 2', 'Number 3', 'Number 4'])
  })

  test('know nothing of the warnings, the windows and the files of the one before', async () => {
    const { browser, pids } = start()
    await inTab(browser, { group: 'a' }, async (tab) => {
      await tab.goto(at('/opens'), soon())
      expect(tab.warnings?.().length).toBe(2)
      const { download } = await tab.goto(at('/file'), soon())
      expect(download?.length).toBe(5)
    })
    await inTab(browser, { group: 'a' }, async (tab) => {
      expect(await tab.goto(at('/'), soon())).not.toHaveProperty('download')
      expect(tab.warnings?.()).toEqual([])
    })
    expect(pids.length).toBe(1)
  })
})

describe('a tab of a group that was closed', () => {
  const endOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'ended',
      (error: unknown) => error,
    )

  test('takes nothing more, and what waited in it ends', { tags: ['long'] }, async () => {
    const { browser } = start()
    const tab = await browser.open({ ...profile, group: 'a' }, soon())
    await tab.goto(at('/'), soon())
    const waiting = [tab.waitFor('#none', soon()), tab.evaluate('new Promise(() => {})', soon())].map(endOf)
    await tab.close()
    const later = [tab.url(), tab.html(), tab.goto(at('/'), soon())].map(endOf)
    for (const end of await Promise.all([...waiting, ...later])) expect(end).toMatchObject({ code: 'browser_failed' })
    expect(await ask(browser, { group: 'a' }, 'document.title')).toBe('')
  })

  const faults: Readonly<Record<string, (tab: Tab) => Promise<unknown>>> = {
    'its page spins for ever': (tab) => tab.evaluate('for (;;);', AbortSignal.timeout(200)),
    'an address could not be visited': (tab) => tab.goto(new URL('http://localhost:1/'), soon()),
    'its page crashed': (tab) => tab.goto(new URL('chrome://crash'), soon()),
  }
  for (const [name, fault] of Object.entries(faults)) {
    test(`does the next one no harm when ${name}`, longIf(name !== 'its page crashed'), async () => {
      const { browser, pids } = start()
      const tab = await browser.open({ ...profile, group: 'a' }, soon())
      await tab.goto(at('/'), soon())
      await endOf(fault(tab))
      await tab.close()
      expect(await ask(browser, { group: 'a' }, 'document.body.textContent')).toBe('Home')
      expect(pids.length).toBe(1)
    })
  }
})

test(
  'a page that spins when its tab was closed already is found out soon, and another try mends it',
  { tags: ['long'] },
  async () => {
    const { browser, pids } = start()
    const visit = (): Promise<unknown> => ask(browser, { group: 'a' }, 'document.body.textContent')
    await ask(browser, { group: 'a' }, 'setTimeout(() => { for (;;); }, 5); 0')
    const first = await visit().catch((error: unknown) => error)
    // A slow machine may find out before the tab is opened.
    if (first !== 'Home') expect(first).toMatchObject({ code: 'browser_failed' })
    expect(await visit()).toBe('Home')
    expect(pids.length).toBe(1)
  },
)

describe('what waits for the next tab of its group', () => {
  const renderers = ([pid = 0]: readonly number[]): number => {
    const all = new Set(findByArgument('--type=renderer'))
    return listProcesses(pid).filter((one) => all.has(one.pid) && !one.isZombie).length
  }

  test('makes room when others need it, so that no more than the limit is ever there', { tags: ['long'] }, async () => {
    const { browser, pids } = start({ tabs: 2 })
    for (let word = 0; word < 6; word++) await ask(browser, { group: `s${word}` }, '1')
    const tabs = await Promise.all([1, 2].map(() => browser.open(profile, soon())))
    await Promise.all(tabs.map((tab) => tab.goto(at('/'), soon())))
    await expect.poll(() => renderers(pids)).toBeLessThanOrEqual(2)
    for (const tab of tabs) await tab.close()
  })

  test('is not used again when its browser has opened as many pages as it may', { tags: ['long'] }, async () => {
    const { browser, pids } = start({ recycle: { pages: 3 } })
    for (let times = 0; times < 3; times++) await ask(browser, { group: 'a' }, '1')
    await expect.poll(() => listProcesses(pids[0]).length).toBe(0)
    await ask(browser, { group: 'a' }, '1')
    expect(pids.length).toBe(2)
  })

  test('goes when the browser is closed', { tags: ['long'] }, async () => {
    const { browser, pids } = start()
    await ask(browser, { group: 'a' }, '1')
    await browser.close()
    await expect.poll(() => pids.flatMap((pid) => listProcesses(pid)).length).toBe(0)
  })
})
