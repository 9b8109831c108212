import { handClock, settle } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { Task } from '@harvestman/ports'
import { embeddedQueue } from './embedded.ts'

const task = (id: string): Task => ({ id, kind: 'test', body: null })

test('the rest of a failing task doubles up to the most, and then stays', async () => {
  const clock = handClock()
  const queue = embeddedQueue({ clock, backoff: { first: 100, longest: 1000 } })
  const start = clock.now()
  const times: number[] = []
  await queue.consume(
    () => {
      times.push(clock.now() - start)
      return Promise.reject(new Error('no'))
    },
    { kind: 'test', concurrency: 1 },
  )
  await queue.push(task('bad'))
  await clock.pass(4000)
  expect(times).toEqual([0, 100, 300, 700, 1500, 2500, 3500])
  await queue.close()
})

test('a task that fails keeps its priority', async () => {
  const clock = handClock()
  const queue = embeddedQueue({ clock })
  const seen: string[] = []
  let hasFailed = false
  await queue.push(task('high'), { priority: 5 })
  await queue.consume(
    async ({ id }) => {
      seen.push(id)
      if (id === 'high' && !hasFailed) {
        hasFailed = true
        throw new Error('no')
      }
      if (id === 'long') await clock.sleep(5000, new AbortController().signal)
    },
    { kind: 'test', concurrency: 1 },
  )
  await settle()
  await queue.push(task('long'))
  await queue.push(task('low'))
  await clock.pass(6000)
  expect(seen).toEqual(['high', 'long', 'high', 'low'])
  await queue.close()
})

test('many delayed tasks sleep one sleep, which ends when the queue is closed', async () => {
  const clock = handClock()
  const queue = embeddedQueue({ clock })
  for (let delay = 1000; delay > 0; delay -= 1) await queue.push(task(`in ${delay}`), { delay: delay * 1000 })
  await settle()
  expect(clock.sleeping).toBe(1)
  await queue.close()
  expect(clock.sleeping).toBe(0)
})

test('a delay that is shorter than the one slept for is not late', async () => {
  const clock = handClock()
  const queue = embeddedQueue({ clock })
  const seen: string[] = []
  await queue.consume(async ({ id }) => void seen.push(id), { kind: 'test', concurrency: 1 })
  await queue.push(task('later'), { delay: 10_000 })
  await queue.push(task('sooner'), { delay: 10 })
  await clock.pass(10)
  expect(seen).toEqual(['sooner'])
  await queue.close()
})

test('handlers that never wait for anything leave the event loop its turns', async () => {
  const queue = embeddedQueue()
  let done = 0
  for (let number = 0; number < 10_000; number += 1) await queue.push(task(`task ${number}`))
  await queue.consume(async () => void (done += 1), { kind: 'test', concurrency: 1 })
  await settle(2)
  expect(done).toBeGreaterThan(0)
  expect(done).toBeLessThan(10_000)
  await queue.close()
})

test('no team has all of the places, and what waits comes in turns', async () => {
  const queue = embeddedQueue()
  const started: string[] = []
  const never = (_: Task, signal: AbortSignal): Promise<void> =>
    new Promise((go) => signal.addEventListener('abort', () => go(), { once: true }))
  for (let number = 0; number < 50; number += 1) await queue.push({ ...task(`a${number}`), team: 'a' })
  await queue.consume((next, signal) => (started.push(next.id), never(next, signal)), {
    kind: 'test',
    concurrency: 5,
    perTeam: 3,
  })
  await settle()
  expect(started).toEqual(['a0', 'a1', 'a2'])
  await queue.push({ ...task('b0'), team: 'b' })
  await settle()
  expect(started).toEqual(['a0', 'a1', 'a2', 'b0'])
  await queue.close()
})
