import type { Json, Queue, Stop, Task, TaskHandler } from '@harvestman/ports'
import { backoffAfter, type Backoff } from '@harvestman/toolbox/backoff'
import type { Queue as BullQueue, Worker, WorkerOptions } from 'bullmq'

import { tagged } from './cluster.ts'
import { endWithCopies, patientConnection, type Redis, type RedisConnection } from './client.ts'
import { checkAddress } from './check-address.ts'
import { redisClosed, redisFailed, redisSlow } from './errors.ts'

/** Options of `bullQueue`. */
export interface BullQueueOptions {
  /** Prefix of all keys of the queue. Default: `harvestman-queue`. */
  readonly prefix?: string
  /** Timeout of a push in milliseconds. Default: 10,000. */
  readonly timeout?: number
  /** Milliseconds after which a task of an unresponsive process is delivered again. Default: 30,000. */
  readonly lease?: number
  /** Delays before a task is delivered again after its handler rejected, in milliseconds. Default: 1 s to 1 min. */
  readonly backoff?: Pick<Backoff, 'first' | 'longest'>
}

interface QueuedTask {
  readonly id: string
  readonly body: Json
}

// BullMQ delivers the lowest number first and does not allow negative ones, so the default priority is in the middle.
const usual = 1_000_000
/** Maximum time in milliseconds for a push or a check to wait for the connection. */
const connectTimeout = 2_000
const never = Number.MAX_SAFE_INTEGER
const defaultBackoff = { first: 1000, longest: 60_000 }

/** Loaded on demand: these are many files, which only processes with a queue need. */
const loadBull = () => import('bullmq')

/**
 * Creates a queue shared by all processes that use the server and the prefix. Connects when it is first used. Throws
 * `invalid_request` if `address` is neither a URL of Redis nor a client. Failures of Redis reject with `store_failed`, calls
 * after `close` with `closed`.
 */
export function bullQueue(address: RedisConnection, options: BullQueueOptions = {}): Queue {
  checkAddress('bullQueue', address)
  const { timeout = 10_000, lease = 30_000, backoff = defaultBackoff } = options
  const prefix = tagged(address, options.prefix ?? 'harvestman-queue')
  const workers = new Set<Consumer>()
  const queues = bullQueues(address, prefix)
  let isClosed = false

  const mustBeOpen = (): void => {
    if (isClosed) throw redisClosed('queue')
  }
  const settings = { backoffStrategy: (tries: number) => backoffAfter(tries, backoff) }

  return {
    reach: 'shared',
    async push({ id, kind, body }, { delay = 0, priority = 0 } = {}) {
      mustBeOpen()
      await queues.connected(Math.min(timeout, connectTimeout))
      const opened = await queues.of(kind)
      mustBeOpen()
      const added = opened.add(
        kind,
        { id, body },
        {
          delay: Math.max(Math.ceil(delay), 0),
          priority: Math.min(Math.max(usual - Math.round(priority), 1), 2 * usual),
          attempts: never,
          backoff: { type: 'custom' },
          removeOnComplete: true,
          removeOnFail: true,
        },
      )
      await inTime(added, timeout)
    },
    async check() {
      mustBeOpen()
      const connection = await queues.connected(connectTimeout)
      await inTime(connection.ping(), connectTimeout)
    },
    async consume(handle, { kind, concurrency }): Promise<Stop> {
      mustBeOpen()
      const { Worker: Made } = await loadBull()
      mustBeOpen()
      const settled = { kind, prefix, concurrency, settings, lockDuration: lease, stalledInterval: lease }
      const consumer = startConsumer(Made, handle, patientConnection(address, prefix), settled)
      workers.add(consumer)
      return async () => {
        await consumer.stop()
        workers.delete(consumer)
      }
    },
    async close() {
      isClosed = true
      for (const worker of workers) worker.abort()
      await Promise.all([...workers].map((worker) => worker.stop()))
      await queues.close()
    },
  }
}

/** One BullMQ queue per kind of tasks, on one connection. */
function bullQueues(address: RedisConnection, prefix: string) {
  const queues = new Map<string, Promise<BullQueue<QueuedTask>>>()
  let connection: Redis | undefined
  let trouble: unknown
  const connect = (): Redis =>
    (connection ??= patientConnection(address, prefix).on('error', (error) => (trouble = error)))
  const open = async (kind: string): Promise<BullQueue<QueuedTask>> => {
    const { Queue: Opened } = await loadBull()
    const opened = new Opened<QueuedTask>(kind, { connection: connect(), prefix })
    opened.on('error', () => undefined)
    return opened
  }
  return {
    of: (kind: string): Promise<BullQueue<QueuedTask>> => {
      const known = queues.get(kind) ?? open(kind)
      queues.set(kind, known)
      return known
    },
    /** Returns the connection once it is ready, within the time limit. A command would wait for it without limit. */
    connected: async (within: number): Promise<Redis> => {
      const redis = connect()
      if (redis.status === 'ready') return redis
      const ready = Promise.withResolvers<void>()
      const onReady = (): void => ready.resolve()
      const timer = setTimeout(
        () => ready.reject(trouble === undefined ? redisSlow(within) : redisFailed(trouble)),
        within,
      )
      redis.once('ready', onReady)
      try {
        await ready.promise
        return redis
      } finally {
        redis.off('ready', onReady)
        clearTimeout(timer)
      }
    },
    close: async (): Promise<void> => {
      await Promise.allSettled([...queues.values()].map(async (opened) => (await opened).close()))
      connection?.disconnect()
    },
  }
}

interface Consumer {
  abort(): void
  stop(): Promise<void>
}

interface WorkerSettings extends Pick<
  WorkerOptions,
  'prefix' | 'concurrency' | 'settings' | 'lockDuration' | 'stalledInterval'
> {
  readonly kind: string
}

function startConsumer(
  Made: typeof Worker,
  handle: TaskHandler,
  connection: Redis,
  { kind, ...settings }: WorkerSettings,
): Consumer {
  const running = new Set<AbortController>()
  let stopped: Promise<void> | undefined
  const work = async (task: Task): Promise<void> => {
    const controller = new AbortController()
    running.add(controller)
    try {
      await handle(task, controller.signal)
    } finally {
      running.delete(controller)
    }
  }
  const worker = new Made<QueuedTask>(kind, async (job) => work({ ...job.data, kind }), {
    ...settings,
    connection,
    maxStalledCount: never,
    // Delay in milliseconds before the next attempt after fetching tasks failed.
    runRetryDelay: 1_000,
  })
  // A lost connection is not an error of the process: the worker continues after reconnecting.
  worker.on('error', () => undefined)
  const stop = async (): Promise<void> => {
    const closed = worker.close()
    // Its commands would wait until Redis is back. A task whose completion is not stored is delivered again.
    const end = (): void => endWithCopies(connection)
    if (connection.status === 'ready') connection.once('close', end)
    else end()
    await closed
    connection.off('close', end)
    // The connection was created for this worker, which does not close connections that it is given.
    end()
  }
  return {
    abort: () => {
      for (const controller of running) controller.abort(redisClosed('queue'))
    },
    stop: () => (stopped ??= stop()),
  }
}

async function inTime<T>(work: Promise<T>, timeout: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(redisSlow(timeout)), timeout)
  })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    throw redisFailed(error)
  } finally {
    clearTimeout(timer)
  }
}
