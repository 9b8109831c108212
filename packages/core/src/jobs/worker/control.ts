import type { Json, Store } from '@harvestman/ports'
import { askAgain } from '@harvestman/webhooks'
import type { Worker } from './worker.ts'
import type { JobView } from '../log/view.ts'
import type { Command } from '../run/command.ts'
import { readCommands, sendCommand } from './commands.ts'
import { deliveryState } from '../delivery/delivery-state.ts'
import { markOpen } from './open-jobs.ts'

/** Commands to a job, whichever engine works on it. */
export interface JobControl {
  /** Brings more to do, whether or not the job has ended. */
  more(now: JobView, body: Json): Promise<void>
  /** Resolves to whether this ended it. */
  cancel(id: string): Promise<boolean>
  /** Has messages sent again that were given up, and resolves to how many they are. */
  redeliver(id: string): Promise<number>
}

export interface ControlOptions {
  readonly view: (id: string) => Promise<JobView>
  readonly worker: Pick<Worker, 'find' | 'push'>
  readonly store: Store
}

/** Milliseconds that `cancel` waits for the end: it takes a moment for a job that has just begun, or runs elsewhere. */
const endsWithin = 1_000

export function makeControl({ view, worker, store }: ControlOptions): JobControl {
  /** Kept first, so that it is followed whichever engine works on the job; and followed at once where that is here. */
  const send = async ({ opening: { id, team }, storage }: JobView, command: Command): Promise<void> => {
    await sendCommand(store, id, command, storage.keep())
    const run = worker.find(id)
    await (run ? run.follow(await readCommands(store, id)) : worker.push(id, team))
  }
  return {
    more: async (now, body) => {
      await markOpen(store, now.opening)
      await send(now, { asks: 'more', body })
    },
    cancel: async (id) => {
      const now = await view(id)
      if (now.tally.status !== 'scraping') return false
      await send(now, { asks: 'cancel' })
      const { tally } = await untilOver(() => view(id))
      // It may have ended by itself in between; what has not ended yet will, by this command.
      return tally.status === 'cancelled' || tally.status === 'scraping'
    },
    redeliver: async (id) => {
      const { opening, storage } = await view(id)
      const { dead } = await deliveryState(opening, store)
      if (dead.length === 0) return 0
      await markOpen(store, opening)
      await askAgain(store, storage.name, storage.keep())
      await worker.push(id, opening.team)
      return dead.length
    },
  }
}

/** Returns the view of a job when it is over, or after a while. */
async function untilOver(view: () => Promise<JobView>): Promise<JobView> {
  const late = AbortSignal.timeout(endsWithin)
  for (;;) {
    const now = await view()
    const changed = now.changed(late).then(
      () => true,
      () => false,
    )
    if (now.tally.status !== 'scraping' || !(await changed)) return now
  }
}
