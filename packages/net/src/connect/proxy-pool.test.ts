import { EngineError, type Clock, type PickedProxy, type ProxyRequest, type ProxyResult } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { makeProxyPool, type PooledProxy } from './proxy-pool.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

type Spec = Partial<Omit<PooledProxy, 'name'>>

/** A pool with a clock that moves only with `pass`. */
function bench(specs: Readonly<Record<string, Spec>>, budgets: Parameters<typeof makeProxyPool>[1] = {}) {
  let now = Date.UTC(2026, 0, 31, 22, 30)
  const clock: Clock = { now: () => now, sleep: async () => undefined }
  const memberOf = (name: string, spec: Spec): PooledProxy => ({
    ...{ name, tier: 'basic', url: `http://${name}`, country: undefined },
    ...spec,
  })
  const members = Object.entries(specs).map(([name, spec]) => memberOf(name, spec))
  const pool = makeProxyPool(members, budgets, clock)
  const pick = (request: Partial<ProxyRequest> = {}): PickedProxy => {
    const picked = pool.pick({ tier: 'basic', country: 'US', host: 'a.example', ...request })
    if (!picked) throw new Error('no proxy')
    return picked
  }
  /** Picks a proxy, reports the result, and returns its name. */
  const use = (result: ProxyResult | ((name: string) => ProxyResult) = ok(), request: Partial<ProxyRequest> = {}) => {
    const picked = pick(request)
    const name = nameOf(picked)
    picked.report?.(typeof result === 'function' ? result(name) : result)
    return name
  }
  const times = <Result>(count: number, work: () => Result) => Array.from({ length: count }, work)
  const pass = (ms: number) => void (now += ms)
  const statusOf = (name: string) => pool.status().find((status) => status.name === name)!
  return { pool, pick, use, times, pass, statusOf, now: () => now }
}

const nameOf = ({ url }: PickedProxy) => url.replace('http://', '')
const ok = (latency?: number): ProxyResult => ({ outcome: 'ok', latency })
const outcomeFor =
  (bad: string, outcome: ProxyResult['outcome']) =>
  (name: string): ProxyResult => ({ outcome: name === bad ? outcome : 'ok' })
const count = (names: readonly string[], name: string) => names.filter((one) => one === name).length

test('healthy proxies take turns', () => {
  const { use, times } = bench({ a: {}, b: {}, c: {} })
  expect(times(6, () => use())).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
})

test('a proxy that is down is not used for any host during its cool-down', () => {
  const { use, times, statusOf, now } = bench({ a: {}, b: {} })
  expect(use({ outcome: 'down' })).toBe('a')
  expect(times(4, () => use(ok(), { host: 'other.example' }))).toEqual(['b', 'b', 'b', 'b'])
  expect(statusOf('a')).toMatchObject({ state: 'resting', until: now() + 10 * second })
})

test('after a cool-down one request probes the proxy, and the others wait for its result', () => {
  const { use, pick, times, pass, statusOf } = bench({ a: {}, b: {} })
  use({ outcome: 'down' })
  pass(10 * second)
  expect(statusOf('a').state).toBe('probing')
  const picked = times(6, () => pick())
  expect(count(picked.map(nameOf), 'a')).toBe(1)
  picked.find((one) => nameOf(one) === 'a')?.report?.(ok())
  expect(statusOf('a').state).toBe('ready')
  expect(times(6, () => use())).toContain('a')
})

test('each failed probe doubles the cool-down, up to ten minutes', () => {
  const { pick, pass, statusOf, now } = bench({ a: {} })
  const rests: number[] = []
  for (let round = 0; round < 9; round += 1) {
    pick().report?.({ outcome: 'down' })
    const { until = 0 } = statusOf('a')
    rests.push((until - now()) / second)
    pass(until - now())
  }
  expect(rests).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600])
  pick().report?.(ok())
  pick().report?.({ outcome: 'down' })
  expect(statusOf('a').until).toBe(now() + 10 * second)
})

test('requests that were in progress when a proxy went down count once', () => {
  const { times, pick, statusOf, now } = bench({ a: {} })
  for (const picked of times(5, () => pick())) picked.report?.({ outcome: 'down' })
  expect(statusOf('a').until).toBe(now() + 10 * second)
})

test('a success of a request from before the cool-down does not end it', () => {
  const { pick, statusOf } = bench({ a: {} })
  const [early, late] = [pick(), pick()]
  late.report?.({ outcome: 'down' })
  early.report?.(ok())
  expect(statusOf('a').state).toBe('resting')
})

test('a probe that is cancelled or never reported lets another request probe', () => {
  const { use, pick, pass, times } = bench({ a: {}, b: {} })
  use({ outcome: 'down' })
  pass(10 * second)
  const probe = times(6, () => pick()).find((one) => nameOf(one) === 'a')
  expect(times(6, () => use())).not.toContain('a')
  probe?.report?.({ outcome: 'unknown' })
  expect(
    count(
      times(6, () => nameOf(pick())),
      'a',
    ),
  ).toBe(1)
  pass(minute)
  expect(
    count(
      times(6, () => nameOf(pick())),
      'a',
    ),
  ).toBe(1)
})

test('a host that blocks a proxy bans it for itself only', () => {
  const { use, times, statusOf } = bench({ a: {}, b: {} })
  expect(use({ outcome: 'blocked' })).toBe('a')
  expect(times(3, () => use())).toEqual(['b', 'b', 'b'])
  expect(times(4, () => use(ok(), { host: 'other.example' }))).toContain('a')
  expect(statusOf('a')).toMatchObject({ state: 'ready', bans: 1 })
})

test('the ban lasts at least as long as the host requests, and a page ends it', () => {
  const { use, times, pass, statusOf } = bench({ a: {}, b: {} })
  use({ outcome: 'blocked', retryAfter: 5 * minute })
  pass(5 * minute - 1)
  expect(times(4, () => use())).not.toContain('a')
  pass(1)
  expect(times(4, () => use())).toContain('a')
  expect(statusOf('a').bans).toBe(0)
})

test('a host cannot ban a proxy for longer than an hour', () => {
  const { use, times, pass } = bench({ a: {}, b: {} })
  use({ outcome: 'blocked', retryAfter: 1e12 })
  pass(hour)
  expect(times(4, () => use())).toContain('a')
})

test('one failure at a host is no ban, two in a row are', () => {
  const { use, times, statusOf } = bench({ a: {}, b: {} })
  times(2, () => use(outcomeFor('a', 'failed')))
  expect(statusOf('a').bans).toBe(0)
  times(4, () => use(outcomeFor('a', 'failed')))
  expect(statusOf('a')).toMatchObject({ bans: 1, state: 'ready' })
})

test('a proxy through which three hosts in a row are not reached is down', () => {
  const { pick, statusOf } = bench({ a: {} })
  for (const host of ['a.example', 'b.example', 'b.example']) pick({ host }).report?.({ outcome: 'failed' })
  expect(statusOf('a').state).toBe('ready')
  pick({ host: 'c.example' }).report?.({ outcome: 'failed' })
  expect(statusOf('a').state).toBe('resting')
})

test('if no proxy is usable, the one is used whose cool-down ends first, and banned ones before those that are down', () => {
  const { use, pass } = bench({ a: {}, b: {}, c: {} })
  expect(use({ outcome: 'down' })).toBe('a')
  pass(second)
  expect(use({ outcome: 'down' })).toBe('b')
  expect(use({ outcome: 'blocked' })).toBe('c')
  expect(use({ outcome: 'blocked' })).toBe('c')
  const dead = bench({ a: {}, b: {} })
  dead.use({ outcome: 'down' })
  dead.pass(second)
  dead.use({ outcome: 'down' })
  expect(dead.use()).toBe('a')
})

test('if a host has banned all proxies, the one is used whose ban ends first', () => {
  const { use, pass } = bench({ a: {}, b: {}, c: {} })
  const banned = (name: string): ProxyResult => ({
    outcome: 'blocked',
    retryAfter: name === 'b' ? 2 * minute : 9 * minute,
  })
  for (let turn = 0; turn < 3; turn += 1) use(banned)
  pass(second)
  expect(use({ outcome: 'unknown' })).toBe('b')
})

test('a proxy that is slow at other hosts gets few requests of a new host', () => {
  const { use, times } = bench({ a: {}, b: {} })
  const slow = (name: string) => ok(name === 'b' ? 900 : 30)
  times(20, () => use(slow))
  let index = 0
  const names = times(100, () => use(slow, { host: `${index++}.example` }))
  expect(count(names, 'b')).toBeLessThan(15)
})

test('fast proxies get most requests, and slow ones enough to notice that they have become fast', () => {
  const { use, times } = bench({ a: {}, b: {}, c: {} })
  const slow = (name: string) => ok(name === 'c' ? 900 : 30)
  times(30, () => use(slow))
  const later = times(200, () => use(slow))
  expect(count(later, 'c')).toBeGreaterThan(0)
  expect(count(later, 'c')).toBeLessThan(20)
  times(1_500, () => use(() => ok(30)))
  expect(
    count(
      times(90, () => use(() => ok(30))),
      'c',
    ),
  ).toBeGreaterThan(20)
})

test('proxies that often fail get fewer requests', () => {
  const { use, times } = bench({ a: {}, b: {} })
  let turn = 0
  const shaky = (name: string): ProxyResult => ({ outcome: name === 'b' && turn++ % 2 === 0 ? 'failed' : 'ok' })
  const names = times(400, () => use(shaky))
  expect(count(names, 'b')).toBeLessThan(130)
  expect(count(names, 'b')).toBeGreaterThan(10)
})

test('a session keeps its proxy for a host while it works, and then keeps another one', () => {
  const { use, times } = bench({ a: {}, b: {}, c: {} })
  const [one, two] = [{ session: 'one' }, { session: 'two' }]
  expect(times(4, () => [use(ok(), one), use(ok(), two)])).toEqual(times(4, () => ['a', 'b']))
  expect(use({ outcome: 'blocked' }, one)).toBe('a')
  const next = use(ok(), one)
  expect(next).not.toBe('a')
  expect(new Set(times(6, () => use(ok(), one)))).toEqual(new Set([next]))
})

test('a session has the same proxy for a live browser without a host and for the pages of a host', () => {
  const { pick, use } = bench({ a: {}, b: {}, c: {} })
  const [one, two] = [{ session: 'one' }, { session: 'two' }]
  const open = (request: object) => nameOf(pick({ ...request, host: undefined }))
  expect([open(one), use(ok()), use(ok(), one), use(ok(), { ...one, host: 'b.example' })]).toEqual(['a', 'b', 'a', 'a'])
  const page = use(ok(), two)
  expect(page).not.toBe('a')
  expect([use(ok()), open(two), use(ok(), two)]).toEqual([expect.anything(), page, page])
})

test('proxies of the country are used before those without one, and those of others never', () => {
  const { pool, use, times } = bench({ de: { country: 'DE' }, any: {}, fr: { country: 'FR' } })
  expect(times(2, () => use(ok(), { country: 'de' }))).toEqual(['de', 'de'])
  expect(times(2, () => use(ok(), { country: 'US' }))).toEqual(['any', 'any'])
  use({ outcome: 'down' }, { country: 'DE' })
  expect(use(ok(), { country: 'DE' })).toBe('de')
  expect(pool.pick({ tier: 'enhanced', country: 'US' })).toBeUndefined()
})

function failureOf(work: () => unknown): EngineError {
  try {
    work()
  } catch (error) {
    if (EngineError.is(error)) return error
  }
  throw new Error('did not fail')
}

test('a proxy whose requests are used up is not picked until the next period', () => {
  const { use, pick, times, pass, statusOf } = bench({ a: { budget: { per: 'hour', requests: 2 } }, b: {} })
  expect(
    count(
      times(10, () => use()),
      'a',
    ),
  ).toBe(2)
  expect(statusOf('a')).toMatchObject({ state: 'spent', until: Date.UTC(2026, 0, 31, 23) })
  pass(30 * minute)
  expect(times(4, () => nameOf(pick()))).toContain('a')
})

test.each([
  ['hour', Date.UTC(2026, 0, 31, 23)],
  ['day', Date.UTC(2026, 1, 1)],
  ['month', Date.UTC(2026, 1, 1)],
] as const)('a tier whose budget of a %s is used up is an error that states when it begins again', (per, end) => {
  const { use, pick } = bench({ a: {}, b: {} }, { basic: { per, requests: 3 } })
  for (let turn = 0; turn < 3; turn += 1) use()
  const error = failureOf(() => pick())
  const resetsAt = new Date(end).toISOString()
  expect(error).toMatchObject({ code: 'proxy_budget_exceeded', details: { tier: 'basic', resetsAt } })
  expect(error.message).toContain(resetsAt)
})

test('bytes and costs count against budgets', () => {
  const price = { request: 0.5, gigabyte: 2 }
  const { pick, statusOf } = bench({
    a: { price, budget: { per: 'day', cost: 3 } },
    b: { budget: { per: 'day', bytes: 10 } },
  })
  const [a, b] = [pick(), pick()]
  b.onBytes?.(9)
  expect(statusOf('b').state).toBe('ready')
  b.onBytes?.(1)
  expect(statusOf('b')).toMatchObject({ state: 'spent', bytes: 10 })
  a.onBytes?.(1_000_000_000)
  expect(statusOf('a')).toMatchObject({ state: 'ready', cost: 2.5 })
  expect(nameOf(pick())).toBe('a')
  expect(failureOf(() => pick()).code).toBe('proxy_budget_exceeded')
})

test('the status counts requests by outcome, each report once, and has no credentials', () => {
  const { pick, use, pool } = bench({ a: { url: 'http://user:secret@a' } })
  const picked = pick()
  for (let turn = 0; turn < 3; turn += 1) picked.report?.(ok(40))
  use({ outcome: 'blocked' })
  pick()
  const [status] = pool.status()
  expect(status).toMatchObject({
    requests: 3,
    outcomes: { ok: 1, blocked: 1, failed: 0, down: 0, unknown: 0 },
    latency: 40,
  })
  expect(JSON.stringify(pool.status())).not.toContain('secret')
})

test('the memory for hosts is bounded: the least recently used are forgotten first', () => {
  const { use, times } = bench({ a: {}, b: {} })
  use({ outcome: 'blocked' }, { host: 'old.example' })
  for (let index = 0; index < 2_500; index += 1) use(ok(), { host: `${index}.example` })
  expect(times(2, () => use(ok(), { host: 'old.example' }))).toContain('a')
})
