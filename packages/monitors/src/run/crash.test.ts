// Engines that end at any point, clocks that are set, and several engines on one store: each time of a schedule has one check.
import { memoryStore } from '@harvestman/core'
import { EngineError, type Store } from '@harvestman/ports'
import { movedClock, scriptedLLM, type MovedClock } from '@harvestman/testing'
import { uuidv7 } from '@harvestman/toolbox/uuid'
import { describe, expect, test } from 'vitest'

import { longIf } from '../../../../scripts/long-tests.ts'
import { day, house, pageOf, type Pages } from '../fixtures/house.ts'
import { monitorRecords } from '../records/monitor.ts'

const urls = ['/a', '/b', '/c'].map((path) => `https://shop.test${path}`)
const schedule = { text: 'daily', jitter: 0 }
const monitor = { name: 'All', goal: 'All changes', schedule, targets: [{ type: 'scrape' as const, urls }] }
const judgment = { meaningful: true, confidence: 'high', reason: 'It matters.', meaningfulChanges: [] }
const llm = scriptedLLM([{ value: judgment }])
// What another engine left is taken up when its lease has run out, which is looked at by the time of the machine.
const limits = { leaseTime: 1_000 }
const timeout = 60_000
const nap = () => new Promise((resolve) => setTimeout(resolve, 2))

/** A store that fails for good after so many calls, as one does whose process was killed. */
function mortal(store: Store, calls: number): { readonly store: Store; readonly isDead: () => boolean } {
  let left = calls
  const isDead = (): boolean => left <= 0
  const proxy = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'close') return value
      return async (...given: unknown[]) => {
        if (isDead()) throw new EngineError('store_failed', 'The store is gone.')
        left -= 1
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
  return { store: proxy, isDead }
}

async function until(clock: MovedClock, step: number, isDone: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + timeout
  while (performance.now() < end) {
    if (await isDone()) return
    clock.moveOn(step)
    await nap()
  }
  throw new Error('It did not come to that.')
}

/** Works on what is there until no check is open, with as many engines as that takes. */
async function finish(clock: MovedClock, store: Store, pages: Pages, id: string, checks: number): Promise<void> {
  const { engine } = house({ clock, store, pages, limits, llm })
  engine.monitors.start()
  await until(clock, 1_000, async () => {
    const { currentCheckId } = await engine.monitors.get(id)
    const found = await engine.monitors.checks(id, { limit: 100 })
    return currentCheckId === null && found.length >= checks
  })
  await engine.close()
}

async function statusesOf(store: Store, clock: MovedClock, id: string) {
  const { engine } = house({ clock, store })
  const checks = (await engine.monitors.checks(id, { limit: 100 })).toReversed()
  const found = await Promise.all(
    checks.map(async (check) => {
      const { pages } = await engine.monitors.check(id, check.id)
      const entries = pages.map((page) => [new URL(page.url).pathname, page.status] as const)
      return {
        for: check.scheduledFor?.slice(0, 10),
        status: check.status,
        pages: Object.fromEntries(entries),
        count: pages.length,
        credits: check.actualCredits,
      }
    }),
  )
  await engine.close()
  return found
}

describe('an engine that is killed in a check', () => {
  for (const calls of [8, 20, 32, 44, 56, 70, 84, 122])
    test(
      `after ${calls} calls of its store loses nothing, and does nothing twice`,
      longIf([32, 44].includes(calls)),
      async () => {
        const clock = movedClock()
        const store = memoryStore({ clock })
        const pages: Pages = { '/a': pageOf('One.'), '/b': pageOf('Two.'), '/c': pageOf('Three.') }
        const first = house({ clock, store, pages, llm })
        const { id } = await first.engine.monitors.create(monitor)
        await first.engine.close()
        clock.moveOn(day)
        await finish(clock, store, pages, id, 1)
        pages['/a'] = pageOf('One, and changed.')
        pages['/b'] = 410
        const dying = mortal(store, calls)
        const second = house({ clock, store: dying.store, pages, limits, llm })
        clock.moveOn(Date.parse('2026-01-03') - clock.now() + 1)
        second.engine.monitors.start()
        for (let count = 0; count < 2_000 && !dying.isDead(); count += 1) await nap()
        expect(dying.isDead()).toBe(true)
        await second.engine.close().catch(() => undefined)
        await finish(clock, store, pages, id, 2)
        clock.moveOn(Date.parse('2026-01-04') - clock.now() + 1)
        await finish(clock, store, pages, id, 3)
        const same = { '/a': 'same', '/b': 'same', '/c': 'same' }
        expect(await statusesOf(store, clock, id)).toEqual([
          {
            for: '2026-01-02',
            status: 'completed',
            pages: { '/a': 'new', '/b': 'new', '/c': 'new' },
            count: 3,
            credits: 3,
          },
          {
            for: '2026-01-03',
            status: 'completed',
            pages: { '/a': 'changed', '/b': 'removed', '/c': 'same' },
            count: 3,
            credits: 4,
          },
          { for: '2026-01-04', status: 'completed', pages: same, count: 3, credits: 3 },
        ])
      },
    )
})

test('a check whose job the store has lost starts it again, and reads all pages', async () => {
  const clock = movedClock()
  const whole = memoryStore({ clock })
  const jobs = new Set<string>()
  let isLost = false
  // Until the job is written again, nothing of it is there.
  const store = new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]) => {
        const key = String(given[0])
        if (/^job\/[^/]+$/.test(key) && name !== 'get' && name !== 'delete') jobs.add(key)
        if (jobs.has(key) && name === 'get' && !isLost) {
          isLost = true
          return whole.delete(key).then(() => undefined)
        }
        return Reflect.apply(value, target, given) as unknown
      }
    },
  })
  const pages: Pages = { '/a': pageOf('One.'), '/b': pageOf('Two.'), '/c': pageOf('Three.') }
  const { engine } = house({ clock, store, pages, limits })
  const { id } = await engine.monitors.create(monitor)
  await engine.close()
  clock.moveOn(day)
  await finish(clock, store, pages, id, 1)
  expect(isLost).toBe(true)
  const all = { '/a': 'new', '/b': 'new', '/c': 'new' }
  expect(await statusesOf(whole, clock, id)).toEqual([
    { for: '2026-01-02', status: 'completed', pages: all, count: 3, credits: 3 },
  ])
})

test('a check whose job is lost as a whole is started again before the next due time', async () => {
  const clock = movedClock()
  const store = memoryStore({ clock })
  const pages: Pages = { '/a': pageOf('One.'), '/b': pageOf('Two.'), '/c': pageOf('Three.') }
  const { engine } = house({ clock, store, pages, limits })
  const { id, nextRunAt } = await engine.monitors.create(monitor)
  await engine.close()
  const current = {
    id: uuidv7(clock.now()),
    trigger: 'manual',
    scheduledFor: null,
    createdAt: clock.now(),
    missed: 0,
  } as const
  await monitorRecords(store).update(id, (record) => ({ ...record, current }))
  await finish(clock, store, pages, id, 1)
  expect(clock.now()).toBeLessThan(Date.parse(nextRunAt ?? ''))
  expect(await statusesOf(store, clock, id)).toMatchObject([{ status: 'completed', count: 3 }])
})

test.each([
  { by: 'text', formats: ['markdown'], change: {} },
  {
    by: 'values',
    formats: [{ type: 'attributes', selectors: [{ selector: 'p', attribute: 'title' }] }],
    change: { values: ['attributes'] },
  },
])(
  'a check whose pages the store has lost compares again by $by with the check before',
  async ({ formats, change }) => {
    const clock = movedClock()
    const store = memoryStore({ clock })
    const titled = (text: string): string => pageOf(`${text}<p title="${text}"></p>`)
    const pages: Pages = { '/a': titled('One.'), '/b': titled('Two.'), '/c': titled('Three.') }
    const { engine } = house({ clock, store, pages, limits })
    const targets = [{ type: 'scrape' as const, urls, scrapeOptions: { formats } }]
    const { id } = await engine.monitors.create({ ...monitor, change, targets })
    await engine.close()
    clock.moveOn(day)
    await finish(clock, store, pages, id, 1)
    pages['/a'] = titled('One, and changed.')
    const lose = async (): Promise<number> => {
      let count = 0
      for await (const some of store.scan!('monitors/pages/')) {
        for (const { key } of some.filter(({ value }) => JSON.stringify(value).includes('changed'))) {
          count += 1
          await store.delete(key)
        }
      }
      return count
    }
    let lost: Promise<number> | undefined
    // As soon as the first page is remembered for the next check.
    const losing: Store = {
      ...store,
      update: async (key, ...given) => {
        const kept = await store.update(key, ...given)
        if (key.startsWith('monitors/page/')) await (lost ??= lose())
        return kept
      },
    }
    clock.moveOn(Date.parse('2026-01-03') - clock.now() + 1)
    await finish(clock, losing, pages, id, 2)
    expect(await lost).toBe(1)
    const changed = { '/a': 'changed', '/b': 'same', '/c': 'same' }
    expect((await statusesOf(store, clock, id)).at(-1)).toMatchObject({ status: 'completed', pages: changed, count: 3 })
  },
)

test('of several engines on one store one begins each check, also when clocks are set forth and back', async () => {
  const clock = movedClock()
  const store = memoryStore({ clock })
  const pages: Pages = { '/a': pageOf('One.'), '/b': pageOf('Two.'), '/c': pageOf('Three.') }
  const engines = [1, 2, 3].map(() => house({ clock, store, pages }).engine)
  const [first] = engines
  const { id } = await first!.monitors.create(monitor)
  for (const engine of engines) engine.monitors.start()
  for (const jump of [0, day, -2 * day, 3 * day, -day]) {
    clock.jump(jump)
    clock.moveOn(day)
    for (let count = 0; count < 10; count += 1) await nap()
    await until(clock, 10, async () => (await first!.monitors.get(id)).currentCheckId === null)
  }
  const checks = await first!.monitors.checks(id, { limit: 100 })
  const { skippedRuns, nextRunAt } = await first!.monitors.get(id)
  for (const engine of engines) await engine.close()
  const times = checks.map(({ scheduledFor }) => scheduledFor)
  expect(new Set(times).size).toBe(times.length)
  // Times that come again after the clock was set back are checked once, and may have been counted as skipped before.
  const passed = (Date.parse(nextRunAt ?? '') - Date.parse('2026-01-02')) / day
  expect(checks.length + skippedRuns).toBeGreaterThanOrEqual(passed)
  expect(Date.parse(nextRunAt ?? '') - clock.now()).toBeLessThanOrEqual(day)
})
