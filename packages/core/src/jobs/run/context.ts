import { scheduleOnce } from '../../lib/schedule-once.ts'
import { EngineError, type Store } from '@harvestman/ports'
import type { JobStorage } from '../log/storage.ts'
import type { JobKit } from '../kit.ts'
import type { LeasedJob } from './leased-job.ts'
import type { RunContext, Scratch } from './strategy.ts'

/** Creates the context for the strategy of a job. `signal` aborts when the run ends. */
export function runContext({ opening, storage, by }: LeasedJob, kit: JobKit, signal: AbortSignal): RunContext {
  const { scheduler, store } = kit
  // Thousands of pages may be offered at once; one dispatch is enough for all of them.
  const dispatchSoon = scheduleOnce(kit.dispatch)
  return {
    id: opening.id,
    signal,
    offer: (host, count) => {
      scheduler.offer(opening.id, host, count)
      dispatchSoon()
    },
    slowDown: (host, pause) => scheduler.obeyCrawlDelay(host, pause),
    // Scratch space is separate for each run: a run that has lost its lease without noticing must not overwrite it.
    scratch: (name) => scratchIn(storage, `${name}/${by}`, store),
    warn: (message, cause) => kit.warn(message, cause, opening),
  }
}

function scratchIn({ name: job, keep }: JobStorage, name: string, store: Store): Scratch {
  const keyOf = (part: number): string => `${job}/${name}/${part}`
  return {
    write: (part, bytes) => store.set(keyOf(part), bytes, keep()),
    read: async (part) => {
      const bytes = await store.get(keyOf(part))
      if (bytes instanceof Uint8Array) return bytes
      throw new EngineError('store_failed', 'The store lost a part of a job.')
    },
  }
}
