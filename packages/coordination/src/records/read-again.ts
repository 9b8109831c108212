import { recentlyUsed } from '@harvestman/ports/adapters'

/** Unchanging values, kept in memory when they are read a second time: clients that poll a job read it again. */
export interface ReadAgain<T extends Readable> {
  /** Lends the values of the keys, in their order: what is not here is read. A lent value is not changed. */
  take(
    keys: readonly string[],
    read: (keys: readonly string[]) => Promise<readonly (T | undefined)[]>,
  ): Promise<readonly (Loan<T> | undefined)[]>
  /** Forgets the value of a key: it is read anew from now on. */
  forget(key: string): void
}

/** A value that several can read, and that holds memory which is given back by hand. */
export interface Readable {
  /** Size in bytes. */
  readonly size: number
  free(): void
}

/** Something that others may read at the same time. */
export interface Loan<T> {
  readonly value: T
  /** Gives the value back when it is not read any more. Doing so twice does nothing. */
  readonly giveBack: () => void
}

interface Lent<T> {
  readonly value: T
  readers: number
  isKept: boolean
}

// Enough for the pages of some hundred jobs that are asked about in turn.
const remembered = 4_096

/** Keeps at most so many bytes; what was not read for longest goes first, and is freed when no reader is left. */
export function readAgain<T extends Readable>(room: number): ReadAgain<T> {
  const kept = recentlyUsed<string, Lent<T>>(room, {
    sizeOf: ({ value }) => value.size,
    onRemoved: (lent) => {
      lent.isKept = false
      freeUnread(lent)
    },
  })
  const once = recentlyUsed<string, true>(remembered)
  const keep = (key: string, lent: Lent<T>): void => {
    if (kept.get(key) || lent.value.size > room) return
    lent.isKept = true
    kept.set(key, lent)
  }
  const known = (key: string): Loan<T> | undefined => {
    const lent = kept.get(key)
    return lent && lend(lent)
  }
  const takeNew = (key: string, value: T): Loan<T> => {
    const lent = { value, readers: 0, isKept: false }
    const loan = lend(lent)
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
    forget: (key) => kept.delete(key),
  }
}

function lend<T extends Readable>(lent: Lent<T>): Loan<T> {
  lent.readers += 1
  let isBack = false
  const giveBack = (): void => {
    if (isBack) return
    isBack = true
    lent.readers -= 1
    freeUnread(lent)
  }
  return { value: lent.value, giveBack }
}

function freeUnread({ value, readers, isKept }: Lent<Readable>): void {
  if (!isKept && readers === 0) value.free()
}
