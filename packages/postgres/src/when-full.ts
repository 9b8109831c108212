import { errorCode } from '@harvestman/ports/adapters'
import { setTimeout as rest } from 'node:timers/promises'

/** What waits for a connection while the server has none left. */
export type WhenFull = <T>(call: () => Promise<T>) => Promise<T>

export interface WhenFullOptions {
  /** Milliseconds that a call waits. */
  readonly timeout: number
  /** Of the pool, so many connections stay: one of them hears what is told. */
  readonly least?: number
  /** Milliseconds until the pool may ask for more again. */
  readonly growsAfter?: number
}

const rests = { first: 50, most: 500 }

/**
 * Has calls wait that find the server without a free connection, and the pool go on with those that it has: the others are of
 * other processes, each of which asks for more only from time to time.
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

/** Postgres says so before it has done anything. */
function isFull(error: unknown): boolean {
  return errorCode(error) === '53300'
}
