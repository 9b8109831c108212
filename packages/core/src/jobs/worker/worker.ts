import type { EngineError, Stop, TaskHandler } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeNotifier } from '@harvestman/toolbox/notifier'
import { leaseWatch, openLoanHelper, noHelpers, type LoanHelper } from '@harvestman/coordination'
import type { HostTurn } from '@harvestman/schedule'
import type { JobView } from '../log/view.ts'
import { isInternal, tasksOfInternal } from '../log/internal.ts'
import type { JobKit } from '../kit.ts'
import type { JobRun } from '../run/run.ts'
import { readCommands, watchCommands } from './commands.ts'
import { openRemotePages } from '../run/open-remote-pages.ts'
import { queueAbandonedJobs } from './abandoned-jobs.ts'
import type { PushJob } from './open-job.ts'
import { openPlacement, type Placement } from './placement.ts'
import { makeSupervisor, type SupervisorOptions } from './supervisor.ts'

/** The part of an engine that runs jobs: jobs from the queue, and jobs abandoned by other engines. */
export interface Worker {
  /** Returns the run of a job if it runs here. */
  find(id: string): JobRun | undefined
  /** Adds a job to the queue. */
  readonly push: PushJob
  /** Starts the worker, if it is not running, and searches for abandoned jobs now and at intervals. */
  work(): Promise<void>
  /** Starts the visit that the scheduler granted. */
  start(turn: HostTurn): void
  /** Returns the error that stopped a job at its last attempt because the store is damaged. */
  damageOf(id: string): EngineError | undefined
  /** Resolves when a job has started to run here, or could not because the store is damaged. */
  began(signal: AbortSignal): Promise<void>
  close(reason: EngineError): Promise<void>
}

/** Milliseconds between two searches for abandoned jobs. */
const lookEvery = 5_000
/** The same if workers share no queue, so that jobs returned by one reach the others only this way. */
const lookEveryAlone = 1_000
/** Maximum number of concurrent jobs. The scheduler limits the concurrent pages. */
const maxJobs = 1_000
/** Maximum number of these jobs for a single team, so that other teams get a slot however many jobs it opens. */
const maxJobsPerTeam = 900
/** Maximum number of damaged jobs to remember. A job that was forgotten is found to be damaged again. */
const maxDamages = 10_000
const jobTasks = { kind: 'job', concurrency: maxJobs, perTeam: maxJobsPerTeam }

/**
 * Returns how the queue delivers jobs of a kind. Work of features has separate tasks, because it waits for other jobs, which
 * could not start if it had all slots.
 */
function tasksOf(kind: string): typeof jobTasks {
  return isInternal(kind) ? { ...jobTasks, kind: tasksOfInternal(kind) } : jobTasks
}

/** Consumes the tasks of all kinds of jobs. If that fails for one, none is consumed. */
async function consumeAll(place: TaskHandler, { kinds, queue }: JobKit): Promise<Stop> {
  const own = kinds.filter(({ name }) => isInternal(name)).map(({ name }) => tasksOf(name))
  const stops: Stop[] = []
  const stop = async (): Promise<void> => void (await Promise.all(stops.map((one) => one())))
  try {
    for (const tasks of [jobTasks, ...own]) stops.push(await queue.consume(place, tasks))
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

/**
 * Creates the worker of an engine. It runs nothing until `work` is called, which rejects if the queue or the store is not
 * available, and may then be called again.
 */
export function makeWorker(kit: JobKit, view: (id: string) => Promise<JobView>): Worker {
  const runs = new Map<string, JobRun>()
  const damages = recentlyUsed<string, EngineError>(maxDamages)
  const begun = makeNotifier()
  const closed = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let started: Promise<Stop> | undefined
  const queue = (id: string, team: string, kind: string) => kit.queue.push({ id, kind, body: null, team })
  const push: Worker['push'] = ({ id, team, kind }) => queue(id, team, tasksOf(kind).kind)
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
  const supervisor = makeSupervisor({ kit, view, work, push: queue, watch, ...seen })
  const look = (): Promise<void> => queueAbandonedJobs({ kit, supervisor, watch, push })
  const start = async (): Promise<Stop> => {
    const { place, close } = (placement ??= openPlacement(kit, supervisor, watch))
    const stop = await consumeAll(place, kit)
    const borrower = kit.helpers === noHelpers ? undefined : borrow(kit, closed.signal)
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
        // Can be started again once the queue is available.
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

/** Loads pages of other engines' jobs in free slots. */
function borrow(kit: JobKit, closed: AbortSignal): LoanHelper {
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
  const open = openRemotePages(kit)
  const borrower = openLoanHelper({ store, queue, clock, owner, leaseTime, places, free, take, open })
  closed.addEventListener('abort', () => void borrower.close(), { once: true })
  return borrower
}

/** Runs a job until it has ended, and processes its commands. */
async function workOn(run: JobRun, begun: () => void, kit: JobKit, over: () => void): Promise<void> {
  const { store, room, hasEnded } = kit
  const { id } = run.opening
  const isOld = run.state.tally.status !== 'scraping'
  run.begin(() => readCommands(store, id))
  begun()
  const follow = async (): Promise<void> => run.follow(await readCommands(store, id))
  // Watches for commands sent by other engines. Commands from this engine are processed immediately.
  const look = (): void => void follow().catch(() => undefined)
  const stop = store.reach === 'shared' ? await watchCommands(store, id, look) : undefined
  // Commands may have been sent before the watch started.
  if (stop) look()
  try {
    await run.over
  } finally {
    over()
    const { tally } = run.state
    if (tally.status !== 'scraping') room?.ended(id)
    if (tally.status !== 'scraping' && !isOld && !isInternal(run.opening.kind)) hasEnded(run.opening, tally)
    await stop?.()
  }
}
