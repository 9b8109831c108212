import { EngineError } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeNotifier, type Notifier } from '@harvestman/toolbox/notifier'
import { isDamagedRecord, isNewerRecord, type LeaseWatch } from '@harvestman/coordination'
import { deliverWebhook } from '../delivery/deliver-webhook.ts'
import { webhookOf } from '../delivery/webhook-of.ts'
import type { JobKit } from '../kit.ts'
import { readCheckpoint, type Checkpoint } from '../log/checkpoint.ts'
import { isNotFound, type JobView } from '../log/view.ts'
import { hasUnprocessedMore } from '../log/tally.ts'
import { openRun, type JobRun } from '../run/run.ts'
import { readCommands } from './commands.ts'
import { leaseJob, type JobLease } from './job-lease.ts'
import { markOpen, markSettled } from './open-jobs.ts'
import { watchStandstill, type JobProgress } from './standstill.ts'

/** Runs open jobs to completion and delivers their webhooks. */
export interface Supervisor {
  /** Resolves when the job has ended here or another engine has it, so that the next job may start. */
  supervise(id: string, team: string, tasks: string): Promise<void>
  has(id: string): boolean
  /** Number of jobs that run or are about to, without those being moved to other workers. */
  readonly running: number
  /** True while jobs are being moved to other workers. */
  readonly isGiving: boolean
  /** Moves `count` jobs to other workers, most recently started first, because those have the least to read again. */
  give(count: number): void
  /** Resolves when no job is supervised any more. */
  idle(): Promise<void>
}

export interface SupervisorOptions {
  readonly kit: JobKit
  readonly watch: LeaseWatch
  readonly view: (id: string) => Promise<JobView>
  /** Runs the job. Resolves when the run has ended. */
  readonly work: (run: JobRun) => Promise<void>
  /** Adds a job to the queue again. */
  readonly push: (id: string, team: string, tasks: string) => Promise<void>
  /** Called when the number of running jobs changes. */
  readonly changed: () => void
  /** Called for a job that cannot continue because the store is damaged. */
  readonly damaged: (id: string, error: EngineError) => void
  /** Aborts when the engine is closed. */
  readonly closed: AbortSignal
}

/** A job supervised by this engine. */
interface Supervised {
  readonly id: string
  readonly team: string
  /** Kind of its tasks in the queue. */
  readonly tasks: string
  /** Notifies when there is a new command or a redelivery was requested. */
  readonly wakeUps: Notifier
  /** True if it has notified since it was last checked. */
  wasWoken: boolean
  /** Must be called when the job has ended, even if messages are still to be delivered. */
  readonly ended: () => void
  isOver: boolean
  run: JobRun | undefined
  /** True while the job is being moved to another worker. */
  isLeaving: boolean
  /** Aborts when this engine stops working on the job. */
  readonly handover: AbortController
}

/** Maximum number of failed jobs to remember. One that was forgotten is tried again, and reported again. */
const maxRemembered = 10_000
/** Milliseconds that running pages may take before a job moves to another worker. Later ones are loaded again there. */
const drainsWithin = 10_000

/**
 * Creates a supervisor without jobs. It runs each job that it is given until the job has ended or another engine continues it.
 * A job written by a newer engine version is left to newer engines, with a warning. `supervise` rejects if the job cannot be
 * run now.
 */
export function makeSupervisor(options: SupervisorOptions): Supervisor {
  const { closed, push, changed } = options
  const jobs = new Map<string, Supervised>()
  /** Jobs that a newer engine version has written and must run. */
  const newer = recentlyUsed<string, true>(maxRemembered)
  const failing = failingJobs(options)
  const working = new Set<Promise<void>>()

  const see = async (job: Supervised): Promise<void> => {
    try {
      await failing.during(job, () => seeToJob(job, options))
    } catch (error) {
      if (isDamagedRecord(error)) options.damaged(job.id, error)
      // Retrying would not help.
      if (!isNewerRecord(error)) throw error
      newer.set(job.id, true)
      options.kit.warn(`The job ${job.id} is left to a newer engine.`, error)
    } finally {
      jobs.delete(job.id)
      job.handover.abort()
      changed()
      // A command arrived while the job was ending.
      if (job.wasWoken && !closed.aborted) await push(job.id, job.team, job.tasks)
    }
  }
  return {
    has: (id) => jobs.has(id) || newer.get(id) === true,
    get running() {
      return [...jobs.values()].filter(({ isOver, isLeaving }) => !isOver && !isLeaving).length
    },
    get isGiving() {
      return [...jobs.values()].some(({ isLeaving }) => isLeaving)
    },
    give: (count) => {
      const last = [...jobs.values()].filter(({ run, isLeaving }) => run && !isLeaving).reverse()
      for (const job of last.slice(0, count)) void give(job)
    },
    supervise: async (id, team, tasks) => {
      if (closed.aborted || newer.get(id)) return
      const known = jobs.get(id)
      if (known) {
        known.wasWoken = true
        return known.wakeUps.notify()
      }
      const ended = Promise.withResolvers<void>()
      const own = { run: undefined, isOver: false, isLeaving: false, handover: new AbortController() }
      const over = (): void => {
        job.isOver = true
        changed()
        ended.resolve()
      }
      const job: Supervised = { id, team, tasks, wakeUps: makeNotifier(), wasWoken: false, ended: over, ...own }
      jobs.set(id, job)
      changed()
      const work = see(job)
      working.add(work)
      const leave = (): boolean => working.delete(work)
      work.then(leave, leave)
      // The next job may start while messages of the ended job are still being delivered.
      await Promise.race([work, ended.promise])
    },
    idle: async () => void (await Promise.allSettled(working)),
  }
}

/**
 * Jobs whose last run failed. Logs one warning per job until it succeeds, because it is retried as long as its store is
 * unreachable.
 */
function failingJobs({ kit, closed }: Pick<SupervisorOptions, 'kit' | 'closed'>) {
  const known = recentlyUsed<string, true>(maxRemembered)
  return {
    during: async (job: Supervised, work: () => Promise<void>): Promise<void> => {
      try {
        await work()
        known.delete(job.id)
      } catch (error) {
        const isReported = closed.aborted || isDamagedRecord(error) || isNewerRecord(error) || known.get(job.id)
        if (!isReported) kit.warn(`The job ${job.id} could not be run, and is retried.`, error, job)
        known.set(job.id, true)
        throw error
      }
    },
  }
}

/** Moves a running job to a worker with less to do. */
async function give(job: Supervised): Promise<void> {
  const { run, handover } = job
  if (!run) return
  job.isLeaving = true
  await run.drain(drainsWithin)
  if (handover.signal.aborted) return
  // Queued again, for another worker.
  job.wasWoken = true
  handover.abort()
  await run.stop(new EngineError('aborted', 'The job continues in another process.'))
}

function progressOf({ id, run }: Supervised, { scheduler }: JobKit): JobProgress {
  return { made: run?.progress ?? 0, couldGoOn: run !== undefined && scheduler.couldStart(id) }
}

/** Restarts a stalled job, here or on another worker, which also rebuilds whatever it was waiting for. */
function giveUp(job: Supervised, { stalled }: JobKit): void {
  const { run, handover } = job
  if (!run || handover.signal.aborted) return
  stalled(run.opening)
  job.wasWoken = true
  handover.abort()
  void run.stop(new EngineError('aborted', 'The job stalled and is being restarted.'))
}

async function seeToJob(job: Supervised, options: SupervisorOptions): Promise<void> {
  const { kit, watch } = options
  const isStalled = watchStandstill(() => progressOf(job, kit))
  const renewed = (): void => void (isStalled() && giveUp(job, kit))
  const lease = await leaseJob(job.id, kit, { watch, renewed })
  if (!lease) return
  try {
    if (!(await runAndDeliver(lease, job, options))) return
    const checkpoint = await readCheckpoint(kit.store, job.id)
    if (checkpoint) await settleCredits(lease, checkpoint, kit)
    await markSettled(kit.store, job.id)
    if (checkpoint) await reopenIfNeeded(job, checkpoint, kit)
  } finally {
    await lease.release()
  }
}

/** Settled again in case the worker that ended the job crashed before it could. */
async function settleCredits({ opening }: JobLease, { tally }: Checkpoint, { ledger }: JobKit): Promise<void> {
  const { id, team, key } = opening
  await ledger.settle({ team, task: id, credits: tally.credits, key })
}

/**
 * Marks a settled job as open again if a command was stored before its mark was removed. A command stored afterwards comes with
 * a new mark.
 */
async function reopenIfNeeded(job: Supervised, { opening, tally }: Checkpoint, kit: JobKit): Promise<void> {
  if (!hasUnprocessedMore(await readCommands(kit, job.id), tally)) return
  await markOpen(kit.store, opening)
  job.wasWoken = true
}

/** Restarts the job from the earlier state of the store. */
async function continueFromLost(job: Supervised, lease: JobLease, closed: AbortSignal): Promise<void> {
  job.wasWoken = true
  job.handover.abort()
  await lease.restore(closed)
}

/** Runs a job and delivers its webhook. Resolves to whether nothing is left to do for the job. */
async function runAndDeliver(lease: JobLease, job: Supervised, options: SupervisorOptions): Promise<boolean> {
  const { opening, lost } = lease
  const { kit, closed, work } = options
  const stop = AbortSignal.any([closed, lost, job.handover.signal])
  const view = (): Promise<JobView> => options.view(opening.id)
  const next = async (): Promise<JobRun | undefined> => openRun(lease, await readCommands(kit, opening.id), kit)
  let run = await next()
  if (run) await markOpen(kit.store, opening)
  const webhook = webhookOf(opening, kit)
  const delivered = webhook
    ? deliverWebhook(webhook, { view, kit, signal: stop, redeliveryRequested: job.wakeUps.wait, takenAt: run?.takenAt })
    : Promise.resolve(true)
  for (;;) {
    job.wasWoken = false
    const woken = job.wakeUps.wait(stop).catch(() => undefined)
    while (run) {
      job.run = run
      await work(run)
      job.run = undefined
      if (run.wentBack) await continueFromLost(job, lease, closed)
      const { tally } = run.state
      run = !stop.aborted && hasUnprocessedMore(await readCommands(kit, opening.id), tally) ? await next() : undefined
    }
    job.ended()
    const isDelivered = await Promise.race([delivered, woken])
    if (isDelivered !== undefined || stop.aborted) return isDelivered === true && (await isOver(view))
    run = await next()
  }
}

/** Returns whether the job has ended. An expired job has ended as well. */
async function isOver(view: () => Promise<JobView>): Promise<boolean> {
  try {
    return (await view()).tally.status !== 'scraping'
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}
