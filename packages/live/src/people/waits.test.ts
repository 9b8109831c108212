// Pages that wait for a person, in engines that share a store in memory.
import type { PageAttempt } from '@harvestman/core/plugin'
import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { peopleBench, personTask } from '../fixtures/people-bench.ts'

const { team, url } = personTask
const loggedOut = new EngineError('logged_out', 'The profile is logged out.')

/** An attempt of a job that started at this time. */
function attemptAt(startedAt: number): PageAttempt {
  const request = { url, profile: { name: 'shop', saveChanges: false }, person: { timeout: 60 } }
  // Cast: waits use no other options.
  return { request: request as unknown as PageAttempt['request'], team, id: 'job', startedAt, triedAt: startedAt }
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
