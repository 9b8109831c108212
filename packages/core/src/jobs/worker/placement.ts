import { isRecord, type Task } from '@harvestman/ports'
import { areHeld, type LeaseWatch, openLoads } from '@harvestman/coordination'
import type { JobKit } from '../kit.ts'
import { isGoneFrom, leaseKey } from './job-lease.ts'
import type { Supervisor } from './supervisor.ts'

/** Has jobs run where there are fewest. */
export interface Placement {
  /** Works on a job from the queue, or leaves it to a worker that has fewer. */
  place(task: Task): Promise<void>
  /** Call it when there are more jobs to work on, or fewer. */
  changed(): void
  close(): Promise<void>
}

/** A job that is left to others is with the queue for so long, in milliseconds. */
const delay = 40
/**
 * Times that a job is left to others at most. Their counts may be old or of a dead worker, so after that whichever
 * worker has the job works on it. Where each has a queue of its own, others find the job when they look around.
 */
const mostPasses = { shared: 8, process: 30 }

/** Milliseconds between two looks of a worker whether others have fewer jobs. */
const lookEvery = 500
/** Others may have fewer for a moment, so that is seen so many times in a row before a job moves. */
const looksBefore = 2

export function openPlacement({ store, queue, owner }: JobKit, supervisor: Supervisor, watch: LeaseWatch): Placement {
  const most = mostPasses[queue.reach]
  const loads = openLoads({ store, owner, jobs: () => supervisor.running })
  let reading: Promise<readonly number[]> | undefined
  let seen = 0

  /** Tasks that come at once ask once. What a store that is away would say does not keep a job waiting. */
  const read = (): Promise<readonly number[]> => {
    reading ??= loads.others().finally(() => (reading = undefined))
    return reading
  }
  const isTaken = async (id: string): Promise<boolean> => {
    const [isHeld = false] = await areHeld(store, [leaseKey(id)], { watch, isGone: isGoneFrom(store) })
    return isHeld
  }
  const even = async (): Promise<void> => {
    const hasSome = supervisor.running > 1 && !supervisor.isGiving
    const tooMany = hasSome ? excess(supervisor.running, await loads.others()) : 0
    seen = tooMany > 0 ? seen + 1 : 0
    if (seen < looksBefore) return
    seen = 0
    supervisor.give(tooMany)
  }
  const looking = setInterval(() => void even().catch(() => undefined), lookEvery).unref()
  return {
    place: async (task) => {
      const { id, team = '', body } = task
      const passed = passedIn(body)
      if (!supervisor.has(id) && passed < most) {
        const others = await read().catch(() => [])
        if (Math.min(...others) < supervisor.running) {
          // One that went on being left to others would come back as soon as the worker that took it gives it on.
          if (await isTaken(id)) return
          return queue.push({ ...task, body: { passed: passed + 1 } }, { delay, priority: 1 })
        }
      }
      await supervisor.supervise(id, team)
    },
    changed: loads.show,
    close: async () => {
      clearInterval(looking)
      await loads.close()
    },
  }
}

/** The jobs of a worker beyond its share; at least one where another has two fewer. */
export function excess(own: number, others: readonly number[]): number {
  if (own - Math.min(own, ...others) < 2) return 0
  const all = others.reduce((sum, jobs) => sum + jobs, own)
  return Math.max(own - Math.ceil(all / (others.length + 1)), 1)
}

function passedIn(body: Task['body']): number {
  const passed = isRecord(body) ? body['passed'] : 0
  return typeof passed === 'number' ? passed : 0
}
