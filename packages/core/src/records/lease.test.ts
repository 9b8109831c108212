import { handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { memoryStore } from '../stores/memory.ts'
import { lease, readFenced, writeFenced } from './lease.ts'

function bench() {
  const clock = handClock()
  const store = memoryStore({ clock })
  const ask = (owner: string) => lease(store, 'lease', { owner, ttl: 1000, clock })
  return { clock, store, ask }
}

describe('a lease', () => {
  test('is given to one of many who ask at once', async () => {
    const { ask } = bench()
    const given = await Promise.all(['a', 'b', 'c', 'a'].map(ask))
    expect(given.filter((one) => one !== undefined)).toHaveLength(1)
  })

  test('can be had again when its time is over, and not before', async () => {
    const { ask, clock } = bench()
    await ask('a')
    await clock.pass(999)
    expect(await ask('b')).toBeUndefined()
    await clock.pass(1)
    expect(await ask('b')).toBeDefined()
  })

  test('lives on when it is renewed', async () => {
    const { ask, clock } = bench()
    const mine = await ask('a')
    await clock.pass(900)
    expect(await mine?.renew()).toBe(true)
    await clock.pass(900)
    expect(await ask('b')).toBeUndefined()
    expect(await mine?.renew()).toBe(true)
  })

  test('that ran out cannot be renewed, whether or not somebody else has it', async () => {
    const { ask, clock } = bench()
    const mine = await ask('a')
    await clock.pass(1000)
    expect(await mine?.renew()).toBe(false)
    const other = await ask('b')
    expect(await mine?.renew()).toBe(false)
    expect(await other?.renew()).toBe(true)
  })

  test('that is given back can be had at once', async () => {
    const { ask } = bench()
    const mine = await ask('a')
    await mine?.release()
    expect(await ask('b')).toBeDefined()
  })

  test('is not taken from the next holder when the last one gives it back late', async () => {
    const { ask, clock } = bench()
    const mine = await ask('a')
    await clock.pass(1000)
    await ask('b')
    await mine?.release()
    expect(await ask('c')).toBeUndefined()
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

describe('a fenced value', () => {
  test('is not overwritten by a late writer whose lease has passed to another', async () => {
    const { ask, clock, store } = bench()
    const mine = await ask('a')
    await clock.pass(1000)
    const other = await ask('b')
    expect(await writeFenced(store, 'value', { token: other?.token ?? 0, value: 'of b' })).toBe(true)
    expect(await writeFenced(store, 'value', { token: mine?.token ?? 0, value: 'of a, late' })).toBe(false)
    expect(await readFenced(store, 'value')).toBe('of b')
  })

  test('can be written again by the same holder', async () => {
    const { store } = bench()
    expect(await readFenced(store, 'value')).toBeUndefined()
    expect(await writeFenced(store, 'value', { token: 3, value: 1 })).toBe(true)
    expect(await writeFenced(store, 'value', { token: 3, value: 2 })).toBe(true)
    expect(await readFenced(store, 'value')).toBe(2)
  })
})
