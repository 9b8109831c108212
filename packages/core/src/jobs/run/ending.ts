import { EngineError } from '@harvestman/ports'
import { isDamagedRecord } from '@harvestman/coordination'
import type { EndedFact, Entry, Fact } from '../log/facts.ts'
import { snapshotKey } from '../log/snapshot.ts'
import type { JobState } from '../log/state.ts'
import { isSuperseded } from '../log/writer.ts'
import type { JobKit } from '../kit.ts'
import type { Budget } from './budget.ts'
import type { Journal } from './journal.ts'
import type { LeasedJob } from './leased-job.ts'

/** The ways in which a run comes to its end. */
export interface Ending {
  /** True when nothing is to be begun any more. */
  readonly hasBegun: boolean
  /**
   * Adds entries to the log; those of a page with the generation of the store when its load began. A run that cannot add
   * them stops.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Ends the job. */
  finish(ended: EndedFact, ...before: readonly Fact[]): Promise<void>
  /** Ends the run. The job goes on where a worker takes it up next. */
  stop(reason: EngineError): Promise<void>
  /** Ends the run because the store has lost some of what it had written. The next run continues from what is there. */
  goBack(): void
  /** Resolves when all of it is done; rejects when the store is damaged, so that the job cannot go on anywhere. */
  readonly over: Promise<void>
}

export interface EndingOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly journal: Journal
  readonly budget: Budget
  /** Ends what is under way. */
  readonly end: AbortController
  /** Is called when the run is over. */
  readonly changed: () => void
  readonly kit: JobKit
}

export function makeEnding({ job, state, journal, budget, end, changed, kit }: EndingOptions): Ending {
  const { opening, lost } = job
  const over = Promise.withResolvers<void>()
  over.promise.catch(() => undefined)
  let damage: EngineError | undefined
  let hasBegun = false
  let closing: Promise<void> | undefined

  // Also while the job is ending: a store that does not take its end is not asked for ever.
  const close = (): Promise<void> => (closing ??= closeAll())
  const closeAll = async (): Promise<void> => {
    hasBegun = true
    kit.scheduler.leave(opening.id)
    await journal.close()
    if (journal.wentBack) await dropLost(journal.wentBack.from)
    // Credits that are not settled now are settled where the job is taken up next.
    await budget.close().catch((error: unknown) => kit.warn('The credits of a job are settled later.', error, opening))
    if (damage) over.reject(damage)
    else over.resolve()
    changed()
  }
  /** What was written beyond a gap is of no use, and the next worker must not take it for its own. */
  const dropLost = async (from: number | undefined): Promise<void> => {
    const { storage, by } = job
    state.reopen()
    if (from === undefined) return
    try {
      await kit.store.delete(snapshotKey(storage.name))
      await storage.log.cut(from, state.places, by)
    } catch (error) {
      kit.warn('What a job wrote after its store went back is deleted by its next worker.', error, opening)
    }
  }
  const stop = async (reason: EngineError): Promise<void> => {
    end.abort(reason)
    await close()
  }
  /** Another engine writes the log, or the store is closed: what happens here counts no more. */
  const leave = (error?: unknown): Promise<void> => {
    if (isDamagedRecord(error)) damage = error
    else if (!isSuperseded(error)) kit.warn('A job stops here; the next worker continues it.', error, opening)
    return stop(new EngineError('aborted', 'The job runs elsewhere now.'))
  }
  const add: Ending['add'] = (entries, since) => journal.add(entries, since).catch(leave)
  lost.addEventListener('abort', () => void leave(), { once: true })

  return {
    add,
    stop,
    goBack: () => void leave(),
    over: over.promise,
    get hasBegun() {
      return hasBegun
    },
    finish: async (ended, ...before) => {
      if (hasBegun) return
      hasBegun = true
      end.abort(new EngineError('aborted', 'The job has ended.'))
      // A job is over when all of it can be read, and not before.
      if (!(await journal.check())) return leave()
      await add([...before, { ...ended, at: kit.clock.now() }].map((fact) => ({ fact })))
      await close()
    },
  }
}
