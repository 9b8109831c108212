// How often, how soon and how many at once an endpoint is asked. What is wrong with it must not be made worse by asking.
import { setTimeout as sleep } from 'node:timers/promises'

import { makeSemaphore } from '@harvestman/ports/adapters'

export interface BackoffOptions {
  /** How often one message is sent again when the endpoint is busy or broken. */
  readonly retries: number
  /** The wait before the first of them, in milliseconds; it doubles each time, and is shortened by chance. */
  readonly firstWait: number
  readonly longestWait: number
  /** Messages that may be under way at once. */
  readonly concurrency: number
}

export interface Backoff {
  /** Runs when there is room. Ends with the signal's reason while it waits. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
  /** Waits before the next attempt, or says that there is none: `false`. */
  waitToRetry(attempt: number, asked: number | undefined, signal: AbortSignal): Promise<boolean>
  worked(): void
}

// For all questions together: while an endpoint is down, each failure must not become four.
const mostRetries = 10
const earned = 0.2

export function makeBackoff({ retries, firstWait, longestWait, concurrency }: BackoffOptions): Backoff {
  const permits = makeSemaphore({ limit: concurrency })
  let left = mostRetries
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
      if (asked !== undefined && asked > longestWait) return false
      left -= 1
      const most = Math.min(firstWait * 2 ** attempt, longestWait)
      // What the endpoint asks for is asked of all who would come meanwhile.
      if (asked !== undefined) restUntil = Math.max(restUntil, performance.now() + asked)
      await pause((asked ?? 0) + most * (0.5 + Math.random() / 2), signal)
      return true
    },
    worked: () => {
      left = Math.min(left + earned, mostRetries)
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
