import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { acme as team, codeOf, minute, opening, sessionBench } from '../fixtures/bench.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const reasonOf = ({ reason }: AbortSignal): unknown => (reason instanceof Error ? reason.message : undefined)

test('a link lets its holder look on until its time is up, and then is good for nothing', async () => {
  const { live } = await sessionBench()
  const session = await live.open(opening, team)
  const { token, expiresAt } = session.shares.open(2 * minute)
  expect(expiresAt).toBe(Date.now() + 2 * minute)
  const { right, ends } = live.enter(session.id, token)
  expect([right, ends.aborted]).toEqual(['view', false])
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(reasonOf(ends)).toBe('This link has ended. It expired.')
  expect(() => live.enter(session.id, token)).toThrow('is invalid or has expired')
  expect(session.closed.aborted).toBe(false)
  expect(live.enter(session.id, session.tokens.view).ends.aborted).toBe(false)
})

test('a link that is ended sends those who look on away, and no others', async () => {
  const { live } = await sessionBench()
  const session = await live.open(opening, team)
  const [one, other] = [session.shares.open(minute), session.shares.open(minute)]
  expect(session.shares.list().map(({ id }) => id)).toEqual([other.id, one.id])
  const [gone, stays] = [live.enter(session.id, one.token), live.enter(session.id, other.token)]
  expect(session.shares.end(one.id)).toBe(true)
  expect(session.shares.end(one.id)).toBe(false)
  expect([reasonOf(gone.ends), stays.ends.aborted]).toEqual(['This link has ended. Its owner ended it.', false])
})

test('a link ends with its session at the latest, and says why that ended', async () => {
  const { live } = await sessionBench()
  const session = await live.open({ ...opening, ttl: 90 }, team)
  const { token, expiresAt } = session.shares.open(60 * minute)
  expect(expiresAt).toBe(session.expiresAt)
  const { ends } = live.enter(session.id, token)
  await session.stop()
  expect(reasonOf(ends)).toBe('The live browser has ended. It was stopped.')
  expect(() => session.shares.open(minute)).toThrow('It was stopped.')
})

test('a session has at most twenty links', async () => {
  const { live } = await sessionBench()
  const { shares } = await live.open(opening, team)
  for (let made = 0; made < 20; made += 1) shares.open(minute)
  expect(await codeOf(Promise.resolve().then(() => shares.open(minute)))).toBe('conflict')
  await vi.advanceTimersByTimeAsync(minute)
  expect(shares.list()).toEqual([])
  expect(await codeOf(Promise.resolve().then(() => shares.open(minute)))).toBe('done')
})

test.each([
  ['stopped', async () => undefined],
  ['unused', async () => vi.advanceTimersByTimeAsync(31_000)],
  ['lost', async ({ sessions }: Awaited<ReturnType<typeof sessionBench>>) => sessions.lose()],
  ['closed', async ({ live }: Awaited<ReturnType<typeof sessionBench>>) => live.close()],
])('what is kept of a session says why it ended: %s', async (reason, bring) => {
  const bench = await sessionBench()
  const session = await bench.live.open({ ...opening, activityTtl: 30 }, team)
  await bring(bench)
  await vi.advanceTimersByTimeAsync(0)
  expect(await bench.live.stop(session.id, team)).toMatchObject({ reason })
  expect((await bench.live.record(session.id, team)).end).toMatchObject({ reason })
})
