// @module-tag long
// @module-tag browser
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { EngineError } from '@harvestman/ports'
import type { Browser, Tab } from '@harvestman/ports'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { findFolders } from '../src/chromium/folder.ts'
import { findByArgument, listProcesses, startOf } from '../src/chromium/processes.ts'
import { reap } from '../src/chromium/reap.ts'
import { plainBrowser } from '../../../test/plain-browser.ts'
import type { BrowserEvent, PuppeteerOptions } from '../src/index.ts'
import { pages } from './pages.ts'
import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

let site: Served
const closers: (() => unknown)[] = []
const atEnd: (() => unknown)[] = []

beforeAll(async () => {
  site = await serve(pages)
})

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

afterAll(async () => {
  for (const close of atEnd) await close()
  await site.close()
})

const at = (path: string): URL => new URL(`http://site.test:${site.port}${path}`)

interface Watched {
  readonly browser: Browser
  readonly events: readonly BrowserEvent[]
  /** The process of the browser that was started last. */
  readonly pid: number
}

function watched(options: PuppeteerOptions = {}, closedWith = closers): Watched {
  const events: BrowserEvent[] = []
  const browser = startBrowser({ tabs: 40, ...options, onEvent: (event) => events.push(event) })
  closedWith.push(browser.close)
  return {
    browser,
    events,
    get pid() {
      return events.findLast(({ kind }) => kind === 'started')?.pid ?? 0
    },
  }
}

/** The shells that watch over these browsers: tests beside this one have browsers, too. */
function wardensOf(browsers: readonly number[]): readonly number[] {
  const watching = new Set(browsers.flatMap((pid) => findByArgument(String(pid))))
  return findByArgument('harvestman-warden').filter((pid) => watching.has(pid))
}

/** Asks again and again, until it is so. */
async function until(what: string, isSo: () => boolean, within = 15_000): Promise<void> {
  const end = performance.now() + within
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`It did not come to this: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const codeOf = async (work: Promise<unknown>): Promise<unknown> => {
  const error = await errorOf(work)
  return EngineError.is(error) ? error.code : error
}

/** What of a group still runs, and what of it nobody has buried. */
const left = (pid: number): number => listProcesses(pid).length

function renderersOf(pid: number): readonly number[] {
  const renderers = new Set(findByArgument('--type=renderer'))
  return listProcesses(pid).flatMap((one) => (renderers.has(one.pid) ? [one.pid] : []))
}

async function goAndSee({ browser }: Watched): Promise<void> {
  await inTab(browser, {}, async (tab) => {
    await tab.goto(at('/plain'), soon())
    expect(await tab.html()).toContain('Plain')
  })
}

describe('a browser that breaks down', () => {
  test('killed with eight tabs open, ends all of them with a typed error, leaves nothing, and is replaced', async () => {
    const host = watched()
    const tabs = await Promise.all(Array.from({ length: 8 }, () => host.browser.open(profile, soon())))
    const { pid } = host
    const waiting = tabs.map((tab) => codeOf(tab.goto(at('/never'), soon())))
    process.kill(pid, 'SIGKILL')
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['browser_failed']))
    await Promise.all(tabs.map((tab) => tab.close()))
    await until('nothing of the browser is left', () => left(pid) === 0)
    await goAndSee(host)
    expect(host.pid).not.toBe(pid)
  })

  test('stopped, is found out, ended as a whole, and replaced', { tags: ['long'] }, async () => {
    const host = watched()
    const tab = await host.browser.open(profile, soon())
    const { pid } = host
    for (const one of listProcesses(pid)) process.kill(one.pid, 'SIGSTOP')
    expect(await codeOf(tab.goto(at('/plain'), soon(25_000)))).toBe('browser_failed')
    await tab.close()
    await until('nothing of the browser is left', () => left(pid) === 0)
    await goAndSee(host)
  })
})

describe('a browser in which a page breaks down', () => {
  let host: Watched

  beforeAll(() => {
    host = watched({}, atEnd)
  })

  // No page took the browser with it.
  afterEach(() => expect(host.events.filter(({ kind }) => kind === 'gone')).toEqual([]))

  test('with its page killed under it, fails that page alone', async () => {
    const [one, other] = [await host.browser.open(profile, soon()), await host.browser.open(profile, soon())]
    await other.goto(at('/plain'), soon())
    const others = renderersOf(host.pid)
    await one.goto(at('/plain'), soon())
    const [mine] = renderersOf(host.pid).filter((pid) => !others.includes(pid))
    const never = codeOf(one.evaluate('new Promise(() => {})', soon()))
    const target = mine ?? (await rendererOf(one, host))
    process.kill(target, 'SIGKILL')
    expect(await never).toBe('browser_failed')
    expect(await codeOf(one.html())).toBe('browser_failed')
    await one.close()
    expect(await other.html()).toContain('Plain')
    await other.close()
    await goAndSee(host)
  })

  test('with a page that takes all memory, fails that page alone', { tags: ['long'] }, async () => {
    await inTab(host.browser, {}, async (tab) => {
      await tab.goto(at('/plain'), soon())
      const greedy = 'const all = []; for (;;) all.push(new Array(5_000_000).fill(0))'
      // The bound on a page or the one on its heap, whichever is reached first.
      expect(await codeOf(tab.evaluate(greedy, soon()))).toMatch(/^(?:page_too_complex|browser_failed)$/)
    })
    await goAndSee(host)
  })

  test('whose page spins for ever, is free again when the tab is closed', async () => {
    const before = renderersOf(host.pid).length
    const tab = await host.browser.open(profile, soon())
    await tab.goto(at('/plain'), soon())
    expect(await codeOf(tab.evaluate('for (;;);', AbortSignal.timeout(300)))).toMatchObject({ name: 'TimeoutError' })
    await tab.close()
    await until('its renderer is gone', () => renderersOf(host.pid).length <= Math.max(before, 1))
    await goAndSee(host)
  })

  test('aborted at any moment, rejects with the reason', { tags: ['long'] }, async () => {
    const reason = new Error('enough')
    for (let delay = 0; delay < 200; delay += 20) {
      await inTab(host.browser, {}, async (tab) => {
        const controller = new AbortController()
        const timer = setTimeout(() => controller.abort(reason), delay)
        const work = (async () => {
          await tab.goto(at('/frames'), controller.signal)
          await tab.html(controller.signal)
          await tab.screenshot({ fullPage: true }, controller.signal)
          await tab.waitFor('#none', controller.signal)
        })()
        expect(await errorOf(work)).toBe(reason)
        clearTimeout(timer)
      })
    }
  })
})

/** When the process was there before: keeps it busy, and takes the one that works. */
async function rendererOf(tab: Tab, { pid }: Watched): Promise<number> {
  await tab.evaluate('window.hog = new Array(3e7).fill(1); 0', soon())
  const renderers = new Set(renderersOf(pid))
  return listProcesses(pid)
    .filter((one) => renderers.has(one.pid))
    .sort((a, b) => b.memory - a.memory)[0]!.pid
}

describe('a browser that cannot be started', () => {
  const script = (text: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'chromium')
    writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    return path
  }
  const cases: Readonly<Record<string, readonly [text: () => string, sentence: RegExp]>> = {
    'is not there': [() => '/nowhere/chromium', /does not exist/],
    'lacks a library': [
      () => script('echo "chromium: error while loading shared libraries: libnss3.so: cannot open" >&2; exit 127'),
      /library libnss3\.so is missing.*apt-get install/,
    ],
    'may not use its sandbox': [
      () => script('echo "FATAL: No usable sandbox!" >&2; exit 1'),
      /sandbox cannot be used here/,
    ],
    'ends at once': [() => script('exit 3'), /could not be started/],
  }
  for (const [name, [executablePath, sentence]] of Object.entries(cases)) {
    test(`because it ${name}: one sentence says so and what to do`, async () => {
      const browser = startBrowser({ executablePath: executablePath() })
      closers.push(browser.close)
      const error = await errorOf(browser.open(profile, soon()))
      expect(error).toMatchObject({ code: 'browser_failed', message: expect.stringMatching(sentence) })
    })
  }

  test('opens again when it can be started again', async () => {
    const real = await plainBrowser()
    const path = script('exit 3')
    const browser = startBrowser({ executablePath: path })
    closers.push(browser.close)
    expect(await codeOf(browser.open(profile, soon()))).toBe('browser_failed')
    writeFileSync(path, `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 })
    await (await browser.open(profile, soon())).close()
  })
})

describe('tabs', () => {
  test('beyond the limit wait in line, and give up with their signal', { tags: ['long'] }, async () => {
    const { browser } = watched({ tabs: 2 })
    const [one, other] = [await browser.open(profile, soon()), await browser.open(profile, soon())]
    expect(await codeOf(browser.open(profile, AbortSignal.timeout(100)))).toMatchObject({ name: 'TimeoutError' })
    let came = 0
    const waiting = [1, 2].map(() => browser.open(profile, soon()).then((tab) => ((came += 1), tab)))
    expect(came).toBe(0)
    await one.close()
    await until('one of them came', () => came === 1)
    await other.close()
    for (const tab of await Promise.all(waiting)) await tab.close()
  })

  test('given up while they open leave nothing behind', { tags: ['long'] }, async () => {
    const host = watched({ tabs: 4 })
    await goAndSee(host)
    for (const delay of [0, 1, 2, 4, 6, 8, 12, 16, 20, 25, 30]) await browserOpens(host.browser, delay)
    // All four are free again.
    const all = await Promise.all([1, 2, 3, 4].map(() => host.browser.open(profile, soon())))
    await Promise.all(all.map((tab) => tab.close()))
    await until('their renderers are gone', () => renderersOf(host.pid).length <= 1)
  })
})

async function browserOpens(browser: Browser, delay: number): Promise<void> {
  const opening = browser.open(profile, AbortSignal.timeout(delay))
  await opening.then(
    (tab) => tab.close(),
    () => undefined,
  )
}

describe('browsers', () => {
  test('are replaced after so many pages, when the last of them is closed', { tags: ['long'] }, async () => {
    const host = watched({ recycle: { pages: 3 } })
    const staying = await host.browser.open(profile, soon())
    const first = host.pid
    for (let count = 0; count < 3; count++) await goAndSee(host)
    await staying.goto(at('/plain'), soon())
    await staying.close()
    await until('the first was recycled', () => host.events.some(({ kind, pid }) => kind === 'gone' && pid === first))
    await goAndSee(host)
    expect(host.pid).not.toBe(first)
    await until('nothing of the first is left', () => left(first) === 0)
  })

  test('are ended when nobody needs them for a while', { tags: ['long'] }, async () => {
    const host = watched({ idle: 100 })
    await goAndSee(host)
    const { pid } = host
    await until('it was ended', () => host.events.some(({ kind }) => kind === 'idle'))
    await until('nothing of it is left', () => left(pid) === 0)
    await goAndSee(host)
  })

  test('leave nothing behind when they are closed', { tags: ['long'] }, async () => {
    const host = watched()
    await goAndSee(host)
    await inTab(host.browser, { pictures: false }, (tab) => tab.goto(at('/plain'), soon()))
    const pids = host.events.flatMap(({ kind, pid }) => (kind === 'started' && pid ? [pid] : []))
    expect(pids.length).toBe(2)
    expect(wardensOf(pids).length).toBe(2)
    await host.browser.close()
    for (const pid of pids) expect(listProcesses(pid).filter(({ isZombie }) => !isZombie)).toEqual([])
    await until('the system has buried them', () => pids.every((pid) => left(pid) === 0))
    expect(findFolders().filter(({ marker }) => pids.includes(marker.browser?.pid ?? 0))).toEqual([])
    await until('no shell watches any more', () => wardensOf(pids).length === 0)
    expect(await codeOf(host.browser.open(profile, soon()))).toBe('closed')
  })

  test('keep no process alive that has nothing else to do', { tags: ['long'] }, async () => {
    const child = helper(`
      const tab = await browser.open(profile, AbortSignal.timeout(20_000))
      await tab.close()
      console.log('done')
    `)
    expect(await ended(child)).toBe(0)
  })
})

/** Another process, with a browser of its own. */
function helper(code: string): ChildProcess {
  const source = `
    import { puppeteerBrowser } from ${JSON.stringify(fileURLToPath(new URL('../src/index.ts', import.meta.url)))}
    const profile = ${JSON.stringify(profile)}
    const guard = { checkUrl() {}, resolve: async () => ({ address: '127.0.0.1', family: 4 }) }
    const browser = puppeteerBrowser({ onEvent: ({ kind, pid }) => console.log(kind, pid) })(guard)
    ${code}
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closers.push(() => child.kill('SIGKILL'))
  return child
}

async function ended(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

/** The number of the browser that a helper started. */
async function startedBy(child: ChildProcess): Promise<number> {
  let text = ''
  for await (const chunk of child.stdout!) {
    text += String(chunk)
    const found = /started (\d+)[\s\S]*open/.exec(text)
    if (found) return Number(found[1])
  }
  throw new Error('The helper started no browser.')
}

describe('what is left of a process that was killed', () => {
  const opensOne = `
    const tab = await browser.open(profile, AbortSignal.timeout(20_000))
    console.log('open')
    setInterval(() => 0, 1000)
  `

  test('ends by itself, and so does its folder, with nothing else started', { tags: ['long'] }, async () => {
    const child = helper(opensOne)
    const pid = await startedBy(child)
    const folder = findFolders().find(({ marker }) => marker.browser?.pid === pid)!.path
    for (const one of listProcesses(pid)) process.kill(one.pid, 'SIGSTOP')
    child.kill('SIGKILL')
    await ended(child)
    await until('the browser is gone', () => left(pid) === 0, 5_000)
    await until('its folder is gone', () => !existsSync(folder), 5_000)
    await until('what saw to that is gone', () => findByArgument(folder).length === 0, 5_000)
  })

  test(
    'is ended by the next start where all that watched it was killed too, and nothing of others is',
    { tags: ['long'] },
    async () => {
      const child = helper(opensOne)
      const pid = await startedBy(child)
      const living = watched()
      await goAndSee(living)
      const foreign = await startForeign()
      const folder = findFolders().find(({ marker }) => marker.browser?.pid === pid)!.path
      for (const one of listProcesses(pid)) process.kill(one.pid, 'SIGSTOP')
      for (const warden of findByArgument(folder)) process.kill(warden, 'SIGKILL')
      child.kill('SIGKILL')
      await ended(child)
      expect(left(pid)).toBeGreaterThan(0)
      reap()
      await until('the orphan is gone', () => left(pid) === 0)
      expect(startOf(foreign.pid!)).toBeDefined()
      expect(left(living.pid)).toBeGreaterThan(0)
      await goAndSee(living)
    },
  )

  test('is not looked for in folders that have no marker of ours', () => {
    const parent = mkdtempSync(join(tmpdir(), 'harvestman-test-'))
    closers.push(() => rmSync(parent, { recursive: true, force: true }))
    const folder = mkdtempSync(join(parent, 'harvestman-browser-'))
    const broken = mkdtempSync(join(parent, 'harvestman-browser-'))
    writeFileSync(join(broken, 'owner.json'), 'nonsense')
    expect(reap(parent)).toEqual([])
    expect(readdirSync(parent).length).toBe(2)
    // A number that was given to another process since is not the process that was marked.
    writeFileSync(join(folder, 'owner.json'), JSON.stringify({ owner: { pid: process.pid, started: 'long ago' } }))
    expect(reap(parent)).toEqual([folder])
  })
})

/** The browser of somebody else, started with the same program. */
async function startForeign(): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'))
  const child = spawn(
    await plainBrowser(),
    ['--headless', '--no-sandbox', `--user-data-dir=${folder}`, '--remote-debugging-port=0'],
    { stdio: 'ignore', detached: true },
  )
  closers.push(async () => {
    process.kill(-child.pid!, 'SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return child
}
