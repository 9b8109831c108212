import type { Clock, Observer } from '@harvestman/ports'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { JobKind, RunContext, Strategy } from '../jobs/run/strategy.ts'

/** Watch over the jobs that an engine works on. */
export interface JobWatch {
  /** The same kind, each of whose jobs is watched while it is at work here. */
  watch(kind: JobKind): JobKind
  /** Jobs at work here. */
  readonly running: number
  /** Milliseconds since the job that has stood longest kept anything; 0 without a job. */
  readonly longestStill: number
}

/** Watches jobs by the facts that their strategies are told of, and tells when one was taken up, and after how long. */
export function watchJobs(clock: Clock, observer: Observer): JobWatch {
  const running = new Map<symbol, number>()
  const open = (kind: JobKind, opening: Opening, context: RunContext): Strategy => {
    const mark = Symbol(opening.id)
    const strategy = kind.open(opening, context)
    let lastAt = opening.createdAt
    let taken: { readonly isTakeover: boolean; readonly waited: number } | undefined
    const fold = (fact: Fact): void => {
      // Machines have clocks of their own.
      if (fact.is === 'taken') taken = { isTakeover: taken !== undefined, waited: Math.max(0, fact.at - lastAt) }
      lastAt = fact.at
      if (running.has(mark)) running.set(mark, clock.now())
      strategy.fold(fact)
    }
    // Called once the log was read, whose last fact is that the job was taken here.
    const explore: Strategy['explore'] = (note) => {
      const { id, team } = opening
      running.set(mark, clock.now())
      if (taken) observer({ kind: 'job.taken', ...taken, team, id, at: clock.now() })
      return strategy.explore(note)
    }
    context.signal.addEventListener('abort', () => running.delete(mark), { once: true })
    // Cast: what it has by itself stays its own, also what it reckons when it is asked.
    return Object.assign(Object.create(strategy) as Strategy, { fold, explore })
  }
  return {
    watch: (kind) => ({ ...kind, open: (opening, context) => open(kind, opening, context) }),
    get running() {
      return running.size
    },
    get longestStill() {
      return running.size === 0 ? 0 : Math.max(0, clock.now() - Math.min(...running.values()))
    },
  }
}
