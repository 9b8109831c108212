/** Something that can be reused while it is idle. */
export interface Restable {
  readonly place: {
    /** Aborted when it can no longer be used. */
    readonly broken: AbortSignal
    /** Closes it. Never rejects. */
    close(): Promise<void>
  }
  /** Releases the page it showed last. */
  rest(): Promise<void>
}

/** Pools the tabs of groups for reuse. A tab is only reused under the same key. */
export interface Groups<T extends Restable> {
  /** Number of idle entries. */
  readonly size: number
  /**
   * Returns the most recently used entry, which has the warmest caches. If all entries are releasing their page, waits for one.
   * Resolves to `undefined` if there is none.
   */
  take(key: string): Promise<T | undefined>
  keep(key: string, entry: T): void
  /** Closes the entries that are idle for the longest time until at most `most` remain. */
  shrink(most: number): Promise<void>
  close(): Promise<void>
}

export interface GroupTimes {
  /** Milliseconds after which an idle entry releases the page it showed. */
  readonly rest: number
  /** Milliseconds after which an idle entry is closed. */
  readonly end: number
}

interface Waiting<T> {
  readonly key: string
  readonly entry: T
  /** Pending while the entry releases its page. It is not reused before, because two navigations at once would conflict. */
  resting?: Promise<void> | undefined
  /** Removes the entry and its timers. */
  forget(): void
}

/**
 * Creates a cache of idle pages by key, so that the next tab of the same group can reuse one. Pages are closed after
 * `times.end` milliseconds without use. `keep` closes a page that is broken, and each page after `close`.
 */
export function makeGroups<T extends Restable>(times: GroupTimes): Groups<T> {
  const waiting = new Set<Waiting<T>>()
  let isClosed = false

  const keep = (key: string, entry: T): void => {
    const { broken, close } = entry.place
    if (isClosed || broken.aborted) return void close()
    const leave = (): void => {
      one.forget()
      void close()
    }
    const rest = (): void => {
      one.resting = entry.rest().then(() => void (one.resting = undefined), leave)
    }
    const timers = [setTimeout(rest, times.rest), setTimeout(leave, times.end)]
    for (const timer of timers) timer.unref()
    const one: Waiting<T> = {
      key,
      entry,
      forget: () => {
        for (const timer of timers) clearTimeout(timer)
        broken.removeEventListener('abort', leave)
        waiting.delete(one)
      },
    }
    broken.addEventListener('abort', leave, { once: true })
    waiting.add(one)
  }

  const drop = (one: Waiting<T>): Promise<void> => {
    one.forget()
    return one.entry.place.close()
  }

  const take = async (key: string): Promise<T | undefined> => {
    for (;;) {
      const own = [...waiting].filter((one) => one.key === key)
      const ready = own.findLast(({ resting }) => !resting)
      ready?.forget()
      if (ready || own.length === 0) return ready?.entry
      await own.at(-1)?.resting
    }
  }

  return {
    get size() {
      return waiting.size
    },
    keep,
    take,
    shrink: async (most) => {
      const tooMany = [...waiting].slice(0, Math.max(0, waiting.size - Math.max(0, most)))
      await Promise.all(tooMany.map(drop))
    },
    close: async () => {
      isClosed = true
      await Promise.all([...waiting].map(drop))
    },
  }
}
