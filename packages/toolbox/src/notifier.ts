/** Wakes all callers that wait for a change. */
export interface Notifier {
  notify(): void
  /** Resolves at the next `notify`, or rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>
}

/**
 * Creates a notifier: `wait` resolves at the next `notify`, or rejects with the signal's reason. A notification
 * without waiting callers has no effect.
 */
export function makeNotifier(): Notifier {
  const waiting = new Set<() => void>()
  return {
    notify: () => {
      for (const wake of waiting) wake()
    },
    wait: (signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const settle = (done: () => void): void => {
          waiting.delete(wake)
          signal.removeEventListener('abort', stop)
          done()
        }
        const wake = (): void => settle(resolve)
        const stop = (): void => settle(() => reject(signal.reason))
        waiting.add(wake)
        signal.addEventListener('abort', stop, { once: true })
      }),
  }
}
