// The stored requests to people, with a store in memory.
import { expect, test } from 'vitest'

import { peopleBench, personTask } from '../fixtures/people-bench.ts'
import { linkOf } from './records.ts'

const team = personTask.team

test('a request whose time is over has ended, whoever reads it, and a new one can be added', async () => {
  const { clock, records } = peopleBench()
  const { record } = await records.add(personTask)
  await clock.pass(60_000)
  const end = { at: record.expiresAt, result: 'timeout' }
  expect(await records.list(team)).toMatchObject([{ end }])
  expect(await records.find(team, record.id)).toMatchObject({ end })
  expect(await records.ofLink(linkOf(record))).toMatchObject({ end })
  const changed = await records.change(team, record.id, (one) => ({ ...one, end: { at: 0, result: 'done' } }))
  expect(changed).toMatchObject({ end })
  const next = await records.add(personTask)
  expect(next).toMatchObject({ isNew: true, record: { id: expect.not.stringContaining(record.id) } })
})

test('an open request with the same key is returned and is not new', async () => {
  const { records } = peopleBench()
  const { record, isNew } = await records.add(personTask)
  expect([isNew, await records.add(personTask)]).toMatchObject([true, { isNew: false, record: { id: record.id } }])
})

test('the last job that leaves cancels its request at once', async () => {
  const { clock, records } = peopleBench()
  const { record } = await records.add({ ...personTask, job: 'one' })
  const end = { at: clock.now(), result: 'cancelled' }
  expect(await records.leave(team, 'one')).toMatchObject([{ id: record.id, end }])
  expect(await records.join(record, 'two', 60)).toMatchObject({ end, waiters: [] })
})

test('a request stays open if more jobs wait than are listed', async () => {
  const { clock, records } = peopleBench()
  const { record } = await records.add({ ...personTask, job: 'one' })
  const others = Array.from({ length: 999 }, (_, number) => ({ job: `${number}`, until: record.expiresAt }))
  await records.change(team, record.id, (one) => ({ ...one, waiters: [...others, ...(one.waiters ?? [])] }))
  const joined = await records.join(record, 'two', 600)
  expect(joined).toMatchObject({ hasMoreWaiters: true, expiresAt: clock.now() + 600_000 })
  await records.change(team, record.id, (one) => ({ ...one, waiters: [{ job: 'one', until: one.expiresAt }] }))
  expect(await records.leave(team, 'one')).toEqual([])
  expect((await records.find(team, record.id))?.end).toBeUndefined()
})

test('requests whose time is over do not count towards the limit of a team', async () => {
  const { clock, records } = peopleBench()
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  for (const number of numbers) await records.add({ ...personTask, host: `${number}.example` })
  await expect(records.add(personTask)).rejects.toMatchObject({ code: 'conflict' })
  await clock.pass(60_000)
  expect(await records.add(personTask)).toMatchObject({ isNew: true })
})

test('an open request is kept however many newer ones have ended', async () => {
  const { records } = peopleBench()
  const { record } = await records.add(personTask)
  for (let number = 0; number < 510; number += 1) {
    const { record: other } = await records.add({ ...personTask, host: `${number}.example` })
    await records.change(team, other.id, (one) => ({ ...one, end: { at: one.createdAt, result: 'done' } }))
  }
  expect(await records.find(team, record.id)).toBeDefined()
  expect(await records.list(team)).toHaveLength(500)
})

test('a message is shortened, and its URLs have no queries', async () => {
  const { records } = peopleBench()
  const secret =
    'https://shop.example/a?token=secret redirected to https://shop.example/login?next=/a#b, which has a form.'
  const { record } = await records.add({ ...personTask, message: `${secret} ${'x'.repeat(1_000)}` })
  expect(record.message).toContain(
    'https://shop.example/a redirected to https://shop.example/login, which has a form. xxx',
  )
  expect(record.message).toHaveLength(500)
})
