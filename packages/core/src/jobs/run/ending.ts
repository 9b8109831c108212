import { EngineError } from '@harvestman/ports'
import { isDamagedRecord, isNewerRecord } from '@harvestman/coordination'
import type { EndedFact, Entry, Fact } from '../log/facts.ts'
import { snapshotKey } from '../log/snapshot.ts'
import type { JobState } from '../log/state.ts'
import { isSuperseded } from '../log/writer.ts'
import { endWaits } from '../../scrape/kit.ts'
import type { JobKit } from '../kit.ts'
import type { Budget } from './budget.ts'
import type { Journal } from './journal.ts'
import type { LeasedJob } from './leased-job.ts'

/** Ends a run: finishes the job, stops the run, or restarts it after lost writes. */
export interface Ending {
  /** True once the run is ending and must not start anything. */
  readonly hasBegun: boolean
  /**
   * Adds entries to the log. `since` is the store's generation when the load of their page began. If they cannot be added, the
   * run stops.
   */
  add(entries: readonly Entry[], since?: number): Promise<void>
  /** Ends the job, after the facts `before`. */
  finish(ended: EndedFact, ...before: readonly Fact[]): Promise<void>
  /** Ends this run only. The next worker that takes the job continues it. */
  stop(reason: EngineError): Promise<void>
  /** Ends this run only, because of an error. `over` rejects with an error that prevents this engine from continuing the job. */
  leave(error: unknown): Promise<void>
  /** Ends the run because the store lost some of its writes. The next run continues from the state of the store. */
  goBack(): void
  /**
   * Resolves when the run has fully ended. Rejects if the store is damaged, so that no engine can continue the job, and with
   * `newer_version` if only a newer engine can.
   */
  readonly over: Promise<void>
}

export interface EndingOptions {
  readonly job: LeasedJob
  readonly state: JobState
  readonly journal: Journal
  readonly budget: Budget
  /** Aborts the running visits. */
  readonly end: AbortController
  /** Called when the run has ended. */
  readonly changed: () => void
  readonly kit: JobKit
}

/** Creates the ending of a run, which finishes its job, or stops the run so that another engine can continue the job. */
export function makeEnding({ job, state, journal, budget, end, changed, kit }: EndingOptions): Ending {
  const { opening, lost } = job
  const over = Promise.withResolvers<void>()
  over.promise.catch(() => undefined)
  let obstacle: EngineError | undefined
  let hasBegun = false
  let closing: Promise<void> | undefined

  // Closes even while the job is finishing: a store that rejects the final entry must not block the run forever.
  const close = (): Promise<void> => (closing ??= closeAll())
  const closeAll = async (): Promise<void> => {
    hasBegun = true
    kit.scheduler.leave(opening.id)
    await journal.close()
    if (journal.wentBack) await dropLost(journal.wentBack.from, { job, state, kit })
    // Credits that cannot be settled now are settled by the next run.
    await budget.close().catch((error: unknown) => kit.warn('The credits of a job are settled later.', error, opening))
    if (obstacle) over.reject(obstacle)
    else over.resolve()
    changed()
  }
  const stop = async (reason: EngineError): Promise<void> => {
    end.abort(reason)
    await close()
  }
  /**
   * Ends the run because another engine writes the log now, or the store is closed, damaged or has lost writes. Later results
   * of this run are discarded.
   */
  const leave = (error?: unknown): Promise<void> => {
    if (isDamagedRecord(error) || isNewerRecord(error)) obstacle = error
    else if (!isSuperseded(error)) kit.warn('A job stops here; the next worker continues it.', error, opening)
    return stop(new EngineError('aborted', 'The job runs elsewhere now.'))
  }
  const add: Ending['add'] = (entries, since) => journal.add(entries, since).catch(leave)
  lost.addEventListener('abort', () => void leave(), { once: true })

  return {
    add,
    stop,
    leave,
    goBack: () => void leave(),
    over: over.promise,
    get hasBegun() {
      return hasBegun
    },
    finish: async (ended, ...before) => {
      if (hasBegun) return
      hasBegun = true
      end.abort(new EngineError('aborted', 'The job has ended.'))
      // A job ends only once its whole log can be read.
      const isComplete = await journal.check().catch(leave)
      if (isComplete !== true) return isComplete === false ? leave() : undefined
      await add([...before, { ...ended, at: kit.clock.now() }].map((fact) => ({ fact })))
      await close()
      // They expire by themselves if the store fails.
      await endWaits(kit.scrape, opening).catch(() => undefined)
    },
  }
}

/** Deletes the log segments after a gap. They are useless, and the next worker must not take them for its own. */
async function dropLost(
  from: number | undefined,
  { job: { opening, storage, by }, state, kit }: Pick<EndingOptions, 'job' | 'state' | 'kit'>,
): Promise<void> {
  state.reopen()
  if (from === undefined) return
  try {
    await kit.store.delete(snapshotKey(storage.name))
    await storage.log.cut(from, state.places, by)
  } catch (error) {
    kit.warn('What a job wrote after its store went back is deleted by its next worker.', error, opening)
  }
}
