import { memoryStore } from '@harvestman/core'
import { handClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { makeUploads, uploadLimits } from './uploads.ts'

function open() {
  const clock = handClock()
  const store = memoryStore({ clock })
  return { clock, store, uploads: makeUploads({ store, clock, maxBytes: 10, allBytes: 80 }) }
}
const bytes = new Uint8Array([1, 2, 3])
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (error: { code: string }) => error.code,
  )

test('a file is put by its id alone, and read by its team alone, until it is forgotten', async () => {
  const { uploads } = open()
  const { id, maxBytes } = await uploads.open({ name: 'a.pdf', contentType: 'application/pdf' }, 'acme')
  expect(maxBytes).toBe(10)
  expect(await codeOf(uploads.read(id, 'acme'))).toBe('invalid_request')
  await uploads.put(id, bytes)
  expect(await uploads.read(id, 'acme')).toEqual({ name: 'a.pdf', contentType: 'application/pdf', bytes })
  expect(await codeOf(uploads.read(id, 'other'))).toBe('not_found')
  await uploads.forget(id, 'acme')
  expect(await codeOf(uploads.read(id, 'acme'))).toBe('not_found')
  expect(await codeOf(uploads.put(id, bytes))).toBe('not_found')
})

test('a place is gone after its time, with its file', async () => {
  const { uploads, clock, store } = open()
  const { id, expiresAt } = await uploads.open({ name: 'a' }, 'acme')
  expect(Date.parse(expiresAt)).toBe(clock.now() + uploadLimits.life)
  await clock.pass(uploadLimits.life - 1)
  await uploads.put(id, bytes)
  await clock.pass(1)
  expect(await codeOf(uploads.check(id))).toBe('not_found')
  expect(await store.get(`uploads/${id}/bytes`)).toBeUndefined()
})

test('a team has a bounded number of places, and each that is forgotten makes room', async () => {
  const { uploads, clock } = open()
  const opened = await Promise.all(Array.from({ length: 20 }, () => uploads.open({ name: 'a' }, 'acme')))
  expect(await codeOf(uploads.open({ name: 'a' }, 'acme'))).toBe('rate_limited')
  await uploads.open({ name: 'a' }, 'other')
  await uploads.forget(opened[0]?.id ?? '', 'acme')
  await uploads.open({ name: 'a' }, 'acme')
  expect(await codeOf(uploads.open({ name: 'a' }, 'acme'))).toBe('rate_limited')
  await clock.pass(uploadLimits.life)
  await uploads.open({ name: 'a' }, 'acme')
})

test('a file that is larger than may be is refused, told of or put', async () => {
  const { uploads } = open()
  expect(await codeOf(uploads.open({ name: 'a', size: 11 }, 'acme'))).toBe('invalid_request')
  const { id } = await uploads.open({ name: 'a', size: 10 }, 'acme')
  expect(await codeOf(uploads.put(id, new Uint8Array(11)))).toBe('invalid_request')
})

const tenBytes = new Uint8Array(10)

test('files of a team that wait have bounded bytes together, and each that is read makes room', async () => {
  const { uploads, clock } = open()
  const ids = await Promise.all([1, 2, 3].map(async () => (await uploads.open({ name: 'a' }, 'acme')).id))
  const [one = '', two = '', three = ''] = ids
  await uploads.put(one, tenBytes)
  await uploads.put(two, tenBytes)
  // In place of one that is there, it takes no more room.
  await uploads.put(two, tenBytes)
  expect(await codeOf(uploads.put(three, tenBytes))).toBe('rate_limited')
  expect(await codeOf(uploads.read(three, 'acme'))).toBe('invalid_request')
  expect(await codeOf(uploads.open({ name: 'a', size: 10 }, 'acme'))).toBe('rate_limited')
  await uploads.forget(one, 'acme')
  await uploads.put(three, tenBytes)
  await clock.pass(uploadLimits.life)
  const { id } = await uploads.open({ name: 'a', size: 10 }, 'acme')
  await uploads.put(id, tenBytes)
})

test('files of all teams that wait have bounded bytes together, and what was taken stays', async () => {
  const { uploads, clock } = open()
  const put = async (team: string): Promise<string> => {
    const { id } = await uploads.open({ name: 'a' }, team)
    await uploads.put(id, tenBytes)
    return id
  }
  const taken = [...(await Promise.all(['a', 'b', 'c', 'd'].flatMap((team) => [put(team), put(team)])))]
  expect(await codeOf(put('e'))).toBe('rate_limited')
  for (const [at, id] of taken.entries()) expect((await uploads.read(id, 'abcd'[at >> 1]!)).bytes).toHaveLength(10)
  await uploads.forget(taken[0]!, 'a')
  await put('e')
  expect(await codeOf(put('f'))).toBe('rate_limited')
  await clock.pass(uploadLimits.life)
  await put('f')
})
