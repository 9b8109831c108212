// Pages that wait for a person, in engines that share a store in memory.
import type { PageAttempt } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { peopleBench, personTask } from '../fixtures/people-bench.ts'

const { team, url } = personTask
const loggedOut = new EngineError('logged_out', 'The profile is logged out.')

/** An attempt of a job that started at this time. */
function attemptAt(startedAt: number, id = 'job', timeout = 60): PageAttempt {
  const request = { url, profile: { name: 'shop', saveChanges: false }, person: { timeout } }
  // Cast: waits use no other options.
  return { request: request as unknown as PageAttempt['request'], team, id, startedAt, triedAt: startedAt }
}

test('the pages of a request whose time is over fail, and the next job asks again', async () => {
  const { clock, engine } = peopleBench()
  const { waits, sent } = engine()
  const attempt = attemptAt(clock.now())
  const wait = await waits.after(attempt, loggedOut)
  await clock.pass(62_000)
  await expect(wait?.over).rejects.toMatchObject({
    code: 'logged_out',
    message: expect.stringContaining('was not done in time'),
    details: { person: 'timeout', final: true },
  })
  await expect(waits.before(attempt)).rejects.toMatchObject({ code: 'logged_out' })
  const later = attemptAt(clock.now())
  expect(await waits.before(later)).toBeUndefined()
  await waits.after(later, loggedOut)
  await clock.pass(0)
  expect(sent).toHaveLength(2)
})

test('a request that nobody followed until its time was over does not fail later jobs', async () => {
  const { clock, records, engine } = peopleBench()
  await records.add(personTask)
  await clock.pass(120_000)
  expect(await engine().waits.before(attemptAt(clock.now()))).toBeUndefined()
})

test('a link is sent once by the engine that asks, and by another one if that was killed before', async () => {
  const { clock, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  first.canSend = false
  const record = await first.waits.ask({ ...personTask, timeout: 3_600 })
  second.waits.wait(record).catch(() => undefined)
  await clock.pass(300_000)
  expect(second.sent).toEqual([])
  first.kill()
  await clock.pass(300_000)
  expect(second.sent).toMatchObject([{ id: record.id }])
})

test('the wait for an ended request is not that of a newer one', async () => {
  const { clock, engine } = peopleBench()
  const { waits, browsers, sent } = engine()
  const old = await waits.ask(personTask)
  const ended = await browsers.finish(old, 'done')
  const next = await waits.ask(personTask)
  expect(next.id).not.toBe(old.id)
  await waits.wait(ended)
  let isOver = false
  void waits.wait(next).then(() => (isOver = true))
  await clock.pass(5_000)
  expect([isOver, sent.map(({ id }) => id)]).toEqual([false, [old.id, next.id]])
})

test('a request after one that another engine has just ended is sent', async () => {
  const { clock, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const old = await first.waits.ask(personTask)
  await second.browsers.finish(old, 'done')
  const next = await first.waits.ask(personTask)
  await clock.pass(0)
  expect(first.sent.map(({ id }) => id)).toEqual([old.id, next.id])
})

test('each job waits for a shared request for its own time, from the time on at which it joins', async () => {
  const { clock, records, engine } = peopleBench()
  const { waits, sent } = engine()
  const [short, long] = [attemptAt(clock.now(), 'short', 60), attemptAt(clock.now(), 'long', 600)]
  const first = await waits.after(short, loggedOut)
  const second = await waits.before(long)
  let isOver = false
  const ended = second?.over.catch(() => undefined).then(() => (isOver = true))
  await clock.pass(61_000)
  await expect(first?.over).rejects.toMatchObject({ details: { person: 'timeout', final: true } })
  await expect(waits.before(short)).rejects.toMatchObject({ code: 'logged_out', details: { person: 'timeout' } })
  expect([isOver, sent.length, (await records.list(team))[0]?.end]).toEqual([false, 1, undefined])
  await clock.pass(540_000)
  await ended
  expect((await records.list(team))[0]?.end?.result).toBe('timeout')
})

test('the time of a job continues after a restart', async () => {
  const { clock, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const [short, long] = [attemptAt(clock.now(), 'short', 60), attemptAt(clock.now(), 'long', 600)]
  await first.waits.after(long, loggedOut)
  await first.waits.before(short)
  first.kill()
  await clock.pass(50_000)
  const wait = await second.waits.before(short)
  await clock.pass(11_000)
  await expect(wait?.over).rejects.toMatchObject({ details: { person: 'timeout' } })
})

test('a request ends when the last job that waits for it has ended, and the next job asks again', async () => {
  const { clock, records, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  const wait = await first.waits.after(attemptAt(clock.now(), 'one'), loggedOut)
  await second.waits.before(attemptAt(clock.now(), 'two'))
  await first.waits.ended?.({ team, id: 'one' })
  expect((await records.list(team))[0]?.end).toBeUndefined()
  await second.waits.ended?.({ team, id: 'two' })
  expect((await records.list(team))[0]?.end?.result).toBe('cancelled')
  await clock.pass(1_000)
  await expect(wait?.over).rejects.toMatchObject({ details: { person: 'cancelled' } })
  const next = attemptAt(clock.now() - 500, 'three')
  expect(await first.waits.before(next)).toBeUndefined()
  await first.waits.after(next, loggedOut)
  expect(await records.list(team)).toHaveLength(2)
})

test('a job that joins a request that has just been cancelled loads its page, and asks again', async () => {
  const { clock, records, engine } = peopleBench()
  const [first, second] = [engine(), engine()]
  await first.waits.after(attemptAt(clock.now(), 'one'), loggedOut)
  await second.waits.before(attemptAt(clock.now(), 'one'))
  await first.waits.ended?.({ team, id: 'one' })
  await clock.pass(1)
  const attempt = attemptAt(clock.now(), 'two')
  expect(await second.waits.before(attempt)).toBeUndefined()
  expect(await second.waits.after(attempt, loggedOut)).toBeDefined()
  expect(await records.list(team)).toMatchObject([{ waiters: [{ job: 'two' }] }, { end: { result: 'cancelled' } }])
})

test('a request of a caller, which no job created, stays open when a job that waits for it ends', async () => {
  const { clock, records, engine } = peopleBench()
  const { waits } = engine()
  const { id } = await waits.ask({ ...personTask, timeout: 3_600 })
  await waits.before(attemptAt(clock.now(), 'one'))
  await waits.ended?.({ team, id: 'one' })
  expect((await records.find(team, id))?.end).toBeUndefined()
})
