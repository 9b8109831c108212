import type { Store } from '@harvestman/ports'
import { makeSequence } from '@harvestman/toolbox/sequence'
import { checkpointValue } from './checkpoint.ts'
import { indexBlocks } from './document-index.ts'
import { failureBlocks } from './failure-places.ts'
import type { Entry, Opening } from './facts.ts'
import { makeFence, makeLogCheck, type LogCheck } from './fence.ts'
import type { JobState } from './state.ts'
import type { JobStorage } from './storage.ts'

/** Writes the checkpoint of a running job and verifies that the store still has everything this run has written. */
export interface Checkpointer {
  /** Must be called with the entries of a segment once they are in the log and in the state. */
  stored(entries: readonly Entry[]): void
  /** Schedules a checkpoint of the state at the time of writing. */
  save(): void
  /**
   * Writes a checkpoint now. Resolves to whether the store has the whole log of the job, as far as this run knows it; rejects
   * if the store fails.
   */
  check(): Promise<boolean>
  /** Writes a last checkpoint. Resolves when it is done. */
  close(): Promise<void>
  /**
   * Set if the store was found in an earlier state than this run has written. `from` is the first lost position of the log, if
   * any.
   */
  readonly wentBack: { readonly from: number | undefined } | undefined
}

export interface CheckpointerOptions {
  readonly job: { readonly opening: Opening; readonly storage: JobStorage; readonly by: string }
  readonly state: JobState
  /** Returns the number of known pages that are not loaded yet. */
  readonly left: () => number
  readonly store: Store
  /** Called once if the store went back to an earlier state. */
  readonly wentBack: () => void
}

/** Minimum milliseconds between two checkpoints, so that a busy job does not write more of them. */
const restAfter = 100

/**
 * Creates the checkpointer of a run. Checkpoints are written in the background, because they can be rebuilt from the log. They
 * also detect a store that was put back to an earlier state (a Redis snapshot, a failover, a restored backup), which has the
 * first writes of this run but not the last ones. Each checkpoint therefore replaces only its own predecessor, and after it is
 * written, the segments since the predecessor must exist. With this order, no rollback is missed: a segment found after a
 * checkpoint was written before that checkpoint, so it can only be lost together with it, and the next checkpoint detects that.
 */
export function makeCheckpointer(options: CheckpointerOptions): Checkpointer {
  const { job, state, store } = options
  const check = makeLogCheck(job.storage, state, store)
  const writer = makeWriter(options, check)
  let isStale = false
  let working: Promise<void> | undefined
  let isClosing = false
  let restOver = (): void => undefined
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, restAfter)
      restOver = () => (clearTimeout(timer), resolve())
    })
  const work = async (): Promise<void> => {
    while (isStale) {
      isStale = false
      if (!(await writer.write())) return
      if (!isClosing) await rest()
    }
  }
  const save = (): Promise<void> => {
    isStale = true
    working ??= work()
      .catch(() => undefined)
      .finally(() => {
        working = undefined
      })
    return working
  }
  return {
    get wentBack() {
      return writer.wentBack
    },
    stored: check.stored,
    save: () => void save(),
    check: async () => {
      // A store without `has` would have to read every segment. Its log was checked when this run started.
      if (store.has) check.restart()
      return writer.write()
    },
    close: () => {
      isClosing = true
      const last = save()
      restOver()
      return last
    },
  }
}

/** Writes checkpoints one at a time. `write` resolves to whether this run is still the writer and nothing is lost. */
function makeWriter({ job, state, left, store, wentBack }: CheckpointerOptions, check: LogCheck) {
  const { opening, storage, by } = job
  const { name, keep } = storage
  const fence = makeFence(store, by)
  let back: Checkpointer['wentBack']
  const writes = makeSequence()
  const writeNow = async (): Promise<boolean> => {
    if (back) return false
    await state.ends.write({ store, name: indexBlocks(name), keep })
    await state.failures.write({ store, name: failureBlocks(name), keep })
    const { tally, places, ends, failures } = state.copy()
    const index = { blocks: ends.lasts, tail: ends.tail }
    const lists = { index, failures: { blocks: failures.lasts.length, tail: failures.tail } }
    const value = { opening, tally, left: left(), places, ...lists, by }
    const outcome = await fence.replace(name, (saves) => checkpointValue({ ...value, saves }), keep())
    // Also checked if the checkpoint was not replaced: a gap in the log distinguishes a rolled-back store from a takeover.
    const from = await check.firstLost(places)
    if (from === undefined && outcome !== 'went back') return outcome === 'replaced'
    back = { from }
    wentBack()
    return false
  }
  return {
    get wentBack() {
      return back
    },
    write: (): Promise<boolean> => writes.run(writeNow),
  }
}
