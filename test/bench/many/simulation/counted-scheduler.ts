// A scheduler of which a bench knows how many visits wait, and how many are under way.
import type { Scheduler } from '../../../../packages/schedule/src/scheduler.ts'
import type { HostTurn } from '../../../../packages/schedule/src/terms.ts'

export interface SchedulerCounts {
  readonly running: number
  readonly waiting: number
}

export function countedScheduler(scheduler: Scheduler): {
  readonly scheduler: Scheduler
  readonly counts: SchedulerCounts
} {
  const running = new Set<HostTurn>()
  const waiting = new Map<string, number>()
  const more = (job: string, count: number): void => {
    const before = waiting.get(job)
    if (before !== undefined) waiting.set(job, before + count)
  }
  const around: Pick<Scheduler, 'join' | 'leave' | 'offer' | 'next' | 'done'> = {
    join: (terms) => {
      waiting.set(terms.id, waiting.get(terms.id) ?? 0)
      scheduler.join(terms)
    },
    leave: (job) => {
      waiting.delete(job)
      scheduler.leave(job)
    },
    offer: (job, host, count = 1) => {
      more(job, count)
      scheduler.offer(job, host, count)
    },
    next: () => {
      const next = scheduler.next()
      if (!next.turn) return next
      running.add(next.turn)
      more(next.turn.job, -1)
      return next
    },
    done: (turn, visit) => {
      running.delete(turn)
      scheduler.done(turn, visit)
    },
  }
  const counts = {
    get running() {
      return running.size
    },
    get waiting() {
      return [...waiting.values()].reduce((sum, count) => sum + count, 0)
    },
  }
  return { scheduler: Object.assign(Object.create(scheduler) as Scheduler, around), counts }
}
