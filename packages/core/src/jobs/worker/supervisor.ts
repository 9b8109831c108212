import { EngineError } from '@harvestman/ports'
import { makeNotifier, type Notifier } from '@harvestman/ports/adapters'
import { isDamagedRecord, isNewerRecord, type LeaseWatch } from '@harvestman/coordination'
import { deliverWebhook } from '../delivery/deliver-webhook.ts'
import { webhookOf } from '../delivery/webhook-of.ts'
import type { JobKit } from '../kit.ts'
import { readCheckpoint } from '../log/checkpoint.ts'
import { isNotFound, type JobView } from '../log/view.ts'
import { asksForMore } from '../run/command.ts'
import { openRun, type JobRun } from '../run/run.ts'
import { readCommands } from './commands.ts'
import { leaseJob, type JobLease } from './job-lease.ts'
import { markOpen, markSettled } from './open-jobs.ts'
import { watchStandstill, type JobProgress } from './standstill.ts'

/** Sees to jobs: runs each as long as there is something to do, and delivers its webhook. */
export interface Supervisor {
  /** Resolves when the job has ended here, or another engine has it: then the next job may take its place. */
  supervise(id: string, team: string): Promise<void>
  has(id: string): boolean
  /** Jobs that are worked on here, or about to be, and are not on their way to another worker. */
  readonly running: number
  /** True when there are jobs on their way to other workers. */
  readonly isGiving: boolean
  /** Leaves so many jobs to other workers, those that began last first: they have the least to be read again. */
  give(count: number): void
  /** Resolves when nothing is supervised any more. */
  idle(): Promise<void>
}

export interface SupervisorOptions {
  readonly kit: JobKit
  readonly watch: LeaseWatch
  readonly view: (id: string) => Promise<JobView>
  /** Resolves when the run is over. */
  readonly work: (run: JobRun) => Promise<void>
  /** Puts the job into the queue once more. */
  readonly push: (id: string, team: string) => Promise<void>
  /** Called when there are more jobs to work on, or fewer. */
  readonly changed: () => void
  /** Is told of a job that cannot go on because the store is damaged. */
  readonly damaged: (id: string, error: EngineError) => void
  /** Aborted when the engine is closed. */
  readonly closed: AbortSignal
}

/** A job that is seen to here. */
interface Supervised {
  readonly id: string
  readonly team: string
  /** Notifies when there is a new command, or messages are to be sent again. */
  readonly asked: Notifier
  /** True when it notified since the last look. */
  wasAsked: boolean
  /** Call it when the job has ended, though there may be messages to deliver. */
  readonly ended: () => void
  isOver: boolean
  run: JobRun | undefined
  /** It is left to another worker, as soon as its pages have ended. */
  isLeaving: boolean
  /** Aborted when it is no longer worked on here. */
  readonly given: AbortController
}

/** Pages that are under way when a job is given to another worker have so many milliseconds, or are loaded once more there. */
const drainsWithin = 10_000

export function makeSupervisor(options: SupervisorOptions): Supervisor {
  const { closed, push, changed } = options
  const jobs = new Map<string, Supervised>()
  /** Jobs that an engine of a newer version has written, and is to see to. */
  const newer = new Set<string>()
  const failing = failingJobs(options)
  const working = new Set<Promise<void>>()

  const see = async (job: Supervised): Promise<void> => {
    try {
      await failing.during(job, () => seeToJob(job, options))
    } catch (error) {
      if (isDamagedRecord(error)) options.damaged(job.id, error)
      // Trying again would change nothing.
      if (!isNewerRecord(error)) throw error
      newer.add(job.id)
      options.kit.warn(`The job ${job.id} is left to a newer engine.`, error)
    } finally {
      jobs.delete(job.id)
      job.given.abort()
      changed()
      // A command came while it ended.
      if (job.wasAsked && !closed.aborted) await push(job.id, job.team)
    }
  }
  return {
    has: (id) => jobs.has(id) || newer.has(id),
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
    supervise: async (id, team) => {
      if (closed.aborted || newer.has(id)) return
      const known = jobs.get(id)
      if (known) {
        known.wasAsked = true
        return known.asked.notify()
      }
      const ended = Promise.withResolvers<void>()
      const own = { run: undefined, isOver: false, isLeaving: false, given: new AbortController() }
      const over = (): void => {
        job.isOver = true
        changed()
        ended.resolve()
      }
      const job: Supervised = { id, team, asked: makeNotifier(), wasAsked: false, ended: over, ...own }
      jobs.set(id, job)
      changed()
      const work = see(job)
      working.add(work)
      const leave = (): boolean => working.delete(work)
      work.then(leave, leave)
      // Messages of a job that has ended are delivered while others take its place.
      await Promise.race([work, ended.promise])
    },
    idle: async () => void (await Promise.allSettled(working)),
  }
}

/** Jobs that could not be worked on the last time. Each is told of once until it goes on: it is tried again while its store is away. */
function failingJobs({ kit, closed }: Pick<SupervisorOptions, 'kit' | 'closed'>) {
  const known = new Set<string>()
  return {
    during: async (job: Supervised, work: () => Promise<void>): Promise<void> => {
      try {
        await work()
        known.delete(job.id)
      } catch (error) {
        const isTold = closed.aborted || isDamagedRecord(error) || isNewerRecord(error) || known.has(job.id)
        if (!isTold) kit.warn(`The job ${job.id} could not be worked on, and is tried again.`, error, job)
        known.add(job.id)
        throw error
      }
    },
  }
}

/** Leaves a job that runs here to a worker that has less to do. */
async function give(job: Supervised): Promise<void> {
  const { run, given } = job
  if (!run) return
  job.isLeaving = true
  await run.drain(drainsWithin)
  if (given.signal.aborted) return
  // It goes back into the queue, from which another worker takes it.
  job.wasAsked = true
  given.abort()
  await run.stop(new EngineError('aborted', 'The job goes on elsewhere.'))
}

function progressOf({ id, run }: Supervised, { scheduler }: JobKit): JobProgress {
  return { made: run?.progress ?? 0, couldGoOn: run !== undefined && scheduler.couldStart(id) }
}

/** Has a job that stands still taken up anew, here or by another worker: whatever it waits for in vain is made anew, too. */
function giveUp(job: Supervised, { stoodStill }: JobKit): void {
  const { run, given } = job
  if (!run || given.signal.aborted) return
  stoodStill(run.opening)
  job.wasAsked = true
  given.abort()
  void run.stop(new EngineError('aborted', 'The job stalled and is being restarted.'))
}

async function seeToJob(job: Supervised, options: SupervisorOptions): Promise<void> {
  const { kit, watch } = options
  const standsStill = watchStandstill(() => progressOf(job, kit))
  const renewed = (): void => void (standsStill() && giveUp(job, kit))
  const lease = await leaseJob(job.id, kit, { watch, renewed })
  if (!lease) return
  try {
    if (!(await runAndDeliver(lease, job, options))) return
    await settleCredits(lease, kit)
    await markSettled(kit.store, job.id)
  } finally {
    await lease.release()
  }
}

/** Once more: the worker of its end may have been killed before it could. */
async function settleCredits({ opening }: JobLease, { store, ledger }: JobKit): Promise<void> {
  const { id, team, key } = opening
  const checkpoint = await readCheckpoint(store, id)
  if (checkpoint) await ledger.settle({ team, task: id, credits: checkpoint.tally.credits, key })
}

/** Has the job taken up anew, from what the store still has of it. */
async function continueFromLost(job: Supervised, lease: JobLease, closed: AbortSignal): Promise<void> {
  job.wasAsked = true
  job.given.abort()
  await lease.restore(closed)
}

/** Resolves to whether nothing is left to do for the job. */
async function runAndDeliver(lease: JobLease, job: Supervised, options: SupervisorOptions): Promise<boolean> {
  const { opening, lost } = lease
  const { kit, closed, work } = options
  const { store } = kit
  const stop = AbortSignal.any([closed, lost, job.given.signal])
  const view = (): Promise<JobView> => options.view(opening.id)
  const next = async (): Promise<JobRun | undefined> => openRun(lease, await readCommands(store, opening.id), kit)
  let run = await next()
  if (run) await markOpen(store, opening)
  const webhook = webhookOf(opening, kit)
  const delivered = webhook
    ? deliverWebhook(webhook, { view, kit, signal: stop, asked: job.asked.wait, takenAt: run?.takenAt })
    : Promise.resolve(true)
  for (;;) {
    job.wasAsked = false
    const asked = job.asked.wait(stop).catch(() => undefined)
    while (run) {
      job.run = run
      await work(run)
      job.run = undefined
      if (run.wentBack) await continueFromLost(job, lease, closed)
      const { tally } = run.state
      run = !stop.aborted && asksForMore(await readCommands(store, opening.id), tally) ? await next() : undefined
    }
    job.ended()
    const isDelivered = await Promise.race([delivered, asked])
    if (isDelivered !== undefined || stop.aborted) return isDelivered === true && (await isOver(view))
    run = await next()
  }
}

/** A job that has expired is over as well. */
async function isOver(view: () => Promise<JobView>): Promise<boolean> {
  try {
    return (await view()).tally.status !== 'scraping'
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}
