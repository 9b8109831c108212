import { EngineError } from '@harvestman/ports'
import { errorMessage } from '@harvestman/toolbox/error-message'
import { untilAborted } from '@harvestman/toolbox/until-aborted'

import { searchUnavailable } from '../faults.ts'

/** A connection to Postgres, such as a pool of the package `pg`. The index does not end it. */
export interface PostgresQueries {
  /** Runs one statement with its parameters, `$1` and so on. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
  /** Takes a connection from a pool, with `query` and `release`. */
  connect?(): Promise<unknown>
  /** Number of connections of a pool. Without it and `connect`, the connection is not a pool, and no HNSW index is built. */
  readonly totalCount?: number
  /** `max` is the maximum number of connections of a pool. Below 2, no HNSW index is built. */
  readonly options?: { readonly max?: number | undefined }
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

/** Runs one statement, and returns its rows. Rejects with `search_unavailable`, or with the reason of its signal. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<Rows>

/** Maximum time to wait for Postgres, in milliseconds. */
const patience = 30_000

/**
 * Creates the function that runs statements. It rejects if a statement takes more than 30 seconds or the signal is aborted; the
 * statement itself may continue in Postgres.
 */
export function runnerOf(connection: PostgresQueries, signal?: AbortSignal): Run {
  return async (text, values = []) => {
    signal?.throwIfAborted()
    try {
      // Cast: rows are objects, by the names of their columns.
      return (await inTime(connection.query(text, [...values]), signal)).rows as Rows
    } catch (error) {
      signal?.throwIfAborted()
      const message = `The index in Postgres failed. Check its connection and permissions. (${errorMessage(error).slice(0, 200)})`
      throw searchUnavailable('server', message, error)
    }
  }
}

/** Settles as the work does, but rejects after some milliseconds, and with the reason of the signal when it is aborted. */
export async function inTime<T>(work: Promise<T>, signal?: AbortSignal, most = patience): Promise<T> {
  const late = new AbortController()
  const message = `Postgres took more than ${most / 1_000} seconds. Check its load, and try again.`
  const timer = setTimeout(() => late.abort(searchUnavailable('server', message)), most)
  try {
    return await untilAborted(work, signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns whether the values of a statement caused the failure, so that it may succeed with others. */
export function isOfValues(error: unknown): boolean {
  if (!EngineError.is(error)) return false
  const { cause } = error
  // Data exceptions, violated constraints and exceeded limits.
  const isRefused = cause instanceof Error && 'code' in cause && /^(?:22|23|54)/.test(String(cause.code))
  return isRefused || error.code === 'search_failed'
}

/** First version of the extension with vectors of two bytes for each dimension. */
const neededVersion = [0, 7] as const

/**
 * Creates the extension `vector` if it can. Returns why there are no vectors, or `undefined`. Rejects if Postgres cannot be
 * reached.
 */
export async function vectorProblem(run: Run): Promise<string | undefined> {
  const installed = async (): Promise<string | undefined> =>
    (await run(`SELECT extversion FROM pg_extension WHERE extname = 'vector'`))[0]?.['extversion'] as string | undefined
  let version = await installed()
  if (version === undefined) {
    // Rejects without the files of the extension, or without the permission.
    await run('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined)
    version = await installed()
  }
  const remedy = 'Install pgvector 0.7 or newer, and run CREATE EXTENSION vector.'
  if (version === undefined)
    return `Postgres has no extension vector, so pages are found by their words only. ${remedy}`
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < neededVersion[0] || (major === neededVersion[0] && minor < neededVersion[1])
  return isOld
    ? `The extension vector ${version} is too old, so pages are found by their words only. ${remedy}`
    : undefined
}
