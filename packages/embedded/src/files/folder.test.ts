import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import type { Clock } from '@harvestman/ports'
import { fileBlobs } from './folder.ts'

function someFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function someClock(start = 1_000_000_000_000) {
  let now = start
  const clock: Clock = { now: () => now, sleep: async () => undefined }
  return { clock, pass: (ms: number) => void (now += ms) }
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3])
const file = { bytes: png, type: 'image/png', team: 'one', ttl: 60_000 }

test('a program can open the file at the address it is given', async () => {
  await using blobs = opened(someFolder())
  const { url = '' } = await blobs.put(file)
  expect(url).toMatch(/^file:.*\.png$/)
  expect(new Uint8Array(readFileSync(fileURLToPath(url)))).toEqual(png)
})

test('only its owner can read the folder and what is in it', async () => {
  const folder = join(someFolder(), 'deep', 'inside')
  await using blobs = opened(folder)
  await blobs.put(file)
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    expect(statSync(path).mode & 0o077).toBe(0)
  }
})

test('a file that takes the place of one of another type leaves nothing of it', async () => {
  const folder = someFolder()
  const id = '3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718'
  await using blobs = opened(folder)
  await blobs.put({ ...file, id })
  await blobs.put({ ...file, id, type: 'application/pdf' })
  expect(readdirSync(folder).toSorted()).toEqual([`${id}.json`, `${id}.pdf`])
})

test('another process that uses the folder finds what was kept', async () => {
  const folder = someFolder()
  await using writer = opened(folder)
  await using reader = opened(folder)
  const { id } = await writer.put(file)
  expect(await reader.get(id)).toMatchObject({ type: 'image/png', team: 'one' })
})

test('what has had its time is removed from the disk when the folder is opened again, and nothing else', async () => {
  const folder = someFolder()
  const { clock, pass } = someClock()
  await using first = opened(folder, clock)
  await first.put(file)
  const { id } = await first.put({ ...file, ttl: 600_000 })
  writeFileSync(join(folder, 'notes.txt'), 'of another program')
  utimesSync(join(folder, 'notes.txt'), 1, 1)
  pass(60_000)
  await using second = opened(folder, clock)
  const { id: newest } = await second.put(file)
  const left = readdirSync(folder).toSorted()
  expect(left).toEqual(['notes.txt', ...[id, newest].flatMap((one) => [`${one}.json`, `${one}.png`])].toSorted())
})

test('what a process that died left half written is removed later, and what is being written is not', async () => {
  const folder = someFolder()
  const { clock } = someClock(Date.now())
  const [old, fresh] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
  for (const id of [old, fresh]) writeFileSync(join(folder, `${id}.png.part`), 'half')
  const longAgo = (Date.now() - 2 * 3_600_000) / 1_000
  utimesSync(join(folder, `${old}.png.part`), longAgo, longAgo)
  await using blobs = opened(folder, clock)
  await blobs.put(file)
  const drafts = readdirSync(folder).filter((name) => name.endsWith('.part'))
  expect(drafts).toEqual([`${fresh}.png.part`])
})

test('when there is no room, what would be gone soonest goes first', async () => {
  const folder = someFolder()
  const { clock } = someClock()
  await using blobs = opened(folder, clock, 10_000)
  const soon = await blobs.put({ ...file, bytes: new Uint8Array(4_000), ttl: 1_000 })
  const late = await blobs.put({ ...file, bytes: new Uint8Array(4_000), ttl: 9_000 })
  const third = await blobs.put({ ...file, bytes: new Uint8Array(4_000), ttl: 5_000 })
  const found = await Promise.all([soon, late, third].map(({ id }) => blobs.get(id)))
  expect(found.map((one) => one !== undefined)).toEqual([false, true, true])
  await expect(blobs.put({ ...file, bytes: new Uint8Array(10_001) })).rejects.toMatchObject({ code: 'store_failed' })
})

test('what is to last is not removed to make room, and is refused where it has none', async () => {
  const folder = someFolder()
  const { clock } = someClock()
  await using blobs = opened(folder, clock, 10_000)
  const lasting = { ...file, bytes: new Uint8Array(4_000), isLasting: true }
  const kept = await blobs.put({ ...lasting, ttl: 1_000 })
  const picture = await blobs.put({ ...file, bytes: new Uint8Array(4_000), ttl: 9_000 })
  const also = await blobs.put({ ...lasting, ttl: 5_000 })
  const found = await Promise.all([kept, picture, also].map(({ id }) => blobs.get(id)))
  expect(found.map((one) => one !== undefined)).toEqual([true, false, true])
  await expect(blobs.put(lasting)).rejects.toMatchObject({ code: 'store_failed' })
  expect(await blobs.get(kept.id)).toBeDefined()
})

test('a lasting file that replaces one with the same id takes the space of one', async () => {
  const id = '3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718'
  await using blobs = opened(someFolder(), undefined, 10_000)
  const lasting = { ...file, bytes: new Uint8Array(4_000), isLasting: true }
  for (const _ of [1, 2, 3]) await blobs.put({ ...lasting, id })
  expect(await blobs.get(id)).toBeDefined()
})

test('a lasting file that cannot be written takes no space', async () => {
  const folder = someFolder()
  await using blobs = opened(folder, undefined, 10_000)
  const lasting = { ...file, bytes: new Uint8Array(4_000), isLasting: true }
  const id = '3f2a8c1e-5b7d-8e90-a1b2-c3d4e5f60718'
  await blobs.put(file)
  // A folder at the path of the file fails each write.
  mkdirSync(join(folder, `${id}.lasting`))
  for (const _ of [1, 2, 3]) await expect(blobs.put({ ...lasting, id })).rejects.toMatchObject({ code: 'store_failed' })
  rmSync(join(folder, `${id}.lasting`), { recursive: true })
  await Promise.all([blobs.put(lasting), blobs.put(lasting)])
  await expect(blobs.put(lasting)).rejects.toMatchObject({ code: 'store_failed' })
})

test('a folder that cannot be made is a failure that says so, each time', async () => {
  const taken = join(someFolder(), 'file')
  writeFileSync(taken, '')
  await using blobs = opened(join(taken, 'inside'))
  for (const _ of [1, 2]) await expect(blobs.put(file)).rejects.toMatchObject({ code: 'store_failed' })
})

function opened(folder: string, clock?: Clock, bytes?: number) {
  const blobs = fileBlobs(folder, { clock, bytes })
  return { ...blobs, [Symbol.asyncDispose]: () => blobs.close() }
}
