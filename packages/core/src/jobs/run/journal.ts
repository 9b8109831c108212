import { isDamagedRecord } from '@harvestman/coordination'
import { makeCheckpointer, type Checkpointer } from '../log/checkpointer.ts'
import type { Entry } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import type { PartNames } from '../log/snapshot.ts'
import { makeSnapshotter } from '../log/snapshotter.ts'
import { isMoved, openWriter } from '../log/writer.ts'
import type { JobKit } from '../kit.ts'
import type { LeasedJob } from './leased-job.ts'
import type { Strategy } from './strategy.ts'

/** Records what happens in a run. The strategy sees an entry immediately; the job's state counts it once it is stored. */
export interface Journal {
  /**
   * Resolves when the entries are stored. Rejects if another engine writes the log, the store is closed, or its generation is
   * no longer `since`.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Number of known pages that are not stored yet. */
  readonly left: number
  /** Schedules a checkpoint. */
  save(): void
  /**
   * Resolves to whether everything stored can still be read; also true if the store is unreachable for 30 seconds. Rejects if
   * the store is damaged.
   */
  check(): Promise<boolean>
  /** Set if the store lost some of the stored entries. */
  readonly wentBack: Checkpointer['wentBack']
  /** True if the store moved to another server during a page load. The job must then be restarted at once. */
  readonly hasMoved: boolean
  /** Stores the pending entries and accepts no more. */
  close(): Promise<void>
}

export interface JournalOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly strategy: Strategy
  /** Part names of the last snapshot, and the number of pages stored after it. */
  readonly snapshot: { readonly parts: PartNames; readonly pages: number }
  /** Called when new entries are stored. */
  readonly changed: () => void
  /** Called once if the store lost stored entries. */
  readonly wentBack: () => void
  readonly kit: JobKit
}

/** Attempts to check the log at the end of a job while the store is unreachable, and milliseconds between them. */
const checking = { tries: 60, rest: 500 }

/**
 * Opens the journal of a run, which writes the log, the checkpoints and the snapshots of its job. `add` rejects if the log
 * cannot be written.
 */
export function openJournal({ job, state, strategy, snapshot, changed, wentBack, kit }: JournalOptions): Journal {
  /** Pages that the strategy has finished count as left until they are stored, so that the total stays constant. */
  let unkept = 0
  let hasMoved = false
  const closing = new AbortController()
  const left = (): number => (state.tally.status === 'scraping' ? strategy.left() + unkept : 0)
  const checkpoint = makeCheckpointer({ job, state, left, store: kit.store, wentBack })
  const { inParts } = strategy
  const snapshots = makeSnapshotter({ storage: job.storage, state, inParts, store: kit.store, ...snapshot })
  const writer = openWriter({
    log: job.storage.log,
    by: job.by,
    place: state.places,
    after: state.by,
    clock: kit.clock,
    generation: () => kit.store.generation?.(),
    stored: (entries) => {
      state.take(
        entries.map(({ fact }) => fact),
        job.by,
      )
      checkpoint.stored(entries)
      unkept -= pagesIn(entries)
      snapshots.stored(entries)
      checkpoint.save()
      changed()
    },
    troubled: (error) =>
      kit.warn('The store rejected the results of a job. Writing them is retried.', error, job.opening),
  })
  return {
    add: async (entries, since) => {
      if (snapshots.add(entries)) writer.cut()
      for (const { fact } of entries) strategy.fold(fact)
      unkept += pagesIn(entries)
      await writer.add(entries, since).catch((error: unknown) => {
        hasMoved ||= isMoved(error)
        throw error
      })
    },
    get left() {
      return left()
    },
    save: checkpoint.save,
    check: () => checkAtEnd(checkpoint, kit, closing.signal),
    get wentBack() {
      return checkpoint.wentBack
    },
    get hasMoved() {
      return hasMoved
    },
    close: async () => {
      closing.abort()
      await writer.close()
      await snapshots.close()
      await checkpoint.close()
    },
  }
}

async function checkAtEnd({ check }: Checkpointer, { clock }: JobKit, closing: AbortSignal): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check()
    } catch (error) {
      if (isDamagedRecord(error)) throw error
      if (tries === checking.tries || closing.aborted) return true
    }
    await clock.sleep(checking.rest, closing).catch(() => undefined)
  }
}

function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}
