import { setTimeout } from 'node:timers/promises'

import { EngineError } from '@harvestman/ports'

import { environmentNames } from './config.ts'

// What a server of a store says that may be there in a moment, as when it starts together with this process.
const passing: ReadonlySet<unknown> = new Set(['away', 'starting', 'slow', 'busy', 'locked', 'read-only'])
const [setting] = environmentNames.storeWait
const rests = { first: 250, most: 5_000 }
export interface UntilThereOptions {
  /** Is told once that the store is waited for. */
  readonly write: (line: string) => void
  /** Milliseconds. */
  readonly within: number
}

/** Does what needs the store, again and again while the store cannot be reached. */
export async function untilThere<T>(work: () => Promise<T>, { write, within }: UntilThereOptions): Promise<T> {
  const end = performance.now() + within
  for (let rest = rests.first; ; rest = Math.min(rest * 2, rests.most)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || performance.now() + rest > end) throw error
      if (rest === rests.first)
        write(`The store is waited for, for ${Math.round(within / 1000)} seconds (${setting}). ${error.message}\n`)
    }
    await setTimeout(rest)
  }
}

function isPassing(error: unknown): error is EngineError {
  return EngineError.is(error) && error.code === 'store_failed' && passing.has(error.details?.['reason'])
}
