import { randomBytes, randomUUID } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'

import { packParcel } from '@harvestman/toolbox/parcel'
import { flaky, handClock } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import type { Blob, Blobs, NewBlob, Store } from '@harvestman/ports'
import { memoryStore } from '@harvestman/testing'
import { bodiesInFiles } from './bodies.ts'
import { openLog, segmentsInMemory, type NewSegment } from './log.ts'

const forever = () => ({})

function segment(head: string, body = ''): NewSegment {
  return { head: [head], body: [Buffer.from(body)] }
}

function open(store: Store = memoryStore(), name = 'job') {
  return openLog(store, name, forever)
}

describe('a log', () => {
  test('gives back what happened and its bytes, by place', async () => {
    const log = open()
    expect(await log.append(0, { head: { what: 'é' }, body: [new Uint8Array([1]), new Uint8Array([255, 0])] })).toBe(
      true,
    )
    const read = await log.read(0)
    expect(read?.head).toEqual({ what: 'é' })
    expect([...((await read?.body()) ?? [])]).toEqual([1, 255, 0])
    expect(await log.read(1)).toBeUndefined()
  })

  test('gives several places at once, in their order', async () => {
    const log = open()
    for (const [place, head] of ['a', 'b', 'c'].entries()) await log.append(place, segment(head))
    const read = await log.readMany([2, 0, 7])
    expect(read.map((one) => one?.head)).toEqual([['c'], ['a'], undefined])
  })

  test('gives a place to one of many writers, and tells each whether it is theirs', async () => {
    const store = memoryStore()
    const won = await Promise.all(
      Array.from({ length: 20 }, (_, writer) => open(store).append(0, segment(`writer ${writer}`))),
    )
    expect(won.filter(Boolean)).toHaveLength(1)
    expect((await open(store).read(0))?.head).toEqual([`writer ${won.indexOf(true)}`])
  })

  test('tells a writer whose answer was lost, on asking again, that the place is its own', async () => {
    const store = memoryStore()
    const lossy = open(flaky(store, [{ point: 'update', nth: 1, kind: 'reject after' }]))
    await expect(lossy.append(0, segment('mine', 'body'))).rejects.toThrow('as ordered')
    expect(await lossy.append(0, segment('mine', 'body'))).toBe(true)
    expect(await lossy.append(0, segment('mine', 'other'))).toBe(false)
  })

  test('does not mix with one whose name begins alike', async () => {
    const store = memoryStore()
    await open(store, 'job').append(0, segment('mine'))
    expect(await open(store, 'job/log').read(0)).toBeUndefined()
  })

  test('gives back the memory of what the store has copied, and of nothing that it has not', async () => {
    const kept = memoryStore()
    const given: Uint8Array[] = []
    const store: Store = {
      ...kept,
      update: (key, change, options) =>
        kept.update(
          key,
          (old) => {
            const value = change(old)
            given.push(value as Uint8Array)
            return value
          },
          options,
        ),
    }
    const body = randomBytes(100_000)
    const log = open(flaky(store, [{ point: 'update', nth: 1, kind: 'reject after' }]))
    await expect(log.append(0, { head: 'mine', body: [body] })).rejects.toThrow('as ordered')
    expect(given.map(({ length }) => length)).toEqual([100_030])
    expect(await log.append(1, { head: 'next', body: [body] })).toBe(true)
    expect(given.map(({ length }) => length)).toEqual([100_030, 0])
    expect(await (await log.read(1))?.body()).toEqual(new Uint8Array(body))
  })

  test('keeps a large body in less room, and gives its memory back when it was read', async () => {
    const store = memoryStore()
    const log = open(store)
    const body = Buffer.from(JSON.stringify(Array.from({ length: 9_000 }, (_, number) => ({ number }))))
    await log.append(0, { head: 'mine', body: [body.subarray(0, 70_000), body.subarray(70_000)] })
    expect(((await store.get('job/log/0')) as Uint8Array).length).toBeLessThan(body.length / 4)
    const segment = await log.read(0)
    const read = await segment!.body()
    expect(Buffer.compare(read, body)).toBe(0)
    expect(await segment!.body()).toBe(read)
    segment!.free()
    expect(read).toHaveLength(0)
  })

  test('may be freed while its body is read, which is then whole', async () => {
    const log = open()
    const body = Buffer.alloc(3_000_000, 'a page and a page. ')
    await log.append(0, { head: 'mine', body: [body] })
    const segment = await log.read(0)
    const read = segment!.body().then((bytes) => Buffer.compare(bytes, body))
    segment!.free()
    expect(await read).toBe(0)
  })

  test('reads segments of the layouts before', async () => {
    const store = memoryStore()
    const body = Buffer.alloc(10_000, 'x')
    await store.set('job/log/0', packParcel({ by: 'first' }, [body]))
    await store.set('job/log/1', packParcel({ layout: 2, head: { by: 'second' } }, [body]))
    const read = await open(store).readMany([0, 1])
    expect(read.map((segment) => segment?.head)).toEqual([{ by: 'first' }, { by: 'second' }])
    for (const segment of read) expect(Buffer.compare(await segment!.body(), body)).toBe(0)
  })

  test.each([
    { is: 'cut off', length: 1_000_000, frame: (frame: Buffer) => frame.subarray(0, frame.length >> 1) },
    { is: 'no frame', length: 1_000_000, frame: (frame: Buffer) => Buffer.alloc(frame.length, 'x') },
    { is: 'more than was said', length: 500_000, frame: (frame: Buffer) => frame },
    { is: 'less than was said', length: 1_000_001, frame: (frame: Buffer) => frame },
    { is: 'said to be beyond all bounds', length: 2 ** 40, frame: (frame: Buffer) => frame },
    { is: 'of no length', length: 'long', frame: (frame: Buffer) => frame },
  ])('refuses a body that is $is', async ({ length, frame }) => {
    const store = memoryStore()
    const pressed = zstdCompressSync(Buffer.alloc(1_000_000, 'x'))
    await store.set('job/log/0', packParcel({ layout: 3, length, head: 'mine' }, [frame(pressed)]))
    const segment = await open(store).read(0)
    await expect(segment!.body()).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'damaged' } })
  })

  test('that was damaged is whole again when a copy was brought back, however often it was read before', async () => {
    const store = memoryStore()
    const log = openLog(store, 'job', () => ({}), { segments: segmentsInMemory(10_000_000) })
    const put = (frame: Uint8Array) =>
      store.set('job/log/0', packParcel({ layout: 3, length: 1_000_000, head: 'mine' }, [frame]))
    const pressed = zstdCompressSync(Buffer.alloc(1_000_000, 'x'))
    await put(Buffer.alloc(pressed.length, 'x'))
    for (let time = 0; time < 3; time += 1) await expect((await log.read(0))!.body()).rejects.toThrow('damaged')
    await put(pressed)
    for (let time = 0; time < 3; time += 1) expect((await (await log.read(0))!.body()).byteLength).toBe(1_000_000)
  })

  test('is gone when its life is over', async () => {
    const clock = handClock()
    const store = memoryStore({ clock })
    const log = openLog(store, 'job', () => ({ ttl: 1000 }))
    await log.append(0, segment('a'))
    await clock.pass(999)
    expect(await log.read(0)).toBeDefined()
    await clock.pass(1)
    expect(await log.read(0)).toBeUndefined()
  })
})

/** Files in memory that can be away. */
function someFiles() {
  const files = new Map<string, NewBlob>()
  const state = { isAway: false, reads: 0 }
  const answering = (): void => {
    if (state.isAway) throw new Error('The files are away.')
  }
  const blobs: Blobs = {
    lasts: 'shared',
    put: async ({ id = randomUUID(), ...blob }) => {
      answering()
      files.set(id, { ...blob, bytes: Buffer.from(blob.bytes) })
      return { id }
    },
    get: async (id): Promise<Blob | undefined> => {
      answering()
      state.reads += 1
      return files.get(id)
    },
    close: async () => undefined,
  }
  return { files, state, blobs }
}

describe('a log whose bodies are in files', () => {
  const setUp = (from = 10_000) => {
    const { files, state, blobs } = someFiles()
    const [store, clock] = [memoryStore(), handClock()]
    const refused: unknown[] = []
    const bodies = bodiesInFiles({ blobs, from, clock, refused: (error) => refused.push(error) })
    const log = openLog(store, 'job', () => ({ ttl: 60_000 }), { bodies })
    return { files, state, store, clock, refused, log }
  }
  const words = Buffer.from(JSON.stringify(Array.from({ length: 90_000 }, (_, number) => ({ number }))))

  test.each([
    { is: 'compressed', body: words },
    { is: 'kept as it is', body: randomBytes(50_000) },
  ])('has a body that is $is there, and only its head in the store', async ({ body }) => {
    const { files, state, store, log } = setUp()
    expect(await log.append(0, { head: { what: 'é' }, body: [body.subarray(0, 20_000), body.subarray(20_000)] })).toBe(
      true,
    )
    expect(((await store.get('job/log/0')) as Uint8Array).length).toBeLessThan(200)
    expect([...files.values()]).toMatchObject([{ isLasting: true }])
    const segment = await log.read(0)
    expect([segment?.head, state.reads]).toEqual([{ what: 'é' }, 0])
    expect(Buffer.compare(await segment!.body(), body)).toBe(0)
    segment!.free()
  })

  test('has small bodies in the store', async () => {
    const { files, log } = setUp()
    await log.append(0, segment('mine', 'body'))
    expect(files.size).toBe(0)
  })

  test('tells a writer whose answer was lost, on asking again, that the place is its own', async () => {
    const { files, log } = setUp()
    const body = randomBytes(50_000)
    for (const _ of [1, 2]) expect(await log.append(0, { head: 'mine', body: [body] })).toBe(true)
    expect(files.size).toBe(1)
    expect(await log.append(0, { head: 'mine', body: [randomBytes(50_000)] })).toBe(false)
  })

  test('has in the store what files do not take, and asks them again after a while', async () => {
    const { files, state, clock, refused, log } = setUp()
    const bodies = [1, 2, 3].map(() => randomBytes(50_000))
    const append = (place: number) => log.append(place, { head: place, body: [bodies[place]!] })
    state.isAway = true
    await append(0)
    state.isAway = false
    await append(1)
    await clock.pass(15_000)
    await append(2)
    expect([files.size, refused.length]).toEqual([1, 1])
    const read = await log.readMany([0, 1, 2])
    for (const [place, one] of read.entries()) expect(Buffer.compare(await one!.body(), bodies[place]!)).toBe(0)
  })

  test('says of a body whose file is gone that the store is damaged, and reads it when it is back', async () => {
    const { files, log } = setUp()
    const body = randomBytes(50_000)
    await log.append(0, { head: 'mine', body: [body] })
    const [[id, file]] = [...files] as [[string, NewBlob]]
    files.clear()
    await expect((await log.read(0))!.body()).rejects.toMatchObject({ details: { reason: 'damaged' } })
    files.set(id, file)
    expect(Buffer.compare(await (await log.read(0))!.body(), body)).toBe(0)
  })
})
