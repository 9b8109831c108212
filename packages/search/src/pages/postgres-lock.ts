// Work on a connection of its own, by one process at a time.
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { inTime, type PostgresQueries, type Rows, type Run } from './postgres-connection.ts'

/** In milliseconds. */
const times = { work: 3_600_000, unlock: 5_000 }

/**
 * Returns whether the connection is a pool that can spare a connection. With a single connection, searches would wait until
 * the work ends.
 */
export function canSpareConnection({ connect, totalCount, options }: PostgresQueries): boolean {
  // A client has `connect` too, but no count of connections.
  return typeof connect === 'function' && typeof totalCount === 'number' && (options?.max ?? Infinity) >= 2
}

export interface LockedOptions {
  readonly connection: PostgresQueries
  /** Name of the lock. */
  readonly name: string
  readonly signal: AbortSignal
}

/**
 * Runs work on a connection of its own, whose statements may take an hour each, and which is ended afterwards because of its
 * settings. Returns `false` without running the work if another process holds the lock. Rejects when the signal is aborted.
 */
export async function runLocked(
  { connection, name, signal }: LockedOptions,
  work: (run: Run) => Promise<void>,
): Promise<boolean> {
  const client = await takeClient(connection, signal)
  // The statement rejects if the connection is lost.
  client.on?.('error', () => undefined)
  const query = (text: string, timeout: number, values: unknown[] = []) =>
    untilAborted(client.query({ text, values, query_timeout: timeout }), signal)
  const run: Run = async (text, values = []) => {
    // Cast: rows are objects, by the names of their columns.
    return (await query(text, times.work, [...values])).rows as Rows
  }
  try {
    await run(`SET statement_timeout = ${times.work}`)
    await run('SET lock_timeout = 0')
    // Does not wait, because a waiting statement has a snapshot, which CREATE INDEX CONCURRENTLY waits for.
    const [row] = await run('SELECT pg_try_advisory_lock(hashtext($1)) AS locked', [name])
    if (row?.['locked'] !== true) return false
    try {
      await work(run)
    } finally {
      // The end of the connection releases the lock too, but only after its last statement.
      await query('SELECT pg_advisory_unlock(hashtext($1))', times.unlock, [name]).catch(() => undefined)
    }
    return true
  } finally {
    client.release(true)
  }
}

/** A connection of a pool. */
interface PoolClient {
  query(statement: {
    readonly text: string
    readonly values: unknown[]
    readonly query_timeout: number
  }): Promise<{ readonly rows: unknown[] }>
  release(isDestroyed: boolean): void
  on?(event: 'error', listener: () => void): unknown
}

function isPoolClient(value: unknown): value is PoolClient {
  if (typeof value !== 'object' || value === null || !('query' in value) || !('release' in value)) return false
  return typeof value.query === 'function' && typeof value.release === 'function'
}

/** Takes a connection from the pool. Rejects after 30 seconds, and when the signal is aborted. */
async function takeClient(connection: PostgresQueries, signal: AbortSignal): Promise<PoolClient> {
  const taken = Promise.resolve(connection.connect?.())
  try {
    const client = await inTime(taken, signal)
    if (isPoolClient(client)) return client
  } catch (error) {
    void taken.then((late) => isPoolClient(late) && late.release(true)).catch(() => undefined)
    throw error
  }
  throw new TypeError('The connection is not a pool. Pass a pool of the package pg.')
}
