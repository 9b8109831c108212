// Sessions whose engine ended before they did: each is paid for once, by whoever looks first.
import type { LiveBrowser, Store } from '@harvestman/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { memoryStore, storeLedger } from '@harvestman/core'
import { layout } from '@harvestman/core/plugin'
import { sessionBench, clock, minute, opening, acme as team } from '../fixtures/bench.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A store as a process has it that stands still: nothing it asks for is done until it goes on. */
function stillStore(store: Store) {
  let going: Promise<unknown> = Promise.resolve()
  let goOn = (): void => undefined
  const wrapped: Store = {
    ...store,
    get: async (...given) => going.then(() => store.get(...given)),
    set: async (...given) => going.then(() => store.set(...given)),
    update: async (...given) => going.then(() => store.update(...given)),
    delete: async (...given) => going.then(() => store.delete(...given)),
  }
  const stand = (): void => {
    going = new Promise<void>((resolve) => (goOn = resolve))
  }
  return { store: wrapped, stand, goOn: () => goOn() }
}

/** Two engines on one store. When the first is lost it does nothing more, and the second knows it. */
async function two(granted?: number) {
  const shared = memoryStore({ clock })
  const gone = new Set<string>()
  const isGone = (owner: string): boolean => gone.has(owner)
  const { store, stand, goOn } = stillStore(shared)
  const first = await sessionBench({ store, owner: 'first', ...(granted !== undefined && { granted }) })
  const second = await sessionBench({ store: shared, owner: 'second', isGone })
  const lose = (): void => {
    stand()
    gone.add('first')
  }
  return { first, second, shared, lose, stand, goOn }
}

const endIn = async ({ live }: Awaited<ReturnType<typeof sessionBench>>) => (await live.list(team))[0]?.end

test('one that was lost costs the time until it was last used, once, whoever ends it', async () => {
  const { first, second, lose, goOn } = await two(100)
  const session = await first.live.open(opening, team)
  await vi.advanceTimersByTimeAsync(90_000)
  await session.snapshot()
  await vi.advanceTimersByTimeAsync(10_000)
  lose()
  const end = { duration: 90_000, credits: 3 }
  expect(await endIn(second)).toMatchObject(end)
  expect(await second.credits()).toEqual({ left: 97, held: 0 })
  expect(await second.live.stop(session.id, team)).toMatchObject(end)
  // It was slow and not gone: its own end comes on top.
  goOn()
  expect(await session.stop()).toMatchObject(end)
  expect(await second.credits()).toEqual({ left: 97, held: 0 })
})

test('it is counted once for a team without a bound', async () => {
  const { first, second, lose, goOn } = await two()
  const session = await first.live.open({ ...opening }, team)
  lose()
  await second.live.list(team)
  await second.live.list(team)
  expect(await second.ledger.account(team)).toMatchObject({ used: 2 })
  goOn()
  await session.stop()
  expect(await second.ledger.account(team)).toMatchObject({ used: 2 })
})

test('one that was ended as it should be is not settled again', async () => {
  const { first, second, lose } = await two(100)
  const session = await first.live.open(opening, team)
  await vi.advanceTimersByTimeAsync(4 * minute)
  await session.stop()
  lose()
  await vi.advanceTimersByTimeAsync(minute)
  await second.live.list(team)
  expect(await second.credits()).toEqual({ left: 92, held: 0 })
})

test('nobody of the team has to look, for other engines do', async () => {
  const { first, second, lose, shared } = await two(100)
  await first.live.open(opening, team)
  await vi.advanceTimersByTimeAsync(minute)
  expect(await shared.get('sessions-open')).toBeDefined()
  lose()
  await vi.advanceTimersByTimeAsync(minute)
  expect(await second.credits()).toEqual({ left: 98, held: 0 })
  expect(await shared.get('sessions-open')).toBeUndefined()
})

test('one of an engine that says nothing is settled when its time is long over, though what was held is given back', async () => {
  const { first, second, stand } = await two(100)
  await first.live.open(opening, team)
  stand()
  await vi.advanceTimersByTimeAsync(11 * minute - 1_000)
  expect(await second.credits()).toEqual({ left: 80, held: 20 })
  await vi.advanceTimersByTimeAsync(minute)
  expect(await second.credits()).toEqual({ left: 98, held: 0 })
})

test('one in which a model was asked costs what that costs', async () => {
  const { first, second, lose } = await two(100)
  const session = await first.live.open(opening, team)
  await vi.advanceTimersByTimeAsync(2 * minute)
  await session.ask('Is it so?')
  lose()
  expect(await endIn(second)).toMatchObject({ credits: 14 })
  expect(await second.credits()).toEqual({ left: 86, held: 0 })
})

test('one whose browser was not there yet costs nothing', async () => {
  const { first, second, lose } = await two(100)
  first.sessions.open = () => new Promise<LiveBrowser>(() => undefined)
  void first.live.open(opening, team)
  await vi.advanceTimersByTimeAsync(5_000)
  lose()
  expect(await endIn(second)).toMatchObject({ credits: 0 })
  expect(await second.credits()).toEqual({ left: 100, held: 0 })
})

test('what could not be settled is settled by the next who looks', async () => {
  const shared = memoryStore({ clock })
  const ledger = storeLedger(shared, { clock })
  await ledger.grant({ team, credits: 100, id: 'one' })
  let isAway = true
  const settle: typeof ledger.settle = async (charge) => {
    if (isAway) throw new Error('The ledger is away.')
    return ledger.settle(charge)
  }
  const { live, credits } = await sessionBench({ store: shared, ledger: { ...ledger, settle } })
  const session = await live.open(opening, team)
  expect(String(await session.stop().catch((error: unknown) => error))).toContain('away')
  await vi.advanceTimersByTimeAsync(11 * minute)
  expect((await live.list(team))[0]?.end).toMatchObject({ credits: 2 })
  expect(await credits()).toEqual({ left: 100, held: 0 })
  isAway = false
  await vi.advanceTimersByTimeAsync(minute)
  expect(await credits()).toEqual({ left: 98, held: 0 })
})

describe('a record of a session that never opened', () => {
  const kept = { id: 'old', owner: 'first', streamWebView: true, createdAt: 0, expiresAt: minute, lastActivity: 30_000 }

  test('is ended without a price when its engine is lost', async () => {
    const { second, shared, lose } = await two(100)
    const sessions = [
      { ...kept, id: 'new' },
      { ...kept, end: { at: 5, duration: 5, credits: 2 } },
    ]
    await shared.set(`sessions/${team}`, layout<object>(1, {}).seal({ sessions }))
    lose()
    expect((await second.live.list(team)).map(({ end }) => end)).toEqual([
      { at: 30_000, duration: 30_000, credits: 0, reason: 'lost' },
      { at: 5, duration: 5, credits: 2 },
    ])
    expect(await second.credits()).toEqual({ left: 100, held: 0 })
  })
})
