import { errorMessage } from '@harvestman/toolbox/error-message'

import { searchUnavailable } from '../faults.ts'

/** A connection to Postgres, such as a pool of the package `pg`. The index does not end it. */
export interface PostgresQueries {
  /** Runs one statement with its parameters, `$1` and so on. */
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>
}

export type Rows = readonly Readonly<Record<string, unknown>>[]

/** Runs one statement, and returns its rows. Rejects with `search_unavailable`. */
export type Run = (text: string, values?: readonly unknown[]) => Promise<Rows>

/** Creates the function that runs statements. */
export function runnerOf(connection: PostgresQueries): Run {
  return async (text, values = []) => {
    try {
      // Cast: rows are objects, by the names of their columns.
      return (await connection.query(text, [...values])).rows as Rows
    } catch (error) {
      const message = `The index in Postgres failed. Check its connection and permissions. (${errorMessage(error).slice(0, 200)})`
      throw searchUnavailable('server', message, error)
    }
  }
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
