import assert from 'node:assert/strict'

import type { Clock, Queue, Task } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { handClock, settle, type HandClock } from '../fakes/hand-clock.ts'
import { gate, until } from './until.ts'

/** Creates an empty queue that uses the given clock. */
export type MakeQueue = (given: { readonly clock: Clock }) => Queue | Promise<Queue>

interface Bench {
  readonly queue: Queue
  readonly clock: HandClock
  /** Blocks handlers until it is opened, which happens at the end of the case at the latest. */
  readonly hold: { readonly opened: Promise<void>; readonly open: () => void }
}

function rule(name: string, check: (bench: Bench) => Promise<void>) {
  const run = async (make: MakeQueue) => {
    const clock = handClock()
    const queue = await make({ clock })
    const hold = gate()
    try {
      await check({ queue, clock, hold })
    } finally {
      hold.open()
      await queue.close()
    }
  }
  return { name, run }
}

const task = (id: string): Task => ({ id, kind: 'test', body: { of: [id] } })

const handedOut: Contract<MakeQueue> = [
  rule('a task that is pushed before anybody consumes is handed out, as it was pushed', async ({ queue, clock }) => {
    await queue.push({ id: 'one', kind: 'test', body: { list: [1, 'ü', null] } })
    const seen: Task[] = []
    await queue.consume(async (task) => void seen.push(task), { kind: 'test', concurrency: 1 })
    await until('the task is handed out', () => seen.length > 0, clock)
    assert.deepEqual(seen[0], { id: 'one', kind: 'test', body: { list: [1, 'ü', null] } })
  }),
  rule('a task that is pushed while a consumer runs is handed out', async ({ queue, clock }) => {
    const seen: string[] = []
    await queue.consume(async ({ id }) => void seen.push(id), { kind: 'test', concurrency: 2 })
    await queue.push(task('one'))
    await until('the first task is handed out', () => seen.includes('one'), clock)
    await queue.push(task('two'))
    await until('the second task is handed out', () => seen.includes('two'), clock)
  }),
  rule('a consumer is handed tasks of its kind and no others', async ({ queue, clock }) => {
    const seen: Task[] = []
    const consume = (kind: string) => queue.consume(async (task) => void seen.push(task), { kind, concurrency: 1 })
    await consume('test')
    await queue.push({ ...task('other'), kind: 'other' })
    await queue.push(task('one'))
    await until('the task is handed out', () => seen.length > 0, clock)
    await settle(10)
    assert.deepEqual(seen, [task('one')])
    await consume('other')
    await until('the other task is handed out', () => seen.length > 1, clock)
    assert.deepEqual(seen[1], { ...task('other'), kind: 'other' })
  }),
  rule('every one of a thousand tasks is handed out', async ({ queue, clock }) => {
    const seen = new Set<string>()
    const numbers = Array.from({ length: 1000 }, (_, index) => index)
    await Promise.all(numbers.slice(0, 500).map((number) => queue.push(task(`task ${number}`))))
    await queue.consume(async ({ id }) => void seen.add(id), { kind: 'test', concurrency: 8 })
    await Promise.all(numbers.slice(500).map((number) => queue.push(task(`task ${number}`))))
    await until('all tasks are handed out', () => seen.size === 1000, clock)
  }),
  rule('at most as many handlers run at once as was said, and as many do', async ({ queue, clock, hold }) => {
    const { opened, open } = hold
    let [now, most, done] = [0, 0, 0]
    for (let number = 0; number < 20; number += 1) await queue.push(task(`task ${number}`))
    const handle = async () => {
      now += 1
      most = Math.max(most, now)
      await opened
      now -= 1
      done += 1
    }
    await queue.consume(handle, { kind: 'test', concurrency: 3 })
    await until('three handlers run', () => now === 3, clock)
    await settle(20)
    assert.equal(now, 3)
    open()
    await until('all tasks are done', () => done === 20, clock)
    assert.equal(most, 3)
  }),
  rule('a higher priority is handed out earlier', async ({ queue, clock }) => {
    const priorities = [0, 5, -3, 9, 5, 0, 9, 2]
    for (const [index, priority] of priorities.entries()) await queue.push(task(`${priority} ${index}`), { priority })
    await queue.push(task('0 none'))
    const seen: number[] = []
    await queue.consume(async ({ id }) => void seen.push(Number(id.split(' ')[0])), { kind: 'test', concurrency: 1 })
    await until('all tasks are handed out', () => seen.length === 9, clock)
    assert.deepEqual(seen, [9, 9, 5, 5, 2, 0, 0, 0, -3])
  }),
  rule('a delayed task is not handed out before its time', async ({ queue, clock }) => {
    const seen: string[] = []
    await queue.push(task('late'), { delay: 60_000 })
    await queue.push(task('soon'), { delay: 10_000 })
    // A queue on a server uses a clock of its own.
    if (clock.sleeping === 0) return
    await queue.push(task('now'))
    await queue.consume(async ({ id }) => void seen.push(id), { kind: 'test', concurrency: 1 })
    await clock.pass(9999)
    assert.deepEqual(seen, ['now'])
    await clock.pass(1)
    await until('the sooner task is handed out', () => seen.length > 1)
    await clock.pass(49_999)
    assert.deepEqual(seen, ['now', 'soon'])
    await clock.pass(1)
    await until('the later task is handed out', () => seen.length > 2)
  }),
]

const handedOutLater: Contract<MakeQueue> = [
  rule('delayed tasks are handed out when their time has come and not before, by whatever clock', async (bench) => {
    const { queue, clock } = bench
    const seen: { readonly id: string; readonly after: number }[] = []
    const pushed = performance.now()
    await queue.push(task('late'), { delay: 900 })
    await queue.push(task('soon'), { delay: 450 })
    await queue.push(task('now'))
    const isByHand = clock.sleeping > 0
    await queue.consume(async ({ id }) => void seen.push({ id, after: performance.now() - pushed }), {
      kind: 'test',
      concurrency: 1,
    })
    await until('all tasks are handed out', () => seen.length === 3, clock, 50)
    assert.equal(seen[0]?.id, 'now')
    if (isByHand) return
    for (const { id, after } of seen) assert.ok(after >= (delays[id] ?? 0), `"${id}" came after ${after} ms.`)
  }),
]

// A little less than the requested delays, because two clocks are involved.
const delays: Readonly<Record<string, number>> = { now: 0, soon: 440, late: 890 }

const handedOutAgain: Contract<MakeQueue> = [
  rule('a task whose handler rejects is handed out again', async ({ queue, clock }) => {
    let tries = 0
    const handle = async () => {
      tries += 1
      if (tries < 4) throw new Error('not yet')
    }
    await queue.consume(handle, { kind: 'test', concurrency: 1 })
    await queue.push(task('stubborn'))
    await until('the task is handed out four times', () => tries === 4, clock, 10_000)
    await clock.pass(3_600_000)
    assert.equal(tries, 4)
  }),
  rule('a handler that throws before it waits is one that rejects', async ({ queue, clock }) => {
    let tries = 0
    const handle = () => {
      tries += 1
      if (tries < 2) throw new Error('not yet')
      return Promise.resolve()
    }
    await queue.consume(handle, { kind: 'test', concurrency: 1 })
    await queue.push(task('stubborn'))
    await until('the task is handed out again', () => tries === 2, clock, 10_000)
  }),
  rule('a task that always fails does not hold up the others, nor is it tried without rest', async (bench) => {
    const { queue, clock } = bench
    let fails = 0
    const seen = new Set<string>()
    const handle = async ({ id }: Task) => {
      if (id !== 'bad') return void seen.add(id)
      fails += 1
      throw new Error('never')
    }
    await queue.push(task('bad'), { priority: 9 })
    await queue.consume(handle, { kind: 'test', concurrency: 1 })
    for (let number = 0; number < 20; number += 1) await queue.push(task(`task ${number}`))
    await until('the others are handed out', () => seen.size === 20)
    assert.ok(fails < 10, `The bad task was tried ${fails} times while no time passed.`)
    await until('the bad task is tried again', () => fails > 3, clock, 10_000)
  }),
]

const ends: Contract<MakeQueue> = [
  rule('stopping waits for the running handlers and hands out nothing new', async ({ queue, clock, hold }) => {
    const { opened, open } = hold
    const seen: string[] = []
    let isDone = false
    const stop = await queue.consume(
      async ({ id }) => {
        seen.push(id)
        await opened
        isDone = true
      },
      { kind: 'test', concurrency: 1 },
    )
    await queue.push(task('running'))
    await queue.push(task('waiting'))
    await until('a task runs', () => seen.length === 1, clock)
    let isStopped = false
    const stopped = stop().finally(() => {
      isStopped = true
    })
    await settle(10)
    assert.equal(isStopped, false)
    open()
    await stopped
    assert.equal(isDone, true)
    await queue.push(task('later'))
    await clock.pass(1000)
    assert.deepEqual(seen, ['running'])
  }),
  rule('what waits when one consumer stops goes to the next', async ({ queue, clock, hold }) => {
    const { opened, open } = hold
    const [first, second]: [string[], string[]] = [[], []]
    const stop = await queue.consume(
      async ({ id }) => {
        first.push(id)
        await opened
      },
      { kind: 'test', concurrency: 1 },
    )
    for (const id of ['a', 'b', 'c']) await queue.push(task(id))
    await until('a task runs', () => first.length === 1, clock)
    const stopped = stop()
    open()
    await stopped
    await queue.consume(async ({ id }) => void second.push(id), { kind: 'test', concurrency: 1 })
    await until('the rest is handed out', () => first.length + second.length === 3, clock)
    assert.deepEqual([...first, ...second].sort(), ['a', 'b', 'c'])
  }),
  rule('two consumers share the tasks', async ({ queue, clock, hold }) => {
    const { opened, open } = hold
    const seen: string[] = []
    const consume = (name: string) =>
      queue.consume(
        async ({ id }) => {
          seen.push(`${name} ${id}`)
          await opened
        },
        { kind: 'test', concurrency: 1 },
      )
    await Promise.all([consume('one'), consume('other')])
    for (const id of ['a', 'b', 'c', 'd']) await queue.push(task(id))
    await until('both have a task', () => seen.length === 2, clock)
    assert.notEqual(seen[0]?.split(' ')[0], seen[1]?.split(' ')[0])
    open()
    await until('all tasks are handed out', () => seen.length === 4, clock)
    assert.equal(new Set(seen.map((line) => line.split(' ')[1])).size, 4)
  }),
  rule('closing aborts the signal of running handlers, waits for them and hands out nothing new', async (bench) => {
    const { queue, clock } = bench
    const seen: string[] = []
    let isDone = false
    const handle = async ({ id }: Task, signal: AbortSignal) => {
      seen.push(id)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      await settle(5)
      isDone = true
      throw signal.reason
    }
    await queue.consume(handle, { kind: 'test', concurrency: 1 })
    await queue.push(task('running'))
    await queue.push(task('waiting'))
    await until('a task runs', () => seen.length === 1, clock)
    await queue.close()
    assert.equal(isDone, true)
    await clock.pass(3_600_000)
    assert.deepEqual(seen, ['running'])
  }),
  rule('a handler whose task goes on is not aborted', async ({ queue, clock }) => {
    const signals: AbortSignal[] = []
    await queue.consume(async (_, signal) => void signals.push(signal), { kind: 'test', concurrency: 1 })
    await queue.push(task('one'))
    await until('the task is handed out', () => signals.length === 1, clock)
    assert.equal(signals[0]?.aborted, false)
  }),
  rule('a queue that takes tasks passes its check', async ({ queue }) => {
    await queue.check?.()
    await queue.push(task('one'))
    await queue.check?.()
  }),
  rule('every call after closing rejects, but closing again', async ({ queue }) => {
    await queue.close()
    await assert.rejects(queue.push(task('late')))
    await assert.rejects(queue.consume(async () => undefined, { kind: 'test', concurrency: 1 }))
    if (queue.check) await assert.rejects(queue.check())
    await queue.close()
  }),
]

/** The contract of the `Queue` port. */
export const queueContract: Contract<MakeQueue> = [...handedOut, ...handedOutLater, ...handedOutAgain, ...ends]

/** Creates a queue whose server is unreachable. */
export type MakeAwayQueue = () => Queue | Promise<Queue>

const failed = { code: 'store_failed', details: { reason: 'away' } }

const away = (name: string, call: (queue: Queue) => Promise<void> | undefined) => ({
  name,
  run: async (make: MakeAwayQueue) => {
    const queue = await make()
    try {
      await assert.rejects(async () => {
        // A health check gives up after 3 seconds, and would then not know which server is unreachable.
        await Promise.race([call(queue), new Promise((resolve) => setTimeout(resolve, 3_000).unref())])
      }, failed)
    } finally {
      await queue.close()
    }
  },
})

/** The rules of a `Queue` on a server, for when the server is unreachable. */
export const queueAwayContract: Contract<MakeAwayQueue> = [
  away('the check of a queue whose server is away says so', (queue) => queue.check?.()),
  away('a push to a queue whose server is away fails soon', (queue) => queue.push(task('one'))),
]
