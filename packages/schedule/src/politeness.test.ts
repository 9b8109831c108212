import { expect, test } from 'vitest'

import { retryAfter } from '@harvestman/toolbox/retry-after'
import {
  countEnd,
  isDown,
  makePace,
  mayStart,
  obeyCrawlDelay,
  countStart,
  type Pace,
  type HostAnswer,
} from './politeness.ts'

const manners = { atOnce: 4, pause: 100, maxRest: 60_000 }
const noon = Date.UTC(2026, 0, 1, 12)

/** Visits the host once, as soon as it may be. */
function visit(pace: Pace, now: number, outcome: HostAnswer): number {
  const start = Math.max(now, pace.nextStart)
  countStart(pace, start)
  countEnd(pace, start + 10, { latency: 10, status: 200, ...outcome })
  return start + 10
}

test('starts wait for the pause, and never exceed the number at once', () => {
  const pace = makePace(manners)
  countStart(pace, 0)
  expect([mayStart(pace, 99), mayStart(pace, 100)]).toEqual([false, true])
  for (const now of [100, 200, 300]) countStart(pace, now)
  expect(mayStart(pace, 1000)).toBe(false)
  countEnd(pace, 1000, { status: 200 })
  expect(mayStart(pace, 1000)).toBe(true)
})

test('the pause after a visit that was begun late counts from its request', () => {
  const pace = makePace(manners)
  obeyCrawlDelay(pace, 1000)
  countStart(pace, 0)
  countEnd(pace, 350, { status: 200, latency: 50 })
  expect([mayStart(pace, 1299), mayStart(pace, 1300)]).toEqual([false, true])
  countStart(pace, 1300)
  countEnd(pace, 9000, { status: 200, latency: 50 })
  expect(mayStart(pace, 9000)).toBe(true)
})

test('a crawl delay makes it one at a time with that pause, up to half a minute', () => {
  const pace = makePace(manners)
  obeyCrawlDelay(pace, 1000)
  countStart(pace, 0)
  expect(mayStart(pace, 5000)).toBe(false)
  countEnd(pace, 100, { status: 200 })
  expect([mayStart(pace, 999), mayStart(pace, 1000)]).toEqual([false, true])
  obeyCrawlDelay(pace, 3_600_000)
  expect(pace.pause).toBe(30_000)
  for (let number = 0; number < 50; number += 1) visit(pace, 0, {})
  expect(pace.atOnce).toBe(1)
})

test.each([
  ['seconds', '7', 7000],
  ['a date', new Date(noon + 9000).toUTCString(), 9000],
  ['ten years', String(10 * 365 * 86_400), 60_000],
  ['a date in the past', 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['nonsense', 'soon', 1000],
  ['a negative number', '-5', 1000],
  ['nothing', undefined, 1000],
])('a 429 with %s in Retry-After keeps the host shut for so long, and no longer', (_, header, rest) => {
  const pace = makePace({ ...manners, pause: 0 })
  countStart(pace, noon)
  countEnd(pace, noon, { status: 429, retryAfter: retryAfter(header, noon) })
  expect(pace.nextStart - noon).toBe(rest)
  expect(pace.atOnce).toBe(2)
})

test('each further 503 without a hint doubles the rest, up to the longest; a good answer ends that', () => {
  const pace = makePace({ ...manners, pause: 0 })
  const rests: number[] = []
  let now = noon
  for (let number = 0; number < 8; number += 1) {
    now = visit(pace, now, { status: 503 })
    rests.push(pace.nextStart - now)
  }
  expect(rests).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  now = visit(pace, now, {})
  now = visit(pace, now, { status: 503 })
  expect(pace.nextStart - now).toBe(1000)
})

test('a host that is gone rests four seconds at most between two tries', () => {
  const pace = makePace({ ...manners, pause: 0 })
  let now = noon
  for (let number = 0; number < 20; number += 1) now = visit(pace, now, { failed: true })
  expect(pace.nextStart - now).toBe(4000)
})

test('answers that come together say one thing: four 429 at once halve the number once', () => {
  const pace = makePace({ ...manners, pause: 0, atOnce: 16 })
  for (let number = 0; number < 4; number += 1) countStart(pace, noon)
  for (let number = 0; number < 4; number += 1) countEnd(pace, noon + number, { status: 429, retryAfter: 2000 })
  expect([pace.atOnce, pace.bad]).toEqual([8, 1])
})

test('two failures are chance, the third in a row is trouble; a page that is not there is neither', () => {
  const pace = makePace({ ...manners, pause: 0 })
  let now = visit(pace, noon, { failed: true })
  now = visit(pace, now, { status: 500 })
  expect(pace.nextStart).toBeLessThanOrEqual(now)
  now = visit(pace, now, { failed: true })
  expect(pace.nextStart).toBeGreaterThan(now)
  const other = makePace({ ...manners, pause: 0 })
  for (let number = 0; number < 9; number += 1) now = visit(other, now, { status: 404 })
  expect([other.nextStart <= now, other.atOnce]).toEqual([true, 4])
})

test('a host that becomes slow gets fewer visits at once, and more again when it is quick', () => {
  const pace = makePace({ ...manners, pause: 0 })
  let now = noon
  for (let number = 0; number < 50; number += 1) now = visit(pace, now, { latency: 50 })
  expect(pace.atOnce).toBe(4)
  for (let number = 0; number < 20; number += 1) now = visit(pace, now, { latency: 2000 })
  expect(pace.atOnce).toBe(1)
  for (let number = 0; number < 60; number += 1) now = visit(pace, now, { latency: 50 })
  expect(pace.atOnce).toBe(4)
})

test('a host that was always slow is not held for overloaded', () => {
  const pace = makePace({ ...manners, pause: 0 })
  let now = noon
  for (let number = 0; number < 50; number += 1) now = visit(pace, now, { latency: 2000 + (number % 5) * 300 })
  expect(pace.atOnce).toBe(4)
})

test('a host is gone after eight failures, is tried again after a minute, and is back with one good answer', () => {
  const pace = makePace({ ...manners, pause: 0 })
  let now = noon
  for (let failures = 0; failures < 8; failures += 1) {
    expect(isDown(pace, now)).toBe(false)
    now = visit(pace, now, { status: undefined, failed: true })
  }
  expect(isDown(pace, now)).toBe(true)
  countStart(pace, now)
  countEnd(pace, now, {})
  expect(isDown(pace, now)).toBe(true)
  expect(isDown(pace, now + 60_000)).toBe(false)
  visit(pace, now + 60_000, {})
  expect(isDown(pace, now + 60_001)).toBe(false)
})
