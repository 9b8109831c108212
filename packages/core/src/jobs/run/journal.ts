import { makeCheckpointer, type Checkpointer } from '../log/checkpointer.ts'
import type { Entry } from '../log/facts.ts'
import type { JobState } from '../log/state.ts'
import type { PartNames } from '../log/snapshot.ts'
import { makeSnapshotter } from '../log/snapshotter.ts'
import { isMoved, openWriter } from '../log/writer.ts'
import type { JobKit } from '../kit.ts'
import type { LeasedJob } from './leased-job.ts'
import type { Strategy } from './strategy.ts'

/** Takes in what happens in a run: the strategy knows it at once, and it counts as soon as it is kept. */
export interface Journal {
  /**
   * Resolves when the entries are stored; rejects when another engine writes the log, the store is closed, or its generation
   * is not `since`.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Pages that are known and not kept yet. */
  readonly left: number
  /** Has a checkpoint written soon. */
  save(): void
  /** Resolves to whether all that was kept can be read; true when the store cannot be asked for half a minute. */
  check(): Promise<boolean>
  /** Set when the store has lost some of what was kept. */
  readonly wentBack: Checkpointer['wentBack']
  /** True when the store has moved to another server while a page was loaded: the job is to be continued at once. */
  readonly hasMoved: boolean
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
  /** Is called once when the store has lost some of what was kept. */
  readonly wentBack: () => void
  readonly kit: JobKit
}

/** Attempts to check a job at its end while the store is away, and the milliseconds between them. */
const checking = { tries: 60, rest: 500 }

export function openJournal({ job, state, strategy, snapshot, changed, wentBack, kit }: JournalOptions): Journal {
  /** Pages that the strategy is done with count as left until they are kept: so the sum stays the same. */
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
    kept: (entries) => {
      state.take(
        entries.map(({ fact }) => fact),
        job.by,
      )
      checkpoint.kept(entries)
      unkept -= pagesIn(entries)
      snapshots.kept(entries)
      checkpoint.save()
      changed()
    },
    troubled: (error) => kit.warn('The store does not take what a job brings, and is asked again.', error, job.opening),
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
    } catch {
      if (tries === checking.tries || closing.aborted) return true
    }
    await clock.sleep(checking.rest, closing).catch(() => undefined)
  }
}

function pagesIn(entries: readonly Entry[]): number {
  return entries.filter(({ fact }) => fact.is === 'page' || fact.is === 'failed').length
}
