import type { Clock, Observer } from '@harvestman/ports'
import type { Fact, Opening } from '../jobs/log/facts.ts'
import type { JobKind, RunContext, Strategy } from '../jobs/run/strategy.ts'

/** Statistics of the jobs that an engine runs. */
export interface JobWatch {
  /** Wraps a kind so that each of its jobs is counted while this engine runs it. */
  watch(kind: JobKind): JobKind
  /** Number of jobs that this engine runs. */
  readonly running: number
  /** Milliseconds since the job that has been idle the longest stored anything; 0 if no job is running. */
  readonly idleFor: number
}

/**
 * Creates an observer of jobs, which wraps their kinds: it sees the facts that their strategies receive, and reports each taken
 * job with its waiting time in milliseconds.
 */
export function watchJobs(clock: Clock, observer: Observer): JobWatch {
  const running = new Map<symbol, number>()
  const open = async (kind: JobKind, opening: Opening, context: RunContext): Promise<Strategy> => {
    const mark = Symbol(opening.id)
    const strategy = await kind.open(opening, context)
    let lastAt = opening.createdAt
    let taken: { readonly isTakeover: boolean; readonly waited: number } | undefined
    const fold = (fact: Fact): void => {
      // Clocks of hosts differ, so the difference can be negative.
      if (fact.is === 'taken') taken = { isTakeover: taken !== undefined, waited: Math.max(0, fact.at - lastAt) }
      lastAt = fact.at
      if (running.has(mark)) running.set(mark, clock.now())
      strategy.fold(fact)
    }
    // Called after the log was read. Its last fact is that this engine has taken the job.
    const explore: Strategy['explore'] = (note) => {
      const { id, team } = opening
      running.set(mark, clock.now())
      if (taken) observer({ kind: 'job.taken', ...taken, team, id, at: clock.now() })
      return strategy.explore(note)
    }
    context.signal.addEventListener('abort', () => running.delete(mark), { once: true })
    // Cast: members of the strategy, including getters, are inherited through the prototype.
    return Object.assign(Object.create(strategy) as Strategy, { fold, explore })
  }
  return {
    watch: (kind) => ({ ...kind, open: (opening, context) => open(kind, opening, context) }),
    get running() {
      return running.size
    },
    get idleFor() {
      return running.size === 0 ? 0 : Math.max(0, clock.now() - Math.min(...running.values()))
    },
  }
}
