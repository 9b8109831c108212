import type { EngineError, Stop } from '@harvestman/ports'
import { makeNotifier } from '@harvestman/ports/adapters'
import { leaseWatch, openBorrower, unlent, type Borrower } from '@harvestman/coordination'
import type { HostTurn } from '@harvestman/schedule'
import type { JobView } from '../log/view.ts'
import type { JobKit } from '../kit.ts'
import type { JobRun } from '../run/run.ts'
import { readCommands, watchCommands } from './commands.ts'
import { borrowedPages } from '../run/borrowed-pages.ts'
import { lookAround } from './look-around.ts'
import { openPlacement, type Placement } from './placement.ts'
import { makeSupervisor, type SupervisorOptions } from './supervisor.ts'

/** The part of an engine that works on jobs: those from the queue, and those that an engine before has left behind. */
export interface Worker {
  /** The job of this id, when it runs here. */
  find(id: string): JobRun | undefined
  /** Puts a job into the queue. */
  push(id: string, team: string): Promise<void>
  /** Begins to work, once; and looks for jobs that were left behind, now and from time to time. */
  work(): Promise<void>
  /** Starts the visit of a job that is next. */
  start(turn: HostTurn): void
  /** Returns the error that kept a job from going on here at the last try, where the store is damaged. */
  damageOf(id: string): EngineError | undefined
  /** Resolves when a job has begun to run here, or could not because the store is damaged. */
  began(signal: AbortSignal): Promise<void>
  close(reason: EngineError): Promise<void>
}

/** Milliseconds between two looks for jobs that were left behind. */
const lookEvery = 5_000
/** The same where no queue hands what one worker leaves to the others. */
const lookEveryAlone = 1_000
/** Jobs at once; how many pages at once is for the scheduler to say. */
const mostJobs = 1_000
/** Jobs of one team among these at most: another team finds a place, however many jobs the first has opened. */
const mostOfTeam = 900
const jobTasks = { kind: 'job', concurrency: mostJobs, perTeam: mostOfTeam }

export function makeWorker(kit: JobKit, view: (id: string) => Promise<JobView>): Worker {
  const runs = new Map<string, JobRun>()
  const damages = new Map<string, EngineError>()
  const begun = makeNotifier()
  const closed = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let started: Promise<Stop> | undefined

  const push: Worker['push'] = (id, team) => kit.queue.push({ id, kind: jobTasks.kind, body: null, team })
  const work: SupervisorOptions['work'] = async (run) => {
    if (closed.signal.aborted) return run.stop(closed.signal.reason as EngineError)
    damages.delete(run.opening.id)
    runs.set(run.opening.id, run)
    await workOn(run, begun.notify, kit, () => runs.delete(run.opening.id))
  }
  const watch = leaseWatch(kit.clock)
  const damaged: SupervisorOptions['damaged'] = (id, error) => (damages.set(id, error), begun.notify())
  let placement: Placement | undefined
  const seen = { damaged, changed: () => placement?.changed(), closed: closed.signal }
  const supervisor = makeSupervisor({ kit, view, work, push, watch, ...seen })
  const look = (): Promise<void> => lookAround({ kit, supervisor, watch, push })
  const start = async (): Promise<Stop> => {
    const { place, close } = (placement ??= openPlacement(kit, supervisor, watch))
    const stop = await kit.queue.consume(place, jobTasks)
    const borrower = kit.lender === unlent ? undefined : borrow(kit, closed.signal)
    timers.push(setInterval(() => void look().catch(() => undefined), betweenLooks(kit)).unref())
    return async () => void (await Promise.all([stop(), borrower?.close(), close()]))
  }

  return {
    find: (id) => runs.get(id),
    push,
    damageOf: (id) => damages.get(id),
    began: (signal) => begun.wait(signal),
    work: async () => {
      if (started) return void (await started)
      started = start()
      try {
        await started
      } catch (error) {
        // It can be asked for again, when the queue is there.
        started = undefined
        throw error
      }
      await look()
    },
    start: (turn) => {
      const run = runs.get(turn.job)
      if (run) run.visit(turn)
      else kit.scheduler.done(turn, {})
    },
    close: async (reason) => {
      closed.abort(reason)
      timers.forEach(clearInterval)
      await Promise.all([...runs.values()].map((run) => run.stop(reason)))
      const stop = await started?.catch(() => undefined)
      await (stop ?? placement?.close)?.()
      await supervisor.idle()
    },
  }
}

function betweenLooks({ store, queue, leaseTime }: JobKit): number {
  const isAlone = store.reach === 'shared' && queue.reach === 'process'
  return Math.min(isAlone ? lookEveryAlone : lookEvery, leaseTime / 3)
}

/** Loads pages of jobs that others have, in the places that are free. */
function borrow(kit: JobKit, closed: AbortSignal): Borrower {
  const { store, queue, clock, owner, leaseTime, scheduler } = kit
  const take = (): (() => void) => {
    const giveBack = scheduler.borrow()
    return () => {
      giveBack()
      kit.dispatch()
    }
  }
  const { places } = scheduler
  const free = (): number => scheduler.free
  const open = borrowedPages(kit)
  const borrower = openBorrower({ store, queue, clock, owner, leaseTime, places, free, take, open })
  closed.addEventListener('abort', () => void borrower.close(), { once: true })
  return borrower
}

/** Has a run go on until it is over, and follow what the job is told meanwhile. */
async function workOn(
  run: JobRun,
  begun: () => void,
  { store, room, hasEnded }: JobKit,
  over: () => void,
): Promise<void> {
  const { id } = run.opening
  const isOld = run.state.tally.status !== 'scraping'
  run.begin(() => readCommands(store, id))
  begun()
  const follow = async (): Promise<void> => run.follow(await readCommands(store, id))
  // Watches for commands from other engines; those of this one are followed when they come.
  const look = (): void => void follow().catch(() => undefined)
  const stop = store.reach === 'shared' ? await watchCommands(store, id, look) : undefined
  // Commands may have come before the watch began.
  if (stop) look()
  try {
    await run.over
  } finally {
    over()
    const { tally } = run.state
    if (tally.status !== 'scraping') room?.ended(id)
    if (tally.status !== 'scraping' && !isOld) hasEnded(run.opening, tally)
    await stop?.()
  }
}
