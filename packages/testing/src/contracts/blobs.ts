import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

import type { Blobs, Clock, NewBlob } from '@harvestman/ports'

import type { Contract, ContractCase } from '../contract.ts'
import { handClock, type HandClock } from '../fakes/hand-clock.ts'
import { samplePattern } from './store-samples.ts'

/** Creates an empty blob storage that uses the given clock. */
export type MakeBlobs = (given: { readonly clock: Clock }) => Blobs | Promise<Blobs>

interface Bench {
  readonly blobs: Blobs
  readonly clock: HandClock
}

const hour = 3_600_000
const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

function rule(name: string, check: (bench: Bench) => Promise<void>): ContractCase<MakeBlobs> {
  const run = async (make: MakeBlobs) => {
    const clock = handClock()
    const blobs = await make({ clock })
    try {
      await check({ blobs, clock })
    } finally {
      await blobs.close()
    }
  }
  return { name, run }
}

function file(bytes: Uint8Array, rest: Partial<NewBlob> = {}): NewBlob {
  return { bytes, type: 'image/png', team: 'one', ttl: hour, ...rest }
}

const contentRules: Contract<MakeBlobs> = [
  rule('a file comes back byte for byte, with its type and its team', async ({ blobs }) => {
    for (const [size, type, team] of [
      [0, 'image/png', 'one'],
      [1, 'image/jpeg', 'two words, "quoted"\n'],
      [70_000, 'application/pdf', 'ein Täm'],
      [3_000_000, 'application/octet-stream', ''],
    ] as const) {
      const { id } = await blobs.put(file(samplePattern(size), { type, team }))
      const found = await blobs.get(id)
      assert.ok(found, `the file of ${size} bytes is not there`)
      assert.equal(Buffer.compare(found.bytes, samplePattern(size)), 0, `the ${size} bytes are not those that were put`)
      assert.deepEqual([found.type, found.team], [type, team])
    }
  }),
  rule('a part of a larger piece of memory is kept as that part', async ({ blobs }) => {
    const { id } = await blobs.put(file(samplePattern(100).subarray(10, 20)))
    assert.deepEqual([...(await blobs.get(id))!.bytes], [...samplePattern(100).subarray(10, 20)])
  }),
  rule('bytes that change after they were put, or after they were got, change nothing', async ({ blobs }) => {
    const bytes = samplePattern(50)
    const { id } = await blobs.put(file(bytes))
    bytes.fill(0)
    ;(await blobs.get(id))!.bytes.fill(0)
    assert.deepEqual([...(await blobs.get(id))!.bytes], [...samplePattern(50)])
  }),
  rule('many files at once are all kept', async ({ blobs }) => {
    const stored = await Promise.all(Array.from({ length: 50 }, (_, size) => blobs.put(file(samplePattern(size)))))
    const found = await Promise.all(stored.map(({ id }) => blobs.get(id)))
    assert.deepEqual(
      found.map((one) => one?.bytes.length),
      found.map((_, size) => size),
    )
  }),
]

const idRules: Contract<MakeBlobs> = [
  rule('every file has a random id of its own, also when its bytes are known', async ({ blobs }) => {
    const stored = await Promise.all(Array.from({ length: 100 }, () => blobs.put(file(samplePattern(3)))))
    for (const { id } of stored) assert.match(id, uuid)
    assert.equal(new Set(stored.map(({ id }) => id)).size, stored.length)
  }),
  rule(
    'a file that is put under an id takes the place of the one before, with its type and its time',
    async (bench) => {
      const { blobs, clock } = bench
      const id = '3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718'
      await blobs.put(file(samplePattern(3), { id, ttl: 5_000 }))
      const again = await blobs.put(file(samplePattern(4), { id, type: 'application/pdf' }))
      assert.equal(again.id, id)
      await clock.pass(5_000)
      const found = await blobs.get(id)
      assert.deepEqual([found?.bytes.length, found?.type], [4, 'application/pdf'])
    },
  ),
  rule('tries of the same work that put their file at once leave one of them, whole', async ({ blobs }) => {
    const id = '3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60719'
    const sizes = [1_000, 70_000, 200_000]
    await Promise.all(sizes.map((size) => blobs.put(file(samplePattern(size), { id }))))
    const found = await blobs.get(id)
    assert.ok(found && sizes.includes(found.bytes.length))
    assert.equal(Buffer.compare(found.bytes, samplePattern(found.bytes.length)), 0)
  }),
  rule('nothing is found under what is no id of a file', async ({ blobs }) => {
    const { id } = await blobs.put(file(samplePattern(3)))
    const others = ['', '.', '..', '../', `../${id}`, `./${id}`, `${id}/`, `${id}.png`, `${id}.json`, `${id}\0`, '*']
    for (const other of [...others, id.slice(0, -1), randomUUID(), '__proto__', 'constructor']) {
      assert.equal(await blobs.get(other), undefined, `something is found under ${JSON.stringify(other)}`)
    }
  }),
]

const timeRules: Contract<MakeBlobs> = [
  rule('a file is there until its ttl has passed, and gone then', async ({ blobs, clock }) => {
    const short = await blobs.put(file(samplePattern(3), { ttl: 5_000 }))
    const long = await blobs.put(file(samplePattern(4), { ttl: hour }))
    await clock.pass(4_999)
    assert.ok(await blobs.get(short.id), 'the file went before its time')
    await clock.pass(1)
    assert.equal(await blobs.get(short.id), undefined)
    assert.ok(await blobs.get(long.id), 'the other file went with it')
  }),
  rule('every call after closing rejects, but closing again', async ({ blobs }) => {
    const { id } = await blobs.put(file(samplePattern(3)))
    await blobs.close()
    await assert.rejects(async () => blobs.put(file(samplePattern(3))))
    await assert.rejects(async () => blobs.get(id))
    await blobs.close()
  }),
]

/** The contract of the `Blobs` port. */
export const blobsContract: Contract<MakeBlobs> = [...contentRules, ...idRules, ...timeRules]
