import { setTimeout } from 'node:timers/promises'

import { EngineError } from '@harvestman/ports'

import { environmentNames } from './setting-variables.ts'

// Store errors that may be temporary, for example if the database starts together with this process.
const passing: ReadonlySet<unknown> = new Set(['away', 'starting', 'slow', 'busy', 'locked', 'read-only'])
const [setting] = environmentNames.storeWait
const rests = { first: 250, most: 5_000 }
export interface UntilThereOptions {
  /** Receives one message if the store is not available at once. */
  readonly write: (line: string) => void
  /** Maximum milliseconds to wait. */
  readonly within: number
}

/**
 * Runs work that needs the store, with retries while the store is temporarily unavailable. Rejects with the last error
 * after `within` milliseconds. Other errors reject at once.
 */
export async function untilThere<T>(work: () => Promise<T>, { write, within }: UntilThereOptions): Promise<T> {
  const end = performance.now() + within
  for (let rest = rests.first; ; rest = Math.min(rest * 2, rests.most)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + rest > end) throw error
      if (rest === rests.first)
        write(`Waiting up to ${Math.round(within / 1000)} seconds for the store (${setting}). ${error.message}\n`)
    }
    await setTimeout(rest)
  }
}

function isPassing(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && passing.has(error.details?.['reason'])
}
