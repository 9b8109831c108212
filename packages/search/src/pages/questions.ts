/** Pending questions to the index thread, by number. */
export interface Questions {
  /** Sends a question. Resolves with its result, or rejects when it fails or the signal is aborted, after `cancel`. */
  ask(send: (id: number) => void, cancel: (id: number) => void, signal: AbortSignal | undefined): Promise<unknown>
  answer(id: number, result: unknown): void
  fail(id: number, error: unknown): void
  failAll(error: unknown): void
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Creates the questions to a thread, whose answers are matched by id. `ask` rejects if the signal is aborted or the question
 * fails; answers to unknown ids are ignored.
 */
export function makeQuestions(): Questions {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  const take = (id: number): Waiting | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }
  return {
    ask: async (send, cancel, signal) => {
      signal?.throwIfAborted()
      lastId += 1
      const id = lastId
      const stop = (): void => {
        const found = take(id)
        if (found) cancel(id)
        found?.reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
      // Keep the process alive until the result arrives, because the thread does not.
      const hold = setInterval(() => undefined, 60_000)
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(id, { resolve, reject })
          send(id)
        })
      } finally {
        clearInterval(hold)
        signal?.removeEventListener('abort', stop)
      }
    },
    answer: (id, result) => take(id)?.resolve(result),
    fail: (id, error) => take(id)?.reject(error),
    failAll: (error) => {
      for (const id of [...waiting.keys()]) take(id)?.reject(error)
    },
  }
}
