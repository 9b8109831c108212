// @module-tag browser
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { findPlaces } from '@harvestman/toolbox/control-groups/places'
import type { Browser, Tab } from '@harvestman/ports'
import { beforeEach, expect, test } from 'vitest'

import { listProcesses } from '../src/chromium/processes.ts'
import { browserBounds, puppeteerSessions, type BrowserEvent, type PuppeteerOptions } from '../src/index.ts'
import { localGuard } from './guard.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

const { controllers, obstacle } = browserBounds()

beforeEach(({ skip }) => {
  if (obstacle) skip(`browsers have no control groups here: ${obstacle.reason}`)
})

const memory = 500_000_000
const folders = [...new Set(controllers.flatMap((name) => findPlaces()(name)?.folder ?? []))]

/** Those that a process has made, wherever they are; in the second version beside the group that it has moved into. */
function groups(of = process.pid): string[] {
  return [...folders, ...folders.map((folder) => join(folder, '..'))].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('harvestman-') && name.includes(`-${of}-`))
      .map((name) => join(folder, name)),
  )
}

function read(group: string, file: string): string | undefined {
  return existsSync(join(group, file)) ? readFileSync(join(group, file), 'utf8').trim() : undefined
}

async function withBrowser<Value>(
  options: PuppeteerOptions,
  work: (browser: Browser) => Promise<Value>,
): Promise<Value> {
  const browser = startBrowser(options)
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Buffers, which are no part of the heap of scripts. */
const takes = (bytes: number): string =>
  `globalThis.held ??= []; for (let n = 0; n < ${bytes / 10_000_000}; n++) held.push(new Uint8Array(10_000_000).fill(1)); 'took it'`

const take = (tab: Tab, bytes: number): Promise<unknown> => tab.evaluate(takes(bytes), soon())

test('all processes of a browser are in a group of its own, which is removed with it', async () => {
  const events: BrowserEvent[] = []
  await withBrowser({ onEvent: (event) => events.push(event), limits: { memory, processes: 4_321 } }, (browser) =>
    inTab(browser, {}, async () => {
      const pid = events.find(({ kind }) => kind === 'started')?.pid ?? 0
      const all = listProcesses(pid).map((one) => one.pid)
      expect(all.length).toBeGreaterThan(2)
      expect(groups()).toHaveLength(folders.length)
      for (const group of groups()) {
        const inside = read(group, 'cgroup.procs')?.split('\n').map(Number) ?? []
        expect(all.filter((one) => !inside.includes(one))).toEqual([])
      }
      expect(groups().flatMap((group) => read(group, 'pids.max') ?? [])).toEqual(['4321'])
    }),
  )
  expect(groups()).toEqual([])
})

test(
  'the page that takes a browser past its bound is told so, and a browser beside it keeps its page',
  { tags: ['long'] },
  async () => {
    // What one page may have is no bound here.
    const options = { pageMemory: 20_000_000_000, limits: { memory } }
    await withBrowser(options, (other) =>
      inTab(other, {}, async (beside) => {
        await take(beside, 100_000_000)
        await withBrowser(options, async (browser) => {
          const error: unknown = await inTab(browser, {}, (tab) => take(tab, 2_000_000_000)).catch(
            (one: unknown) => one,
          )
          expect(error).toMatchObject({
            code: 'page_too_complex',
            message: expect.stringMatching(/exceeded its memory limit/) as string,
          })
          expect(await inTab(browser, {}, (tab) => tab.evaluate('40 + 2', soon()))).toBe(42)
        })
        expect(await beside.evaluate('held.length', soon())).toBe(10)
      }),
    )
    expect(groups()).toEqual([])
  },
)

test(
  'pages that are each within their bound are ended when the browser as a whole is not',
  { tags: ['long'] },
  async () => {
    await withBrowser({ tabs: 4, pageMemory: 400_000_000, limits: { memory: 600_000_000 } }, async (browser) => {
      const tabs = await Promise.all([1, 2, 3].map(() => browser.open(profile, soon())))
      // A page that has its memory already may be ended for another one.
      const taken = await Promise.allSettled(tabs.map((tab) => take(tab, 250_000_000)))
      const ends = await Promise.allSettled(
        tabs.map((tab, at) => {
          const { status, reason } = taken[at] as PromiseRejectedResult
          return status === 'rejected' ? Promise.reject(reason as Error) : tab.evaluate('1', soon())
        }),
      )
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
      expect(reasons.length).toBeGreaterThan(0)
      for (const reason of reasons)
        expect(reason).toMatchObject({ message: expect.stringMatching(/its memory limit/) as string })
      await Promise.all(tabs.map((tab) => tab.close()))
    })
  },
)

test('each live browser has a group of its own', { tags: ['long'] }, async () => {
  const sessions = puppeteerSessions({ limits: { memory } })(localGuard())
  try {
    const wish = { team: 'one', profile }
    const [one] = await Promise.all([sessions.open(wish, soon()), sessions.open(wish, soon())])
    expect(groups()).toHaveLength(2 * folders.length)
    await one.close()
    expect(groups()).toHaveLength(folders.length)
  } finally {
    await sessions.close()
  }
  expect(groups()).toEqual([])
})

test('the group of a browser whose process was killed is removed', { tags: ['long'] }, async () => {
  const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    import { startBrowser, profile, soon } from ${here('./setup.ts')}
    await startBrowser().open(profile, soon())
    console.log('open')
    process.kill(process.pid, 'SIGKILL')
  `
  const { pid, signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 90_000,
    encoding: 'utf8',
  })
  expect({ signal, stdout }).toEqual({ signal: 'SIGKILL', stdout: 'open\n' })
  await expect.poll(() => groups(pid), { timeout: 10_000 }).toEqual([])
})

test('when the kernel ends the browser itself, each of its pages is told why', { tags: ['long'] }, async () => {
  const events: BrowserEvent[] = []
  const options = {
    pageMemory: 20_000_000_000,
    limits: { memory },
    onEvent: (event: BrowserEvent) => events.push(event),
  }
  await withBrowser(options, async (browser) => {
    const [greedy, beside] = [await browser.open(profile, soon()), await browser.open(profile, soon())]
    const pid = events.find(({ kind }) => kind === 'started')?.pid ?? 0
    // Chromium asks the kernel to take pages first.
    for (const one of listProcesses(pid))
      writeFileSync(`/proc/${one.pid}/oom_score_adj`, one.pid === pid ? '1000' : '0')
    const waits = expect(beside.evaluate('new Promise(() => undefined)', soon())).rejects.toMatchObject({
      code: 'browser_failed',
      message: expect.stringMatching(/exceeded its memory limit, and it was ended/) as string,
    })
    await expect(take(greedy, 2_000_000_000)).rejects.toThrow(/its memory limit/)
    await waits
    await Promise.all([greedy.close(), beside.close()])
    expect(await inTab(browser, {}, (tab) => tab.evaluate('40 + 2', soon()))).toBe(42)
  })
})
