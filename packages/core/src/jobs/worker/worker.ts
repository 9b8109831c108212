import type { EngineError } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { makeNotifier } from '@harvestman/toolbox/notifier'
import type { HostTurn } from '@harvestman/schedule'
import type { JobView } from '../log/view.ts'
import { taskKindOf } from '../log/internal.ts'
import type { JobKit } from '../kit.ts'
import type { JobRun } from '../run/run.ts'
import type { PushJob } from './open-job.ts'
import type { Consumer, ConsumerOptions } from './consumer.ts'

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

/** Maximum number of damaged jobs to remember. A job that was forgotten is found to be damaged again. */
const maxDamages = 10_000

/**
 * Creates the worker of an engine. It runs nothing until `work` is called, which rejects if the queue or the store is not
 * available, and may then be called again. The code that runs jobs is loaded only then.
 */
export function makeWorker(kit: JobKit, view: (id: string) => Promise<JobView>): Worker {
  const runs = new Map<string, JobRun>()
  const damages = recentlyUsed<string, EngineError>(maxDamages)
  const begun = makeNotifier()
  const closed = new AbortController()
  let consumer: Promise<Consumer> | undefined
  let started: Promise<void> | undefined
  const push: Worker['push'] = ({ id, team, kind }) => kit.queue.push({ id, kind: taskKindOf(kind), body: null, team })
  const damaged = (id: string, error: EngineError): void => (damages.set(id, error), begun.notify())
  const running: ConsumerOptions['running'] = {
    add: (run) => {
      damages.delete(run.opening.id)
      runs.set(run.opening.id, run)
    },
    begun: begun.notify,
    remove: (run) => void runs.delete(run.opening.id),
  }
  const load = async (): Promise<Consumer> => {
    const { makeConsumer } = await import('./consumer.ts')
    return makeConsumer({ kit, view, running, push, damaged, closed: closed.signal })
  }

  return {
    find: (id) => runs.get(id),
    push,
    damageOf: (id) => damages.get(id),
    began: (signal) => begun.wait(signal),
    work: async () => {
      consumer ??= load()
      const { start, queueAbandoned } = await consumer
      if (started) return started
      started = start()
      try {
        await started
      } catch (error) {
        // Can be started again once the queue is available.
        started = undefined
        throw error
      }
      await queueAbandoned()
    },
    start: (turn) => {
      const run = runs.get(turn.job)
      if (run) run.visit(turn)
      else kit.scheduler.done(turn, {})
    },
    close: async (reason) => {
      closed.abort(reason)
      await Promise.all([...runs.values()].map((run) => run.stop(reason)))
      await (await consumer)?.close()
    },
  }
}
