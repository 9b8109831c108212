import PQueue from 'p-queue'
import { EngineError } from '../errors/error.ts'
import { systemClock } from '../lib/clock.ts'
import { heap } from '../lib/heap.ts'
import type { Clock } from '../ports/clock.ts'
import type { Queue, Stop, Task, TaskHandler } from '../ports/queue.ts'
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

interface Delayed {
  readonly due: number
  readonly waiting: Waiting
}

interface Consumer {
  readonly handle: TaskHandler
  readonly concurrency: number
  readonly pool: PQueue
  isStopped: boolean
  slices: number
}

// p-queue keeps to the concurrency, and is given slices of this many tasks, never the tasks: waiting in p-queue costs
// 900 bytes and, with priorities, linear time each. Between two slices the event loop gets a turn.
const sliceLength = 64
const usualBackoff = { first: 1000, most: 60_000 }

/** Hands out tasks within this process, and forgets them with it. */
export function embeddedQueue({ clock = systemClock, backoff = usualBackoff }: EmbeddedQueueOptions = {}): Queue {
  const waiting = waitingList<Waiting>()
  const consumers = new Set<Consumer>()
  const running = new Set<AbortController>()
  let isClosed = false

  const mustBeOpen = () => {
    if (isClosed) throw closedError()
  }
  const delayed = delayLine(clock, (task) => {
    waiting.push(task, task.priority)
    feed()
  })
  const feed = () => {
    for (const consumer of consumers) {
      const free = consumer.isStopped ? 0 : consumer.concurrency - consumer.slices
      for (let count = Math.min(free, waiting.size); count > 0; count -= 1) startSlice(consumer)
    }
  }
  const startSlice = (consumer: Consumer) => {
    consumer.slices += 1
    void consumer.pool.add(async () => {
      await workSlice(consumer)
      consumer.slices -= 1
      feed()
    })
  }
  const workSlice = async (consumer: Consumer) => {
    for (let count = 0; count < sliceLength; count += 1) {
      const next = isClosed || consumer.isStopped ? undefined : waiting.take()
      if (next === undefined) return
      await handOut(next, consumer)
    }
    await new Promise(setImmediate)
  }
  const handOut = async (next: Waiting, consumer: Consumer) => {
    const controller = new AbortController()
    running.add(controller)
    try {
      await consumer.handle(next.task, controller.signal)
    } catch {
      const rest = Math.min(backoff.first * 2 ** next.tries, backoff.most)
      if (!isClosed) delayed.push({ ...next, tries: next.tries + 1 }, rest)
    } finally {
      running.delete(controller)
    }
  }

  return {
    reach: 'process',
    async push(task, { delay = 0, priority = 0 } = {}) {
      mustBeOpen()
      const next = { task, priority, tries: 0 }
      if (delay > 0) return delayed.push(next, delay)
      waiting.push(next, priority)
      feed()
    },
    async consume(handle, { concurrency }): Promise<Stop> {
      mustBeOpen()
      const pool = new PQueue({ concurrency })
      const consumer: Consumer = { handle, concurrency, pool, isStopped: false, slices: 0 }
      consumers.add(consumer)
      feed()
      return async () => {
        consumer.isStopped = true
        await pool.onIdle()
        consumers.delete(consumer)
      }
    },
    async close() {
      isClosed = true
      delayed.clear()
      waiting.clear()
      for (const controller of running) controller.abort(closedError())
      await Promise.all([...consumers].map(({ pool }) => pool.onIdle()))
    },
  }
}

const closedError = () => new EngineError('closed', 'The queue was closed.')

/** Holds tasks until their time, with one sleep however many there are. */
function delayLine(clock: Clock, ripe: (task: Waiting) => void) {
  let line = heap<Delayed>((one, other) => one.due < other.due)
  let alarm: { readonly due: number; readonly controller: AbortController } | undefined

  const setAlarm = () => {
    const next = line.peek()
    if (next === undefined || (alarm && alarm.due <= next.due)) return
    alarm?.controller.abort()
    const controller = new AbortController()
    alarm = { due: next.due, controller }
    const ring = () => {
      if (alarm?.controller === controller) release()
    }
    clock.sleep(Math.max(next.due - clock.now(), 0), controller.signal).then(ring, () => undefined)
  }
  const release = () => {
    alarm = undefined
    const now = clock.now()
    for (let next = line.peek(); next && next.due <= now; next = line.peek()) {
      line.pop()
      ripe(next.waiting)
    }
    setAlarm()
  }

  return {
    push(waiting: Waiting, delay: number) {
      line.push({ due: clock.now() + delay, waiting })
      setAlarm()
    },
    clear() {
      line = heap<Delayed>((one, other) => one.due < other.due)
      alarm?.controller.abort()
      alarm = undefined
    },
  }
}
