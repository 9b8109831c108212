import PQueue from 'p-queue'

import { EngineError } from '../errors/error.ts'
import { systemClock } from '../lib/clock.ts'
import type { Clock } from '../ports/clock.ts'
import type { Queue, Stop, Task, TaskHandler } from '../ports/queue.ts'
import { delayLine } from './delay-line.ts'
import { waitingList } from './waiting.ts'

export interface EmbeddedQueueOptions {
  readonly clock?: Clock
  /** How long a task rests after its handler rejected: doubled each time, from the first to the most. */
  readonly backoff?: { readonly first: number; readonly most: number }
}

interface Waiting {
  readonly task: Task
  readonly priority: number
  /** How often it was handed out before. */
  readonly tries: number
}

/** Where a consumer gets its tasks from, and gives back those that failed. */
interface Source {
  readonly size: () => number
  readonly take: () => Waiting | undefined
  readonly failed: (waiting: Waiting) => void
}

interface Consumer {
  /** Starts as much as there is to do and room for. */
  feed(): void
  stop(): Promise<void>
  abort(reason: unknown): void
}

// p-queue keeps to the concurrency, and is given slices of this many tasks, never the tasks: waiting in p-queue costs
// 900 bytes and, with priorities, linear time each. Between two slices the event loop gets a turn.
const sliceLength = 64
const usualBackoff = { first: 1000, most: 60_000 }

/** Hands out tasks within this process, and forgets them with it. */
export function embeddedQueue({ clock = systemClock, backoff = usualBackoff }: EmbeddedQueueOptions = {}): Queue {
  const waiting = waitingList<Waiting>()
  const consumers = new Set<Consumer>()
  let isClosed = false

  const mustBeOpen = () => {
    if (isClosed) throw closedError()
  }
  const enqueue = (next: Waiting) => {
    waiting.push(next, next.priority)
    for (const consumer of consumers) consumer.feed()
  }
  const delayed = delayLine(clock, enqueue)
  const source: Source = {
    size: () => waiting.size,
    take: () => waiting.take(),
    failed(last) {
      const rest = Math.min(backoff.first * 2 ** last.tries, backoff.most)
      if (!isClosed) delayed.push({ ...last, tries: last.tries + 1 }, rest)
    },
  }

  return {
    reach: 'process',
    async push(task, { delay = 0, priority = 0 } = {}) {
      mustBeOpen()
      const next = { task, priority, tries: 0 }
      if (delay > 0) delayed.push(next, delay)
      else enqueue(next)
    },
    async consume(handle, { concurrency }): Promise<Stop> {
      mustBeOpen()
      const consumer = startConsumer(handle, concurrency, source)
      consumers.add(consumer)
      consumer.feed()
      return async () => {
        await consumer.stop()
        consumers.delete(consumer)
      }
    },
    async close() {
      isClosed = true
      delayed.clear()
      waiting.clear()
      for (const consumer of consumers) consumer.abort(closedError())
      await Promise.all([...consumers].map((consumer) => consumer.stop()))
    },
  }
}

function startConsumer(handle: TaskHandler, concurrency: number, { size, take, failed }: Source): Consumer {
  const pool = new PQueue({ concurrency })
  const running = new Set<AbortController>()
  let slices = 0
  let isStopped = false

  const handOut = async (next: Waiting) => {
    const controller = new AbortController()
    running.add(controller)
    try {
      await handle(next.task, controller.signal)
    } catch {
      failed(next)
    } finally {
      running.delete(controller)
    }
  }
  const workSlice = async () => {
    for (let count = 0; count < sliceLength; count += 1) {
      const next = isStopped ? undefined : take()
      if (next === undefined) return
      await handOut(next)
    }
    await new Promise(setImmediate)
  }
  const feed = () => {
    const free = isStopped ? 0 : Math.min(concurrency - slices, size())
    slices += Math.max(free, 0)
    for (let count = 0; count < free; count += 1) void pool.add(workSlice).finally(endSlice)
  }
  const endSlice = () => {
    slices -= 1
    feed()
  }

  return {
    feed,
    async stop() {
      isStopped = true
      await pool.onIdle()
    },
    abort(reason) {
      for (const controller of running) controller.abort(reason)
    },
  }
}

const closedError = () => new EngineError('closed', 'The queue was closed.')
