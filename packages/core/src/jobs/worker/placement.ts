import { isRecord, type Task } from '@harvestman/ports'
import { areHeld, type LeaseWatch, openLoads } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import { isDeadIn, leaseKey } from './job-lease.ts'
import type { Supervisor } from './supervisor.ts'

/** Balances jobs across workers. */
export interface Placement {
  /** Runs a job from the queue, or returns it for a worker with fewer jobs. */
  place(task: Task): Promise<void>
  /** Must be called when the number of running jobs changes. */
  changed(): void
  close(): Promise<void>
}

/** Milliseconds after which a returned job is taken from the queue again. */
const delay = 40
/**
 * Maximum number of times a job is returned to the queue. The other workers' job counts may be outdated or of a dead worker, so
 * after that any worker runs it. If each engine has its own queue, the others find the job in their polling.
 */
const maxPasses = { shared: 8, process: 30 }

/** Milliseconds between two checks whether other workers have fewer jobs. */
const pollInterval = 500
/** Checks in a row that must find an imbalance before a job moves, because it may be momentary. */
const looksBefore = 2

/** Starts to balance jobs between this worker and the others on the same store. */
export function openPlacement({ store, queue, owner }: JobKit, supervisor: Supervisor, watch: LeaseWatch): Placement {
  const most = maxPasses[queue.reach]
  const loads = openLoads({ store, owner, jobs: () => supervisor.running })
  let reading: Promise<readonly number[]> | undefined
  let seen = 0

  /**
   * Reads the job counts of the other workers, once for concurrent tasks. Callers ignore failures, so that an unreachable store
   * does not delay a job.
   */
  const read = (): Promise<readonly number[]> => {
    reading ??= loads.others().finally(() => (reading = undefined))
    return reading
  }
  const isTaken = async (id: string): Promise<boolean> => {
    const [isHeld = false] = await areHeld(store, [leaseKey(id)], { watch, isDead: isDeadIn(store) })
    return isHeld
  }
  const even = async (): Promise<void> => {
    const hasSome = supervisor.running > 1 && !supervisor.isGiving
    const tooMany = hasSome ? countExcessJobs(supervisor.running, await loads.others()) : 0
    seen = tooMany > 0 ? seen + 1 : 0
    if (seen < looksBefore) return
    seen = 0
    supervisor.give(tooMany)
  }
  const looking = setInterval(() => void even().catch(() => undefined), pollInterval).unref()
  return {
    place: async (task) => {
      const { id, team = '', kind, body } = task
      const passed = passedIn(body)
      if (!supervisor.has(id) && passed < most) {
        const others = await read().catch(() => [])
        if (Math.min(...others) < supervisor.running) {
          // Otherwise a job held elsewhere would keep circulating in the queue.
          if (await isTaken(id)) return
          return queue.push({ ...task, body: { passed: passed + 1 } }, { delay, priority: 1 })
        }
      }
      await supervisor.supervise(id, team, kind)
    },
    changed: loads.show,
    close: async () => {
      clearInterval(looking)
      await loads.close()
    },
  }
}

/** Returns how many jobs a worker has beyond its share: at least one if another worker has two fewer, otherwise 0. */
export function countExcessJobs(own: number, others: readonly number[]): number {
  if (own - Math.min(own, ...others) < 2) return 0
  const all = others.reduce((sum, jobs) => sum + jobs, own)
  return Math.max(own - Math.ceil(all / (others.length + 1)), 1)
}

function passedIn(body: Task['body']): number {
  const passed = isRecord(body) ? body['passed'] : 0
  return typeof passed === 'number' ? passed : 0
}
