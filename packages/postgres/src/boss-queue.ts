import type { Queue, Stop, Task, TaskHandler } from '@harvestman/ports'
import type { Backoff } from '@harvestman/toolbox/backoff'
import type { PgBoss } from 'pg-boss'

import { checkAddress } from './check-address.ts'
import { openDatabase, type Database, type PostgresConnection } from './client.ts'
import { postgresClosed, postgresFailed, postgresSlow } from './errors.ts'
import { openListener } from './listener.ts'

/** Options of `bossQueue`. */
export interface BossQueueOptions {
  /** Schema of the tables of pg-boss, which are created at first use. Default: `harvestman_queue`. */
  readonly schema?: string
  /** Maximum time in milliseconds for a push to wait for a connection, and again for the response. Default: 10,000. */
  readonly timeout?: number
  /** Maximum number of connections, plus one for notifications. Default: 4. */
  readonly connections?: number
  /** Milliseconds after which a task of an unresponsive process is delivered again, at least 10,000. Default: 30,000. */
  readonly lease?: number
  /**
   * Delays before a task is delivered again after its handler rejected, in milliseconds. Doubled each time; whole seconds from
   * 1 s on.
   */
  readonly backoff?: Pick<Backoff, 'first' | 'longest'>
}

// Practically infinite, in seconds or attempts.
const never = 1_000_000_000
const maxTaskSeconds = 86_400 - 60
const pollInterval = 1000
/** Timeout of a check in milliseconds. */
const checkTimeout = 2_000
/** Maximum number of milliseconds that the server's clock is assumed to be behind. */
const clocksDiffer = 10
const maxBatchSize = 64
const defaultBackoff = { first: 1000, longest: 60_000 }

/**
 * Creates a queue shared by all processes that use the schema. Connects when it is first used. Throws `invalid_request` if
 * `address` is neither a URL of Postgres nor a pool. Failures of Postgres reject with `store_failed`, calls after `close` with
 * `closed`.
 */
export function bossQueue(address: PostgresConnection, options: BossQueueOptions = {}): Queue {
  const { schema = 'harvestman_queue', timeout = 10_000, connections = 4, lease = 30_000 } = options
  const { backoff = defaultBackoff } = options
  const database = openDatabase(checkAddress('bossQueue', address), { timeout, connections })
  const consumers = new Set<Consumer>()
  const wakeAll = (): void => consumers.forEach((consumer) => consumer.wake())
  const listener = openListener(database, { channel: schema, onNotification: wakeAll, begin: async () => wakeAll() })
  /** The existing queues, one for each kind of tasks. */
  const made = new Map<string, Promise<PgBoss>>()
  let started: Promise<PgBoss> | undefined
  let isClosed = false

  const bossOf = async (kind: string): Promise<PgBoss> => {
    if (isClosed) throw postgresClosed('queue')
    started ??= startBoss(database, { schema, lease, failed: () => (started = undefined) })
    try {
      const queue = made.get(kind) ?? makeQueue(started, kind, lease, backoff)
      made.set(kind, queue)
      return await queue
    } catch (error) {
      made.delete(kind)
      throw postgresFailed(error)
    }
  }

  const telling = { name: `${schema}_tell`, text: `SELECT pg_notify('${schema}', '')` }
  const tell = async (): Promise<void> => void (wakeAll(), await database.run(telling, []))

  return {
    reach: 'shared',
    async push(task, { delay = 0, priority = 0 } = {}) {
      const opened = await bossOf(task.kind)
      try {
        // As a string, because JSON columns do not allow NUL characters.
        const data = { task: JSON.stringify(task) }
        const after = delay > 0 ? { startAfter: new Date(Date.now() + delay) } : {}
        await opened.send(task.kind, data, { priority: Math.round(priority), ...after })
      } catch (error) {
        throw postgresFailed(error)
      }
      await tellWhenDue(delay, tell)
    },
    check: () => checkDatabase(database, isClosed),
    async consume(handle, { kind, concurrency }): Promise<Stop> {
      const boss = await bossOf(kind)
      const consumer = startConsumer(handle, { kind, boss, concurrency, beatEvery: lease / 3 })
      consumers.add(consumer)
      // Without notifications, tasks are found by polling.
      listener.listening().catch(() => undefined)
      return async () => {
        await consumer.stop()
        consumers.delete(consumer)
      }
    },
    async close() {
      if (isClosed) return
      isClosed = true
      for (const consumer of consumers) consumer.abort()
      await Promise.all([...consumers].map((consumer) => consumer.stop()))
      listener.close()
      const opened = await started?.catch(() => undefined)
      await opened?.stop({ graceful: false, close: false }).catch(() => undefined)
      await database.close()
    },
  }
}

interface Starting {
  readonly schema: string
  readonly lease: number
  /** Called if pg-boss could not be started, so that the next call tries again. */
  readonly failed: () => void
}

async function startBoss(database: Database, { schema, lease, failed }: Starting): Promise<PgBoss> {
  try {
    await database.mustKeepSessions()
    return await openBoss(database, schema, lease)
  } catch (error) {
    failed()
    throw error
  }
}

async function openBoss(database: Database, schema: string, lease: number): Promise<PgBoss> {
  const { PgBoss: Boss } = await import('pg-boss')
  const boss = new Boss({
    db: {
      executeSql: async (text, values = []) => ({ rows: [...(await database.run({ name: '', text }, values))] }),
    },
    schema,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: Math.max(Math.floor(seconds(lease) / 10), 1),
    monitorVacuum: false,
    reindex: false,
  })
  // A lost connection is not an error of the process: the next query reports it.
  boss.on('error', () => undefined)
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false, close: false }).catch(() => undefined)
    throw error
  }
  return boss
}

async function makeQueue(
  started: Promise<PgBoss>,
  kind: string,
  lease: number,
  backoff: NonNullable<BossQueueOptions['backoff']>,
): Promise<PgBoss> {
  const boss = await started
  await boss.createQueue(kind, {
    retryLimit: never,
    retryBackoff: true,
    retryDelay: seconds(backoff.first),
    retryDelayMax: seconds(backoff.longest),
    heartbeatSeconds: Math.max(seconds(lease), 10),
    expireInSeconds: maxTaskSeconds,
    retentionSeconds: never / 10,
  })
  return boss
}

/** Notifies consumers of a task now, or soon if it is due soon. Later tasks are found by polling. */
async function tellWhenDue(delay: number, tell: () => Promise<void>): Promise<void> {
  if (delay <= 0) return tell()
  if (delay < pollInterval) setTimeout(() => void tell().catch(() => undefined), delay + clocksDiffer).unref()
}

async function checkDatabase(database: Database, isClosed: boolean): Promise<void> {
  if (isClosed) throw postgresClosed('queue')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(postgresSlow(checkTimeout)), checkTimeout)
  })
  try {
    await Promise.race([database.run({ name: '', text: 'SELECT 1' }, []), late])
  } finally {
    clearTimeout(timer)
  }
}

function seconds(ms: number): number {
  return Math.max(Math.round(ms / 1000), 1)
}

interface Consumer {
  /** Call when there may be tasks. */
  wake(): void
  abort(): void
  stop(): Promise<void>
}

interface ConsumerOptions {
  readonly kind: string
  readonly boss: PgBoss
  readonly concurrency: number
  readonly beatEvery: number
}

interface Fetched {
  readonly id: string
  readonly data: { readonly task: string }
}

function startConsumer(handle: TaskHandler, { kind, boss, concurrency, beatEvery }: ConsumerOptions): Consumer {
  const running = new Map<string, AbortController>()
  const works = new Set<Promise<void>>()
  let fetching: Promise<void> | undefined
  let isRequested = false
  let isStopped = false

  const begin = (task: Fetched): void => {
    const work = handOut(task, handle, { kind, boss, running }).finally(() => {
      works.delete(work)
      wake()
    })
    works.add(work)
  }
  const fetchOnce = async (): Promise<boolean> => {
    const batchSize = Math.min(concurrency - running.size, maxBatchSize)
    if (isStopped || batchSize <= 0) return false
    const tasks = await boss.fetch<Fetched['data']>(kind, { batchSize })
    for (const task of tasks) {
      // Tasks that arrived after the stop are returned.
      if (isStopped) await boss.fail(kind, task.id)
      else begin(task)
    }
    return tasks.length === batchSize
  }
  const fetchAll = async (): Promise<void> => {
    do isRequested = false
    while ((await fetchOnce()) || isRequested)
  }
  const wake = (): void => {
    isRequested = true
    if (isStopped) return
    fetching ??= fetchAll()
      .catch(() => undefined)
      .finally(() => {
        fetching = undefined
      })
  }
  const looking = setInterval(wake, pollInterval).unref()
  const beating = setInterval(() => {
    if (running.size > 0) boss.touch(kind, [...running.keys()]).catch(() => undefined)
  }, beatEvery).unref()
  wake()

  return {
    wake,
    abort: () => {
      for (const controller of running.values()) controller.abort(postgresClosed('queue'))
    },
    stop: async () => {
      isStopped = true
      clearInterval(looking)
      await fetching
      while (works.size > 0) await Promise.all(works)
      clearInterval(beating)
    },
  }
}

interface HandOut extends Pick<ConsumerOptions, 'kind' | 'boss'> {
  readonly running: Map<string, AbortController>
}

/** Runs a task and reports the outcome. */
async function handOut({ id, data }: Fetched, handle: TaskHandler, { kind, boss, running }: HandOut): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    await (async () => handle(JSON.parse(data.task) as Task, controller.signal))()
    await untilDone(() => boss.deleteJob(kind, id))
  } catch {
    await untilDone(() => boss.fail(kind, id))
  } finally {
    running.delete(id)
  }
}

const settleTries = 3

/** Retries a few times. If the outcome cannot be stored, the task is delivered again when its lease expires. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; tries <= settleTries; tries += 1) {
    try {
      await work()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100 * tries))
    }
  }
}
