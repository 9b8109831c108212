import type { Store } from '@harvestman/ports'
import { makeSequence } from '@harvestman/ports/adapters'
import { checkpointValue } from './checkpoint.ts'
import { indexBlocks } from './document-index.ts'
import { failureBlocks } from './failure-places.ts'
import type { Entry, Opening } from './facts.ts'
import { makeFence, makeLogCheck, type LogCheck } from './fence.ts'
import type { JobState } from './state.ts'
import type { JobStorage } from './storage.ts'

/** Writes the checkpoint of a running job, and checks that the store still has what this run has written. */
export interface Checkpointer {
  /** Must be called with the entries of a segment once they are in the log and in the state. */
  kept(entries: readonly Entry[]): void
  /** Writes a checkpoint soon, of the state at that time. */
  save(): void
  /**
   * Writes a checkpoint now. Resolves to whether the whole log of the job is in the store, as this run knows it; rejects
   * when the store fails.
   */
  check(): Promise<boolean>
  /** Writes one more, and waits for that. */
  close(): Promise<void>
  /**
   * Set when the store was found to be at an earlier state than what this run has written. `from` is the first place of
   * the log that is lost, if any is.
   */
  readonly wentBack: { readonly from: number | undefined } | undefined
}

export interface CheckpointerOptions {
  readonly job: { readonly opening: Opening; readonly storage: JobStorage; readonly by: string }
  readonly state: JobState
  /** Pages that are known and not loaded yet. */
  readonly left: () => number
  readonly store: Store
  /** Called once when the store went back. */
  readonly wentBack: () => void
}

/** Milliseconds between one checkpoint and the next: a job that brings pages all the time writes no more of them. */
const restAfter = 100

/**
 * The checkpoint is not waited for: all of it can be told from the log again. A store that was put back to an earlier
 * state (a snapshot of Redis, a failover, a restored backup) has the first of our writes and not the last ones. So each
 * checkpoint replaces the one before and no other; and once it is written, the segments since the one before must be
 * there. In this order, no moment at which the store may go back is missed: what is there after a checkpoint was written
 * before it, so it is lost only together with the checkpoint, and the next one finds that.
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
    kept: check.kept,
    save: () => void save(),
    check: async () => {
      // A store that cannot tell without reading it all has been checked since this run began.
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

/** Writes checkpoints, one after the other. `write` resolves to whether this is still the writer, and nothing is lost. */
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
    // Also where it was not replaced: a gap in the log tells a store that went back from another worker.
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
