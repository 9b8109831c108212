/** The calls of an adapter that are under way. */
export interface Calls {
  readonly isOpen: boolean
  /** Runs a call; rejects with what `closed` gives once the adapter is closed. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Takes no further calls, and resolves when those under way are over. */
  close(): Promise<void>
}

/** Lets an adapter be closed in order: what was begun is waited for, and nothing is begun any more. */
export function openCalls(closed: () => Error): Calls {
  const running = new Set<Promise<unknown>>()
  let isOpen = true
  return {
    get isOpen() {
      return isOpen
    },
    run: async (work) => {
      if (!isOpen) throw closed()
      const call = work()
      running.add(call)
      try {
        return await call
      } finally {
        running.delete(call)
      }
    },
    close: async () => {
      isOpen = false
      await Promise.allSettled(running)
    },
  }
}
