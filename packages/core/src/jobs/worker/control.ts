import type { Json } from '@harvestman/ports'
import { requestRedelivery } from '@harvestman/webhooks'
import type { Worker } from './worker.ts'
import type { JobView } from '../log/view.ts'
import { readCommands, sendCancel, sendMore, type CommandStorage } from './commands.ts'
import { deliveryState } from '../delivery/delivery-state.ts'
import { hasUnprocessedMore } from '../log/tally.ts'
import { markOpen } from './open-jobs.ts'

/** Commands to a job, wherever it runs. */
export interface JobControl {
  /**
   * Sends more work in parts, even if the job has ended. Each part is processed in one step, so its size is limited. Resolves when
   * the work is stored; if the job runs here, when it is processed too, or after 10 seconds.
   */
  more(now: JobView, parts: readonly Json[]): Promise<void>
  /** Cancels the job. Resolves to whether this call ended it. */
  cancel(id: string): Promise<boolean>
  /** Sends abandoned webhook messages again. Resolves to their number. */
  redeliver(id: string): Promise<number>
}

export interface ControlOptions {
  readonly view: (id: string) => Promise<JobView>
  readonly worker: Pick<Worker, 'find' | 'push'>
  readonly kit: CommandStorage
}

/**
 * Milliseconds for which `cancel` waits until the job has ended. A job that has just started or runs elsewhere takes a moment.
 */
const endsWithin = 1_000
/** Milliseconds for which `more` waits until the work is in the log. It is stored, so it is processed in any case. */
const processedWithin = 10_000

/**
 * Creates the functions that send commands to jobs. They reject with `not_found` for an unknown job. `cancel` waits up to a
 * second for the end, and resolves to true also if the job has not ended by then.
 */
export function makeControl({ view, worker, kit }: ControlOptions): JobControl {
  const { store } = kit
  /** Processes stored commands immediately if the job runs here. Otherwise any engine can process them. */
  const process = async ({ opening }: JobView): Promise<void> => {
    const run = worker.find(opening.id)
    await (run ? run.follow(await readCommands(kit, opening.id)) : worker.push(opening))
  }
  /** Returns whether the job runs, or will run because work has been added to it. */
  const isRunning = async ({ opening, tally }: JobView): Promise<boolean> =>
    tally.status === 'scraping' || hasUnprocessedMore(await readCommands(kit, opening.id), tally)
  return {
    more: async (now, parts) => {
      const mark = (): Promise<void> => markOpen(store, now.opening)
      await sendMore(kit, now.opening.id, parts, { keep: now.storage.keep, mark })
      // A worker that had read the commands before may have removed the mark. The work is stored: if the call failed now, its
      // caller would send the work twice.
      await Promise.allSettled([mark(), within(processedWithin, process(now))])
    },
    cancel: async (id) => {
      const now = await view(id)
      if (!(await isRunning(now))) return false
      await sendCancel(kit, id, now.storage.keep())
      await process(now)
      const last = await untilOver(() => view(id), isRunning)
      // The job may have ended by itself in between. If it is still running, this command will end it.
      return last.tally.status === 'cancelled' || isRunning(last)
    },
    redeliver: async (id) => {
      const { opening, storage } = await view(id)
      const { dead } = await deliveryState(opening, store)
      if (dead.length === 0) return 0
      await markOpen(store, opening)
      await requestRedelivery(store, storage.name, storage.keep())
      await worker.push(opening)
      return dead.length
    },
  }
}

/** Resolves when the work is done, or after `ms` milliseconds. Rejects if the work does before. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const enough = Promise.withResolvers<void>()
  const timer = setTimeout(enough.resolve, ms)
  await Promise.race([work, enough.promise]).finally(() => clearTimeout(timer))
}

/** Returns the view of a job once it has ended, or after `endsWithin`. */
async function untilOver(
  view: () => Promise<JobView>,
  isRunning: (now: JobView) => Promise<boolean>,
): Promise<JobView> {
  const late = AbortSignal.timeout(endsWithin)
  for (;;) {
    const now = await view()
    const changed = now.changed(late).then(
      () => true,
      () => false,
    )
    if (!(await isRunning(now)) || !(await changed)) return now
  }
}
