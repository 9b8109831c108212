import { errorCode } from '@harvestman/toolbox/error-message'
import { setTimeout as rest } from 'node:timers/promises'

/** Runs a call, and retries it while the server has no free connection. */
export type WhenFull = <T>(call: () => Promise<T>) => Promise<T>

export interface WhenFullOptions {
  /** Maximum time for a call in milliseconds. */
  readonly timeout: number
  /** Minimum size to which the pool is reduced; one of its connections receives notifications. */
  readonly least?: number
  /** Milliseconds until the pool may open more connections again. */
  readonly growsAfter?: number
}

const rests = { first: 50, most: 500 }

/**
 * Returns a function that retries calls while the server has no free connection, and limits the pool to its current
 * connections, at least 2, for 10 seconds: the others belong to other processes, each of which tries to open more only
 * occasionally. After `timeout` milliseconds the error is thrown; other errors are thrown at once.
 */
export function whenFull(
  pool: { readonly totalCount: number; readonly options?: { max: number } },
  { timeout, least = 2, growsAfter = 10_000 }: WhenFullOptions,
): WhenFull {
  const most = pool.options?.max ?? 0
  let growing: NodeJS.Timeout | undefined
  const goOnWithLess = (): void => {
    const { options } = pool
    if (!options || most === 0) return
    options.max = Math.min(Math.max(pool.totalCount, least), most)
    clearTimeout(growing)
    growing = setTimeout(() => (options.max = most), growsAfter).unref()
  }
  return async (call) => {
    const end = performance.now() + timeout
    for (let wait = rests.first; ; wait = Math.min(wait * 2, rests.most)) {
      try {
        return await call()
      } catch (error) {
        if (!isFull(error) || performance.now() + wait > end) throw error
        goOnWithLess()
      }
      await rest(wait * (1 + Math.random()))
    }
  }
}

/** Returns whether the server has too many connections. Postgres reports this before it has done anything. */
function isFull(error: unknown): boolean {
  return errorCode(error) === '53300'
}
