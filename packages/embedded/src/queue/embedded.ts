import PQueue from 'p-queue'

import {
  type Clock,
  type ConsumeOptions,
  EngineError,
  type Queue,
  type Stop,
  type Task,
  type TaskHandler,
  systemClock,
} from '@harvestman/ports'
import { backoffAfter, type Backoff } from '@harvestman/toolbox/backoff'
import { delayLine } from './delay-line.ts'
import { waitingList } from './waiting.ts'

export interface EmbeddedQueueOptions {
  readonly clock?: Clock
  /** Delays before a task is delivered again after its handler rejected, in milliseconds. Default: 1 s to 1 min. */
  readonly backoff?: Pick<Backoff, 'first' | 'longest'>
}

interface Waiting {
  readonly task: Task
  readonly priority: number
  /** How often it was delivered before. */
  readonly tries: number
}

/** The tasks of one kind. */
interface Line {
  readonly waiting: ReturnType<typeof waitingList<Waiting>>
  readonly consumers: Set<Consumer>
}

/** Where a consumer gets its tasks from and reports failed ones. */
interface Source {
  readonly size: () => number
  readonly has: (may: MayTake) => boolean
  readonly take: (may: MayTake) => Waiting | undefined
  readonly failed: (waiting: Waiting) => void
}

type MayTake = (team: string) => boolean

interface Consumer {
  /** Starts as many tasks as possible. */
  feed(): void
  stop(): Promise<void>
  abort(reason: unknown): void
}

// p-queue limits the concurrency. It gets slices of this many tasks instead of all tasks: a task waiting in p-queue costs 900
// bytes and, with priorities, linear time. The event loop continues between two slices.
const sliceLength = 64
const defaultBackoff = { first: 1000, longest: 60_000 }

/**
 * Creates a queue in the memory of this process. Tasks that fail are repeated with increasing delays; waiting tasks are lost
 * when the process ends. `close` drops these, aborts running tasks and waits for them. Calls after it reject with `closed`.
 */
export function embeddedQueue({ clock = systemClock, backoff = defaultBackoff }: EmbeddedQueueOptions = {}): Queue {
  const lines = new Map<string, Line>()
  let isClosed = false

  const mustBeOpen = () => {
    if (isClosed) throw closedError()
  }
  const lineOf = (kind: string): Line => {
    const line = lines.get(kind) ?? { waiting: waitingList<Waiting>(), consumers: new Set() }
    lines.set(kind, line)
    return line
  }
  const enqueue = (next: Waiting) => {
    const { waiting, consumers } = lineOf(next.task.kind)
    waiting.push(next, next.priority, next.task.team ?? '')
    const [first] = consumers
    for (const consumer of consumers) consumer.feed()
    if (!first) return
    // Consumers are served round-robin, as by a queue server.
    consumers.delete(first)
    consumers.add(first)
  }
  const delayed = delayLine(clock, enqueue)
  const failed = (last: Waiting): void => {
    const tries = last.tries + 1
    if (!isClosed) delayed.push({ ...last, tries }, backoffAfter(tries, backoff))
  }

  return {
    reach: 'process',
    async push(task, { delay = 0, priority = 0 } = {}) {
      mustBeOpen()
      const next = { task, priority, tries: 0 }
      if (delay > 0) delayed.push(next, delay)
      else enqueue(next)
    },
    async consume(handle, options): Promise<Stop> {
      mustBeOpen()
      const { waiting, consumers } = lineOf(options.kind)
      const { has, take } = waiting
      const consumer = startConsumer(handle, options, { size: () => waiting.size, has, take, failed })
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
      const consumers = [...lines.values()].flatMap((line) => [...line.consumers])
      lines.clear()
      for (const consumer of consumers) consumer.abort(closedError())
      await Promise.all(consumers.map((consumer) => consumer.stop()))
    },
  }
}

function startConsumer(
  handle: TaskHandler,
  { concurrency, perTeam = Infinity }: ConsumeOptions,
  { size, has, take, failed }: Source,
): Consumer {
  const pool = new PQueue({ concurrency })
  const running = new Set<AbortController>()
  const byTeam = new Map<string, number>()
  let slices = 0
  let isStopped = false

  const mayTake: MayTake = (team) => (byTeam.get(team) ?? 0) < perTeam
  const count = (team: string, change: 1 | -1): void => {
    const now = (byTeam.get(team) ?? 0) + change
    if (now === 0) byTeam.delete(team)
    else byTeam.set(team, now)
  }
  const handOut = async (next: Waiting) => {
    const { team = '' } = next.task
    const controller = new AbortController()
    running.add(controller)
    count(team, 1)
    try {
      await handle(next.task, controller.signal)
    } catch {
      failed(next)
    } finally {
      running.delete(controller)
      count(team, -1)
    }
  }
  const workSlice = async () => {
    for (let count = 0; count < sliceLength; count += 1) {
      const next = isStopped ? undefined : take(mayTake)
      if (next === undefined) return
      await handOut(next)
    }
    await new Promise(setImmediate)
  }
  const feed = () => {
    const isWanted = !isStopped && has(mayTake)
    const free = isWanted ? Math.min(concurrency - slices, size()) : 0
    slices += Math.max(free, 0)
    for (let started = 0; started < free; started += 1) void pool.add(workSlice).finally(endSlice)
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
