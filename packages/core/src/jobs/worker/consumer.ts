import type { EngineError, Stop, TaskHandler } from '@harvestman/ports'
import { leaseWatch, openLoanHelper, noHelpers, type LoanHelper } from '@harvestman/coordination'
import { isInternal, taskKindOf } from '../log/internal.ts'
import type { JobKit } from '../kit.ts'
import type { JobRun } from '../run/run.ts'
import { readCommands, watchCommands } from './commands.ts'
import { openRemotePages } from '../run/open-remote-pages.ts'
import { queueAbandonedJobs } from './abandoned-jobs.ts'
import type { PushJob } from './open-job.ts'
import { openPlacement, type Placement } from './placement.ts'
import { makeSupervisor, type SupervisorOptions } from './supervisor.ts'

/** Takes jobs from the queue and runs them. */
export interface Consumer {
  /** Starts to take jobs. Rejects if the queue is not available, and may then be called again. */
  start(): Promise<void>
  /** Queues jobs that no worker holds. */
  queueAbandoned(): Promise<void>
  close(): Promise<void>
}

export interface ConsumerOptions extends Pick<SupervisorOptions, 'kit' | 'view' | 'damaged' | 'closed'> {
  /** Adds a job to the queue. */
  readonly push: PushJob
  /** The runs of this engine. */
  readonly running: {
    add(run: JobRun): void
    /** Called when a job has started to run. */
    begun(): void
    remove(run: JobRun): void
  }
}

/** Milliseconds between two searches for abandoned jobs. */
const pollInterval = 5_000
/** The same if workers share no queue, so that jobs returned by one reach the others only this way. */
const pollIntervalAlone = 1_000
/** Maximum number of concurrent jobs. The scheduler limits the concurrent pages. */
const maxJobs = 1_000
/** Maximum number of these jobs for a single team, so that other teams get a slot however many jobs it opens. */
const maxJobsPerTeam = 900

/** Creates the consumer of a worker, which takes no job until `start` is called. */
export function makeConsumer({ kit, view, running, push, damaged, closed }: ConsumerOptions): Consumer {
  const timers: NodeJS.Timeout[] = []
  let started: Promise<Stop> | undefined
  let placement: Placement | undefined
  const work: SupervisorOptions['work'] = async (run) => {
    if (closed.aborted) return run.stop(closed.reason as EngineError)
    running.add(run)
    await workOn(run, running, kit)
  }
  const watch = leaseWatch(kit.clock)
  const supervisor = makeSupervisor({
    ...{ kit, view, work, watch, damaged, closed },
    push: (id, team, kind) => kit.queue.push({ id, kind, body: null, team }),
    changed: () => placement?.changed(),
  })
  const queueAbandoned = (): Promise<void> => queueAbandonedJobs({ kit, supervisor, watch, push })
  const start = async (): Promise<Stop> => {
    const { place, close } = (placement ??= openPlacement(kit, supervisor, watch))
    const stop = await consumeAll(place, kit)
    const borrower = kit.helpers === noHelpers ? undefined : borrow(kit, closed)
    timers.push(setInterval(() => void queueAbandoned().catch(() => undefined), betweenLooks(kit)).unref())
    return async () => void (await Promise.all([stop(), borrower?.close(), close()]))
  }
  return {
    start: async () => void (await (started = start())),
    queueAbandoned,
    close: async () => {
      timers.forEach(clearInterval)
      const stop = await started?.catch(() => undefined)
      await (stop ?? placement?.close)?.()
      await supervisor.idle()
    },
  }
}

/** Consumes the tasks of all kinds of jobs. If that fails for one, none is consumed. */
async function consumeAll(place: TaskHandler, { kinds, queue }: JobKit): Promise<Stop> {
  const tasks = new Set(['job', ...kinds.map(({ name }) => taskKindOf(name))])
  const stops: Stop[] = []
  const stop = async (): Promise<void> => void (await Promise.all(stops.map((one) => one())))
  try {
    for (const kind of tasks) {
      stops.push(await queue.consume(place, { kind, concurrency: maxJobs, perTeam: maxJobsPerTeam }))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

function betweenLooks({ store, queue, leaseTime }: JobKit): number {
  const isAlone = store.reach === 'shared' && queue.reach === 'process'
  return Math.min(isAlone ? pollIntervalAlone : pollInterval, leaseTime / 3)
}

/** Loads pages of other engines' jobs in free slots. */
function borrow(kit: JobKit, closed: AbortSignal): LoanHelper {
  const { store, queue, clock, owner, leaseTime, scheduler } = kit
  const take = (): (() => void) => {
    const release = scheduler.borrow()
    return () => {
      release()
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
async function workOn(run: JobRun, running: ConsumerOptions['running'], kit: JobKit): Promise<void> {
  const { store, room, hasEnded } = kit
  const { id } = run.opening
  const isOld = run.state.tally.status !== 'scraping'
  run.begin(() => readCommands(kit, id))
  running.begun()
  const follow = async (): Promise<void> => run.follow(await readCommands(kit, id))
  // Watches for commands sent by other engines. Commands from this engine are processed immediately.
  const look = (): void => void follow().catch(() => undefined)
  const stop = store.reach === 'shared' ? await watchCommands(store, id, look) : undefined
  // Commands may have been sent before the watch started.
  if (stop) look()
  try {
    await run.over
  } finally {
    running.remove(run)
    const { tally } = run.state
    if (tally.status !== 'scraping') room?.ended(id)
    if (tally.status !== 'scraping' && !isOld && !isInternal(run.opening.kind)) hasEnded(run.opening, tally)
    await stop?.()
  }
}
