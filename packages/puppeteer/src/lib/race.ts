/** Settles like the work, or rejects with the reason of the first signal that is aborted. */
export function race<T>(work: Promise<T>, ...signals: readonly AbortSignal[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (event: Event): void => reject((event.target as AbortSignal).reason)
    const aborted = signals.find((signal) => signal.aborted)
    if (aborted) reject(aborted.reason)
    else for (const signal of signals) signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => {
      for (const signal of signals) signal.removeEventListener('abort', stop)
    })
  })
}

/** Waits for `ms` milliseconds, or rejects with its reason when one of the signals is aborted. */
export function pause(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  let timer: NodeJS.Timeout
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return race(elapsed, ...signals).finally(() => clearTimeout(timer))
}

/**
 * Returns whether the work settled within `ms` milliseconds, successfully or not. Never rejects, and does not stop the work.
 */
export async function isDoneWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => true,
      ),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns whether the work succeeded within `ms` milliseconds. Never rejects, and does not stop the work. */
export async function isGoodWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let isGood = false
  await isDoneWithin(
    ms,
    work.then(() => (isGood = true)),
  )
  return isGood
}
