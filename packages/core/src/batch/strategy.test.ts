import { unpackParcel } from '@harvestman/toolbox/parcel'
import { expect, test } from 'vitest'

import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { RunContext } from '../jobs/run/strategy.ts'
import type { BatchRequest } from '../schema/batch.ts'
import { addressStrategy, optionsOfPage, partsOf } from './strategy.ts'

const opening: Opening = {
  id: 'id',
  kind: 'batch',
  team: 'acme',
  request: {},
  createdAt: 0,
  expiresAt: 1,
  salt: 'salt',
}
const open = (offered: string[] = [], signal = new AbortController().signal) =>
  addressStrategy(opening, { offer: (host: string) => void offered.push(host), signal } as RunContext)
const noted = (from: number, until: number): Fact => {
  const urls = Array.from({ length: until - from }, (_, at) => `https://host${(from + at) % 3}.test/${from + at}`)
  return { is: 'noted', at: 0, note: { urls } }
}

test('a batch that goes on from parts visits what is not done, in the order it was asked for', async () => {
  const first = open()
  const parts: Uint8Array[] = []
  const keep = (): void => {
    for (const { bytes } of first.inParts!.take().parts) parts.push(new Uint8Array(Buffer.concat(bytes())))
  }
  first.fold(noted(0, 6))
  first.fold({ is: 'failed', at: 0, task: 3, id: '', url: '', code: 'timeout', message: '' })
  keep()
  first.fold(noted(6, 9))
  first.fold({ is: 'dropped', at: 0, task: 0 })
  keep()
  const offered: string[] = []
  const next = open(offered)
  await next.inParts!.restore(null, {
    all: async function* (name) {
      if (name === 'visits') yield* parts
    },
    later: () => [],
  })
  // What came after the last snapshot.
  next.fold({ is: 'page', at: 0, task: 7, id: '', url: '', credits: 1, bytes: 0 })
  await next.explore(async () => undefined)
  expect(next.left()).toBe(6)
  expect(offered.toSorted()).toEqual([
    'host0.test',
    'host1.test',
    'host1.test',
    'host2.test',
    'host2.test',
    'host2.test',
  ])
  const numbers = [0, 1, 2].flatMap((host) =>
    [1, 2, 3].map(() => next.take(`host${host}.test`)?.number).filter((number) => number !== undefined),
  )
  expect(numbers).toEqual([6, 1, 4, 2, 5, 8])
})

test('a long batch offers each of its URLs once, also those that are added meanwhile', async () => {
  const offered: string[] = []
  const batch = open(offered)
  batch.fold(noted(0, 12_000))
  const exploring = batch.explore(async () => undefined)
  batch.fold(noted(12_000, 15_000))
  await exploring
  expect(offered).toHaveLength(15_000)
})

test('the URLs of a long batch are offered in several turns of the event loop, until the batch is cancelled', async () => {
  const offered: string[] = []
  const stop = new AbortController()
  const batch = open(offered, stop.signal)
  batch.fold(noted(0, 20_000))
  const exploring = batch.explore(async () => undefined)
  expect(offered.length).toBeLessThan(20_000)
  stop.abort()
  await exploring
  expect(offered.length).toBeLessThan(20_000)
})

test('a snapshot of many URLs has several parts, which do not change while they wait to be written', () => {
  const batch = open()
  batch.fold(noted(0, 25_000))
  const { parts } = batch.inParts!.take()
  batch.fold(noted(25_000, 25_001))
  const lengths = parts.map(({ bytes }) => {
    const { head } = unpackParcel<{ readonly urls: readonly string[] }>(new Uint8Array(Buffer.concat(bytes())))
    return head.urls.length
  })
  expect(lengths).toEqual([10_000, 10_000, 5_000])
})

test('the options of the pages of a batch do not contain its URLs', () => {
  expect(
    optionsOfPage({ urls: ['https://a.test/'], ignoreInvalidURLs: false, mobile: true } as unknown as BatchRequest),
  ).toEqual({
    mobile: true,
  })
})

test.each([
  ['many', 10_000, 20, [4_000, 4_000, 2_000]],
  ['long', 300, 4_000, [100, 100, 100]],
  ['a few', 3, 20, [3]],
])('%s URLs are added in parts of limited size, and noted in smaller ones', (_, count, length, sizes) => {
  const urls = Array.from({ length: count }, (__, number) => `https://a.test/${number}`.padEnd(length, '-'))
  const parts = partsOf(urls)
  expect(parts.map((part) => part.length)).toEqual(sizes)
  expect(parts.flat()).toEqual(urls)
  for (const part of parts) {
    const notes = open().more!(part) as { urls: string[] }[]
    expect(notes.flatMap((note) => note.urls)).toEqual(part)
    for (const { urls: noted } of notes) expect(noted.join('').length).toBeLessThanOrEqual(100_000)
  }
})
