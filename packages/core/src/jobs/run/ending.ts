import { EngineError } from '../../errors/error.ts'
import type { JobLease } from '../worker/job-lease.ts'
import type { EndedFact, Entry, Fact } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { pagesIn, type RunParts } from './run-parts.ts'
import { isSuperseded, openWriter, type Writer } from '../log/writer.ts'

/** The log of a run while it lasts, and the ways in which a run comes to its end. */
export interface Ending {
  /** Takes in what happened, and resolves when it is kept. A run that cannot keep it stops here. */
  add(entries: readonly Entry[]): Promise<void>
  /** Whether nothing is to be begun any more. */
  readonly hasBegun: boolean
  /** Ends the job. */
  finish(ended: EndedFact, ...before: readonly Fact[]): Promise<void>
  /** Ends the run, and leaves the job to whoever takes it up next. */
  stop(reason: EngineError): Promise<void>
  /** Resolves when all of it is done. */
  readonly over: Promise<void>
}

/** Writes the log from a place on, until the run ends. */
export function makeEnding(lease: JobLease, parts: RunParts, place: number, kit: JobKit): Ending {
  const { strategy, record, loader, seen, end, keeper } = parts
  const { clock, scheduler } = kit
  const over = Promise.withResolvers<void>()
  const writer = writerOf(lease, parts, place, kit)
  let hasBegun = false
  let closing: Promise<void> | undefined

  const add = async (entries: readonly Entry[]): Promise<void> => {
    for (const { fact } of entries) strategy.fold(fact)
    keeper.pages += pagesIn(entries)
    try {
      await writer.add(entries)
    } catch (error) {
      await leave(error)
    }
  }
  // Also while the job is ending: a store that does not take its end is not asked for ever.
  const close = (): Promise<void> => (closing ??= closeAll())
  const closeAll = async (): Promise<void> => {
    hasBegun = true
    scheduler.leave(lease.opening.id)
    await writer.close()
    await record.close()
    over.resolve()
    seen.tell()
  }
  const stop = async (reason: EngineError): Promise<void> => {
    end.abort(reason)
    await close()
  }
  /** Somebody else writes the log, or the store is closed: what happens here counts no more. */
  const leave = (error: unknown): Promise<void> => {
    if (!isSuperseded(error)) loader.warn('A job stops here; it goes on where it is taken up next.', error)
    return stop(new EngineError('aborted', 'The job runs elsewhere now.'))
  }
  lease.lost.addEventListener('abort', () => void leave(undefined), { once: true })

  return {
    add,
    stop,
    over: over.promise,
    get hasBegun() {
      return hasBegun
    },
    finish: async (ended, ...before) => {
      if (hasBegun) return
      hasBegun = true
      end.abort(new EngineError('aborted', 'The job has ended.'))
      await add([...before, { ...ended, at: clock.now() }].map((fact) => ({ fact })))
      await close()
    },
  }
}

function writerOf(
  { storage, by }: JobLease,
  { state, record, loader, seen, keeper }: RunParts,
  place: number,
  kit: JobKit,
): Writer {
  return openWriter({
    log: storage.log,
    by,
    place,
    clock: kit.clock,
    kept: (entries) => {
      state.take(entries.map(({ fact }) => fact))
      keeper.pages -= pagesIn(entries)
      record.save()
      seen.tell()
    },
    troubled: (error) => loader.warn('The store does not take what a job brings, and is asked again.', error),
  })
}
