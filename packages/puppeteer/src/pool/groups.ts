/** Something that may be used again while it is idle. */
export interface Restable {
  readonly place: {
    /** Aborted when it can be used no more. */
    readonly broken: AbortSignal
    /** Never rejects. */
    close(): Promise<void>
  }
  /** Lets go of what it showed last. */
  rest(): Promise<void>
}

/** What tabs of one group leave for the next tab of the same. A key is never given what was kept under another. */
export interface Groups<T extends Restable> {
  /** How many wait to be used again. */
  readonly size: number
  /** Gives the one that was used last, since it is the warmest. One that is letting go of what it showed is waited for. */
  take(key: string): Promise<T | undefined>
  keep(key: string, kept: T): void
  /** Closes those that wait longest until at most so many are left. */
  shrink(most: number): Promise<void>
  close(): Promise<void>
}

export interface GroupTimes {
  /** Milliseconds after which one that waits lets go of what it showed. */
  readonly rest: number
  /** Milliseconds after which it is closed. */
  readonly end: number
}

interface Waiting<T> {
  readonly key: string
  readonly kept: T
  /** While it lets go of what it showed. It is not given on before: two journeys of one page would get in each other's way. */
  resting?: Promise<void> | undefined
  /** Takes it off the list, for good. */
  forget(): void
}

export function makeGroups<T extends Restable>(times: GroupTimes): Groups<T> {
  const waiting = new Set<Waiting<T>>()
  let isClosed = false

  const keep = (key: string, kept: T): void => {
    const { broken, close } = kept.place
    if (isClosed || broken.aborted) return void close()
    const leave = (): void => {
      one.forget()
      void close()
    }
    const rest = (): void => {
      one.resting = kept.rest().then(() => void (one.resting = undefined), leave)
    }
    const timers = [setTimeout(rest, times.rest), setTimeout(leave, times.end)]
    for (const timer of timers) timer.unref()
    const one: Waiting<T> = {
      key,
      kept,
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
    return one.kept.place.close()
  }

  const take = async (key: string): Promise<T | undefined> => {
    for (;;) {
      const own = [...waiting].filter((one) => one.key === key)
      const ready = own.findLast(({ resting }) => !resting)
      ready?.forget()
      if (ready || own.length === 0) return ready?.kept
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
