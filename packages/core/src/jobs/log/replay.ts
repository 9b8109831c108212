import { damagedRecord, follows, type Log } from '@harvestman/coordination'
import { factsOf, toSegment, type Fact } from './facts.ts'
import { jobState, type JobState } from './state.ts'

/** Is told of every fact, in order. */
export type Fold = (fact: Fact) => void

// Segments are about a megabyte each.
const readAhead = 8

// A store on this machine may answer so promptly that nothing else would happen until all is read, not even the writes
// of those who are told of the facts.
const letOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The state of a job, from its log: all of it, or what came after a state. `fold` is told of every fact on the way. */
export async function replay(log: Log, fold: Fold = () => undefined, state = jobState()): Promise<JobState> {
  await catchUp(log, state, fold)
  return state
}

/** Takes in the segments that were written since. Those beyond a gap, or of a history that was lost, are not of the log. */
async function catchUp(log: Log, state: JobState, fold: Fold): Promise<void> {
  for (;;) {
    const places = Array.from({ length: readAhead }, (_, ahead) => state.places + ahead)
    for (const segment of await log.readMany(places)) {
      if (!segment || !follows(segment, state.by)) return
      const facts = factsOf(segment)
      state.take(facts, segment.by)
      facts.forEach(fold)
      await letOthers()
    }
  }
}

/**
 * Makes this the writer of the log. The writer before finds the next place taken, and what it has written until now is
 * taken in first.
 */
export async function becomeWriter(log: Log, state: JobState, fold: Fold, fact: Fact, by: string): Promise<void> {
  while (!(await log.append(state.places, toSegment(by, [{ fact }], state.by)))) {
    const { places } = state
    await catchUp(log, state, fold)
    // A segment at that place can be read, or the store does not find again what it has.
    if (state.places === places) throw damagedRecord('the end of the log of a job')
  }
  state.take([fact], by)
  fold(fact)
}

/** The facts of the first segments, one after the other. */
export async function* factsUpTo(log: Log, end: number): AsyncGenerator<Fact> {
  for (let place = 0; place < end; place += readAhead) {
    const places = Array.from({ length: Math.min(readAhead, end - place) }, (_, ahead) => place + ahead)
    for (const segment of await log.readMany(places)) {
      if (segment) yield* factsOf(segment)
      await letOthers()
    }
  }
}
