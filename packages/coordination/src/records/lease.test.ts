import { handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { memoryStore } from '@harvestman/testing'
import { areHeld, requestRelease, lease, leaseWatch, type LeaseWatch } from './lease.ts'

function bench() {
  const clock = handClock()
  const store = memoryStore({ clock })
  const watches = new Map<string, LeaseWatch>()
  const watchOf = (owner: string): LeaseWatch => {
    const watch = watches.get(owner) ?? leaseWatch(clock)
    watches.set(owner, watch)
    return watch
  }
  const ask = (owner: string) =>
    lease(store, 'lease', { owner, ttl: 1000, watch: watchOf(owner), isDead: (other) => other.startsWith('dead') })
  /** So much time passes, and an asker looks now and then. */
  const watched = async (ms: number, ...owners: readonly string[]): Promise<void> => {
    for (const part of [ms - 2 * Math.floor(ms / 3), Math.floor(ms / 3), Math.floor(ms / 3)]) {
      await Promise.all(owners.map(ask))
      await clock.pass(part)
    }
  }
  return { clock, store, ask, watched }
}

describe('a lease', () => {
  test('is given to one of many who ask at once', async () => {
    const { ask } = bench()
    const given = await Promise.all(['a', 'b', 'c', 'a'].map(ask))
    expect(given.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('is given to one of many who have all watched its holder fall silent', async () => {
    const { ask, watched } = bench()
    await ask('a')
    const others = ['b', 'c', 'd']
    await watched(1000, ...others)
    const given = await Promise.all(others.map(ask))
    expect(given.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('passes to who has watched its holder be silent for its time, and not before', async () => {
    const { ask, clock, watched } = bench()
    await ask('a')
    await watched(999, 'b')
    expect(await ask('b')).toBeUndefined()
    expect(await ask('c')).toBeUndefined()
    await clock.pass(1)
    expect(await ask('c')).toBeUndefined()
    expect(await ask('b')).toBeDefined()
  })

  test('does not pass to who could not see for a while whether its holder was silent, but was so after all', async () => {
    const { ask, clock, watched } = bench()
    await ask('a')
    await watched(400, 'b')
    await ask('b')
    await clock.pass(60_000)
    expect(await ask('b')).toBeUndefined()
    await clock.pass(99)
    expect(await ask('b')).toBeUndefined()
    await clock.pass(1)
    expect(await ask('b')).toBeDefined()
  })

  test('lives on when it is renewed', async () => {
    const { ask, clock } = bench()
    const mine = await ask('a')
    for (let round = 0; round < 5; round += 1) {
      expect(await ask('b')).toBeUndefined()
      await clock.pass(900)
      expect(await mine?.renew()).toBe(true)
    }
  })

  test('whose holder was away for long is still his while no other has taken it, and lost when one has', async () => {
    const { ask, clock, watched } = bench()
    const mine = await ask('a')
    await clock.pass(5000)
    expect(await mine?.renew()).toBe(true)
    await watched(1000, 'b')
    const other = await ask('b')
    expect(await mine?.renew()).toBe(false)
    expect(await other?.renew()).toBe(true)
  })

  test('that is given back can be had at once', async () => {
    const { ask } = bench()
    const mine = await ask('a')
    await mine?.release()
    expect(await ask('b')).toBeDefined()
    expect(await mine?.renew()).toBe(false)
  })

  test('of an owner who is known to be gone can be had at once', async () => {
    const { ask } = bench()
    await ask('dead one')
    expect(await ask('b')).toBeDefined()
  })

  test('is not taken from the next holder when the last one gives it back late', async () => {
    const { ask, watched } = bench()
    const mine = await ask('a')
    await watched(1000, 'b')
    await ask('b')
    await mine?.release()
    expect(await ask('c')).toBeUndefined()
  })

  test.each([3_600_000, -3_600_000])('is not stolen when the time of day jumps by %i ms, and back', async (jump) => {
    const { ask, clock, watched } = bench()
    const mine = await ask('a')
    expect(await ask('b')).toBeUndefined()
    for (const step of [jump, -jump]) {
      clock.jump(step)
      expect(await ask('b')).toBeUndefined()
      await clock.pass(900)
      expect(await mine?.renew()).toBe(true)
      expect(await ask('b')).toBeUndefined()
    }
    // And it still passes when the holder falls silent.
    clock.jump(jump)
    await watched(1000, 'b')
    expect(await ask('b')).toBeDefined()
  })

  test('has a larger token than all before it, also after it was given back or forgotten for hours', async () => {
    const { ask, clock } = bench()
    const tokens: number[] = []
    for (const pause of [0, 5000, 3_600_000, 80_000_000]) {
      await clock.pass(pause)
      const mine = await ask('a')
      tokens.push(mine?.token ?? 0)
      await mine?.release()
    }
    expect(tokens).toEqual([1, 2, 3, 4])
  })
})

test('of many leases, those are held whose owner is neither silent nor gone', async () => {
  const { clock, store } = bench()
  const watch = leaseWatch(clock)
  const take = (key: string, owner: string) => lease(store, key, { owner, ttl: 1000, watch: leaseWatch(clock) })
  const [, renewed, freed] = await Promise.all(['silent', 'renewed', 'freed'].map((key) => take(key, 'a')))
  await take('gone', 'dead one')
  await freed?.release()
  const ask = () =>
    areHeld(store, ['silent', 'renewed', 'freed', 'gone', 'absent'], {
      watch,
      isDead: (owner) => owner.startsWith('dead'),
    })
  for (const part of [333, 333, 333]) {
    expect(await ask()).toEqual([true, true, false, false, false])
    await clock.pass(part)
  }
  await renewed?.renew()
  expect(await ask()).toEqual([true, true, false, false, false])
  await clock.pass(1)
  expect(await ask()).toEqual([false, true, false, false, false])
})

test('the holder of a lease that is asked for hears of it once, at its next renewal', async () => {
  const { clock, store } = bench()
  const heard: string[] = []
  const asked = (by: string): void => void heard.push(by)
  const mine = await lease(store, 'lease', { owner: 'a', ttl: 1000, watch: leaseWatch(clock), requested: asked })
  await requestRelease(store, 'lease', 'b')
  expect(await mine?.renew()).toBe(true)
  expect(await mine?.renew()).toBe(true)
  expect(heard).toEqual(['b'])
})

test('a watch forgets the oldest of very many leases, which are then waited for anew', async () => {
  const clock = handClock()
  const watch = leaseWatch(clock)
  watch.silence('first', 'x', 10)
  await clock.pass(10)
  expect(watch.silence('first', 'x', 10)).toBe(10)
  for (let number = 0; number < 10_000; number += 1) watch.silence(String(number), 'x', 10)
  expect(watch.silence('first', 'x', 10)).toBe(0)
})
