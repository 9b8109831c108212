import type { EngineError } from '../../errors/error.ts'
import type { Stop } from '../../ports/queue.ts'
import { leaseWatch } from '../../records/lease.ts'
import type { HostTurn } from '../../schedule/scheduler.ts'
import { makeSupervisor, type Supervisor } from './supervisor.ts'
import type { JobView } from '../log/view.ts'
import type { JobKit } from '../kit.ts'
import { listOpen, markSettled } from './open-jobs.ts'
import { readCheckpoint } from '../log/checkpoint.ts'
import type { JobRun } from '../run/run.ts'
import { makeNotifier } from '../../lib/notifier.ts'

/** Where this engine works on jobs: those it was handed, and those that somebody left lying. */
export interface Worker {
  /** The job of this id, when it runs here. */
  find(id: string): JobRun | undefined
  /** Has somebody see to a job. */
  push(id: string): Promise<void>
  /** Begins to work, once; and looks for what was left lying, now and from time to time. */
  work(): Promise<void>
  /** Starts the visit of a job that is next. */
  start(turn: HostTurn): void
  /** Resolves when a job has begun to run here. */
  began(signal: AbortSignal): Promise<void>
  close(reason: EngineError): Promise<void>
}

/** How often jobs are looked for that somebody left lying, in milliseconds. */
const lookEvery = 5_000
/** How often letters are looked for that another engine may have sent. */
const readCommandsEvery = 500
/** A job that was marked and not opened within this time never will be. */
const openWithin = 60_000
/** Jobs at once; how many pages at once is for the scheduler to say. */
const mostJobs = 1_000

export function makeWorker(kit: JobKit, view: (id: string) => Promise<JobView>): Worker {
  const { store, queue } = kit
  const runs = new Map<string, JobRun>()
  const news = makeNotifier()
  const closed = new AbortController()
  const timers: NodeJS.Timeout[] = []
  let started: Promise<Stop> | undefined

  const push = (id: string): Promise<void> => queue.push({ id, kind: 'job', body: null })
  const work = async (run: JobRun): Promise<void> => {
    const { id } = run.opening
    if (closed.signal.aborted) return run.stop(closed.signal.reason as EngineError)
    runs.set(id, run)
    run.begin()
    news.tell()
    await run.over
    runs.delete(id)
  }
  const supervisor = makeSupervisor({ kit, view, work, push, watch: leaseWatch(kit.clock), closed: closed.signal })
  const look = (): Promise<void> => pushLeft(kit, supervisor, push)
  const start = async (): Promise<Stop> => {
    const stop = await queue.consume(({ id }) => supervisor.seeTo(id), { concurrency: mostJobs })
    timers.push(setInterval(() => void look().catch(() => undefined), Math.min(lookEvery, kit.leaseTime)).unref())
    if (store.reach === 'process') return stop
    const readAll = (): void => runs.forEach((run) => void run.readCommands().catch(() => undefined))
    timers.push(setInterval(readAll, readCommandsEvery).unref())
    return stop
  }

  return {
    find: (id) => runs.get(id),
    push,
    began: (signal) => news.wait(signal),
    work: async () => {
      if (started) return void (await started)
      started = start()
      await started
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
      await stop?.()
      await supervisor.gone()
    },
  }
}

/** Has somebody see to the jobs that nobody here sees to. */
async function pushLeft({ store, clock }: JobKit, supervisor: Supervisor, push: Worker['push']): Promise<void> {
  for (const { id, createdAt } of await listOpen(store)) {
    if (supervisor.has(id)) continue
    const isThere = createdAt + openWithin > clock.now() || (await readCheckpoint(store, id)) !== undefined
    if (isThere) await push(id)
    else await markSettled(store, id)
  }
}
