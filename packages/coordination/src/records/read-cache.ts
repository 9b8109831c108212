import { recentlyUsed } from '@harvestman/toolbox/recently-used'

/**
 * Cache of immutable values that are read more than once, for example by clients that poll a job. A value is cached at its
 * second read.
 */
export interface ReadCache<T extends Readable> {
  /** Returns the values of the keys, in order; missing ones are read. Returned values must not be changed. */
  take(
    keys: readonly string[],
    read: (keys: readonly string[]) => Promise<readonly (T | undefined)[]>,
  ): Promise<readonly (Loan<T> | undefined)[]>
  /** Removes a key: its value is read again from now on. */
  forget(key: string): void
}

/** A value that can have several readers, and whose memory is freed explicitly. */
export interface Readable {
  /** Size in bytes. */
  readonly size: number
  free(): void
}

/** A value that others may read at the same time. */
export interface Loan<T> {
  readonly value: T
  /** Call when the value is no longer read. Further calls do nothing. */
  readonly release: () => void
}

interface Lent<T> {
  readonly value: T
  readers: number
  isCached: boolean
}

// Enough for the pages of several hundred jobs that are polled alternately.
const remembered = 4_096

/** Creates a cache of at most this many bytes. The least recently used values are evicted, and freed when no reader is left. */
export function makeReadCache<T extends Readable>(room: number): ReadCache<T> {
  const cache = recentlyUsed<string, Lent<T>>(room, {
    sizeOf: ({ value }) => value.size,
    onRemoved: (lent) => {
      lent.isCached = false
      freeUnread(lent)
    },
  })
  const once = recentlyUsed<string, true>(remembered)
  const keep = (key: string, lent: Lent<T>): void => {
    if (cache.get(key) || lent.value.size > room) return
    lent.isCached = true
    cache.set(key, lent)
  }
  const known = (key: string): Loan<T> | undefined => {
    const lent = cache.get(key)
    return lent && loanOf(lent)
  }
  const takeNew = (key: string, value: T): Loan<T> => {
    const lent = { value, readers: 0, isCached: false }
    const loan = loanOf(lent)
    if (once.get(key)) keep(key, lent)
    else once.set(key, true)
    return loan
  }
  return {
    take: async (keys, read) => {
      const loans = keys.map(known)
      const missing = keys.filter((_, index) => loans[index] === undefined)
      const found = missing.length > 0 ? await read(missing) : []
      let next = 0
      return loans.map((loan, index) => {
        if (loan) return loan
        const value = found[next++]
        return value && takeNew(keys[index]!, value)
      })
    },
    forget: (key) => cache.delete(key),
  }
}

function loanOf<T extends Readable>(lent: Lent<T>): Loan<T> {
  lent.readers += 1
  let isBack = false
  const release = (): void => {
    if (isBack) return
    isBack = true
    lent.readers -= 1
    freeUnread(lent)
  }
  return { value: lent.value, release }
}

function freeUnread({ value, readers, isCached }: Lent<Readable>): void {
  if (!isCached && readers === 0) value.free()
}
