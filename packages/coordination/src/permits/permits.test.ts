import { describe, expect, test } from 'vitest'

import { memoryStore } from '@harvestman/testing'
import { permitContract } from './fixtures/contract.ts'
import { makeWorld } from './fixtures/world.ts'
import { groupKey } from './groups.ts'
import type { PermitUser } from './permits.ts'

describe('permits keep their contract on memory', () => {
  for (const { name, run } of permitContract)
    test(name, async () => {
      const memory = memoryStore()
      await run(() => ({ ...memory, close: async () => undefined }))
    })
})

test('the permits of very many hosts stand in values of a few hosts each, so that none of them grows large', () => {
  const sizes = new Map<string, number>()
  for (let host = 0; host < 20_000; host += 1) {
    const group = groupKey(`host/h${host % 20}.s${Math.floor(host / 20)}.test`, false)
    sizes.set(group, (sizes.get(group) ?? 0) + 1)
  }
  expect(Math.max(...sizes.values())).toBeLessThan(30)
})

test('a user who was refused, and had no use for a permit when that was asked for, may ask again', async () => {
  const memory = memoryStore()
  const { open, close } = makeWorld(() => ({ ...memory, close: async () => undefined }), { isWatched: false })
  const [one, other] = [open('one'), open('other')]
  one.add('pool', 5, 1)
  other.add('pool', 5, 1)
  await expect.poll(() => one.runs('pool') + other.runs('pool')).toBe(2)
  const woken: string[] = []
  let wants = 1
  const user: PermitUser = { isWatched: false, usage: () => ({ running: 0, wants }), wake: (pool) => woken.push(pool) }
  expect(one.permits.mayBegin('second', 5, 0, user)).toBe(false)
  one.permits.ask('second', 5, user)
  wants = 0
  await expect.poll(() => woken).toEqual(['second'])
  await close()
})
