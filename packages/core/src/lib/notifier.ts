/** Those who wait for something new. */
export interface Notifier {
  tell(): void
  /** Resolves at the next `tell`, or rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>
}

export function makeNotifier(): Notifier {
  const waiting = new Set<() => void>()
  return {
    tell: () => {
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
