/** The running calls of an adapter. */
export interface Calls {
  readonly isOpen: boolean
  /** Runs a call; rejects with the error of `closed` once the adapter is closed. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Refuses further calls, and resolves when all running calls have ended. */
  close(): Promise<void>
}

/**
 * Creates the calls of an adapter, so that it can close in order: running calls are awaited, new ones are rejected with the error
 * of `closed`.
 */
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
