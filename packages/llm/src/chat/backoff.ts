// Limits how often, how fast and how concurrently an endpoint is called, so that retries do not add to its load.
import { setTimeout as sleep } from 'node:timers/promises'

import { makeSemaphore } from '@harvestman/toolbox/semaphore'

export interface BackoffOptions {
  /** Maximum number of retries of one message when the endpoint is busy or fails. */
  readonly retries: number
  /** Delay before the first retry, in milliseconds. Doubles with each retry, with random jitter. */
  readonly firstWait: number
  readonly maxWait: number
  /** Maximum number of messages in flight. */
  readonly concurrency: number
}

export interface Backoff {
  /** Runs the work when a slot is free. Rejects with the signal's reason if aborted while waiting. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /**
   * Waits before the next attempt. Returns `false` if there must not be another one. `asked` is the `Retry-After` in
   * milliseconds.
   */
  waitToRetry(attempt: number, asked: number | undefined, signal: AbortSignal): Promise<boolean>
  worked(): void
}

// Shared by all questions: while an endpoint is down, each failed message must not cause three more.
const maxRetries = 10
const earned = 0.2

/**
 * Creates the limits of one endpoint, which all its callers must share: how many requests run at once, and how long to wait
 * after a failure. Times are in milliseconds. `waitToRetry` also returns `false` if the requested delay exceeds `maxWait`, and
 * after 10 retries of all callers together; each success restores a fifth of one.
 */
export function makeBackoff({ retries, firstWait, maxWait, concurrency }: BackoffOptions): Backoff {
  const permits = makeSemaphore({ limit: concurrency })
  let left = maxRetries
  let restUntil = 0

  const rest = async (signal: AbortSignal): Promise<void> => {
    for (let ms = restUntil - performance.now(); ms > 0; ms = restUntil - performance.now()) await pause(ms, signal)
  }

  return {
    inTurn: async (signal, work) => {
      const release = await permits.acquire('', signal)
      try {
        await rest(signal)
        return await work()
      } finally {
        release()
      }
    },
    waitToRetry: async (attempt, asked, signal) => {
      if (attempt >= retries || left < 1) return false
      if (asked !== undefined && asked > maxWait) return false
      left -= 1
      const most = Math.min(firstWait * 2 ** attempt, maxWait)
      // All other messages also wait as long as the endpoint's `Retry-After` demands.
      if (asked !== undefined) restUntil = Math.max(restUntil, performance.now() + asked)
      await pause((asked ?? 0) + most * (0.5 + Math.random() / 2), signal)
      return true
    },
    worked: () => {
      left = Math.min(left + earned, maxRetries)
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
