import { expect, test } from 'vitest'

import { makeFrontier, type Frontier, type Spill } from './frontier.ts'
import type { Waiting } from '@harvestman/site'

const waiting = (number: number, host = `host${number % 3}.example`): Waiting => ({
  number,
  url: `https://${host}/${number}`,
  host,
  depth: number % 5,
  isExternal: number % 2 === 1,
})

function add(frontier: Frontier, { number, url, host, depth, isExternal }: Waiting): boolean {
  return frontier.add(number, [url, host, depth, isExternal ? 1 : 0])
}

function shelf() {
  const parts = new Map<number, Uint8Array>()
  const spill: Spill = {
    // As a store does: what it was given is not its own.
    write: async (part, bytes) => void parts.set(part, bytes.slice()),
    read: async (part) => {
      const bytes = parts.get(part)
      if (bytes === undefined) throw new Error(`part ${part} is not there`)
      return bytes
    },
  }
  return { parts, spill }
}

test('each host gives its addresses in the order they came, whatever came for others', () => {
  const frontier = makeFrontier()
  for (let number = 0; number < 9; number += 1) expect(add(frontier, waiting(number))).toBe(true)
  const numbers = ['host2.example', 'host0.example', 'host2.example', 'host2.example', 'host2.example'].map(
    (host) => frontier.take(host)?.number,
  )
  expect(numbers).toEqual([2, 0, 5, 8, undefined])
  expect(frontier.take('unknown.example')).toBeUndefined()
})

test('an address that is given back comes after the others', () => {
  const frontier = makeFrontier()
  for (const number of [0, 3, 6]) add(frontier, waiting(number))
  const first = frontier.take('host0.example')!
  frontier.putBack(first)
  expect(Array.from({ length: 4 }, () => frontier.take('host0.example')?.number)).toEqual([3, 6, 0, undefined])
})

test('what memory has no place for is spilled, and comes back whole and in order', async () => {
  const { parts, spill } = shelf()
  const frontier = makeFrontier({ spill, most: 100, partLength: 10 })
  const offered = new Map<string, number>()
  const offer = (host: string, count: number) => offered.set(host, (offered.get(host) ?? 0) + count)
  const taken: Waiting[] = []
  let mostInMemory = 0
  const takeOne = async () => {
    if (frontier.wantsRefill) for (const [host, count] of await frontier.refill()) offer(host, count)
    for (const [host, count] of offered) {
      if (count === 0) continue
      offer(host, -1)
      const found = frontier.take(host)
      if (!found) return expect.unreachable(host)
      taken.push(found)
    }
    // What can be taken is in memory.
    mostInMemory = Math.max(
      mostInMemory,
      [...offered.values()].reduce((sum, count) => sum + count, 0),
    )
  }
  for (let number = 0; number < 1000; number += 1) {
    if (add(frontier, waiting(number))) offer(waiting(number).host, 1)
    if (number % 7 === 0) await takeOne()
  }
  expect(parts.size).toBeGreaterThan(10)
  while (taken.length < 1000) await takeOne()
  expect(mostInMemory).toBeLessThanOrEqual(110)
  expect(taken.length).toBe(1000)
  for (const host of ['host0.example', 'host1.example', 'host2.example']) {
    const numbers = taken.filter((one) => one.host === host).map(({ number }) => number)
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  }
  expect(taken.find(({ number }) => number === 999)).toEqual(waiting(999))
})

test('a part that could not be written stays in memory, and one that could not be read is tried again', async () => {
  const { parts, spill } = shelf()
  let writes = 0
  let reads = 0
  const frontier = makeFrontier({
    most: 2,
    partLength: 2,
    spill: {
      write: (part, bytes) => (writes++ === 0 ? Promise.reject(new Error('full')) : spill.write(part, bytes)),
      read: (part) => (reads++ === 0 ? Promise.reject(new Error('gone')) : spill.read(part)),
    },
  })
  for (let number = 0; number < 8; number += 1) add(frontier, waiting(number, 'a'))
  await new Promise(setImmediate)
  expect(parts.size).toBe(2)
  const numbers: (number | undefined)[] = []
  for (let number = 0; number < 8; number += 1) {
    if (frontier.wantsRefill) await frontier.refill().catch(() => frontier.refill())
    numbers.push(frontier.take('a')?.number)
  }
  expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test('two refills at once bring one part', async () => {
  const { spill } = shelf()
  const frontier = makeFrontier({ spill, most: 1, partLength: 2 })
  for (let number = 0; number < 5; number += 1) add(frontier, waiting(number, 'a'))
  frontier.take('a')
  const [one, other] = await Promise.all([frontier.refill(), frontier.refill()])
  expect([one, one === other]).toEqual([new Map([['a', 2]]), true])
  expect(Array.from({ length: 3 }, () => frontier.take('a')?.number)).toEqual([1, 2, undefined])
})
