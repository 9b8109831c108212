import { makeCheckpointer } from '../log/checkpoint.ts'
import type { Entry } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import type { PartNames } from '../log/snapshot.ts'
import { makeSnapshotter } from '../log/snapshotter.ts'
import { openWriter } from '../log/writer.ts'
import type { JobKit } from '../kit.ts'
import type { LeasedJob } from './leased-job.ts'
import type { Strategy } from './strategy.ts'

/** Takes in what happens in a run: the strategy knows it at once, and it counts as soon as it is kept. */
export interface Journal {
  /** Resolves when it is kept; rejects when another engine writes the log, or the store is closed. */
  add(entries: readonly Entry[]): Promise<void>
  /** Pages that are known and not kept yet. */
  readonly left: number
  /** Has a checkpoint written soon. */
  save(): void
  /** Keeps what waits, and takes nothing more. */
  close(): Promise<void>
}

export interface JournalOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly strategy: Strategy
  /** The parts of the last snapshot, and the pages that came after it. */
  readonly snapshot: { readonly parts: PartNames; readonly pages: number }
  /** Is called when something new is kept. */
  readonly changed: () => void
  readonly kit: JobKit
}

export function openJournal({ job, state, strategy, snapshot, changed, kit }: JournalOptions): Journal {
  /** Pages that the strategy is done with count as left until they are kept: so the sum stays the same. */
  let unkept = 0
  const left = (): number => (state.tally.status === 'scraping' ? strategy.left() + unkept : 0)
  const checkpoint = makeCheckpointer(job, state, left, kit.store)
  const { inParts } = strategy
  const snapshots = makeSnapshotter({ storage: job.storage, state, inParts, store: kit.store, ...snapshot })
  const writer = openWriter({
    log: job.storage.log,
    by: job.by,
    place: state.places,
    clock: kit.clock,
    kept: (entries) => {
      state.take(entries.map(({ fact }) => fact))
      unkept -= pagesIn(entries)
      snapshots.kept(entries)
      checkpoint.save()
      changed()
    },
    troubled: (error) => kit.warn('The store does not take what a job brings, and is asked again.', error, job.opening),
  })
  return {
    add: async (entries) => {
      if (snapshots.add(entries)) writer.cut()
      for (const { fact } of entries) strategy.fold(fact)
      unkept += pagesIn(entries)
      await writer.add(entries)
    },
    get left() {
      return left()
    },
    save: checkpoint.save,
    close: async () => {
      await writer.close()
      await snapshots.close()
      await checkpoint.close()
    },
  }
}

function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}
