import { damagedRecord, canFollow, type Log } from '@harvestman/coordination'
import { factsOf, toSegment, type Fact } from './facts.ts'
import { jobState, type JobState } from './state.ts'

/** Receives every fact, in order. */
export type Fold = (fact: Fact) => void

// Number of segments read at once. Each has about 1 MB.
const readAhead = 8

// Yields to the event loop. A local store may respond so promptly that nothing else would run until the whole log is read, not
// even the writes that the facts trigger.
const letOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Rebuilds the state of a job from its log, from the beginning or from a given state, which it changes. `fold` receives every
 * fact read. Rejects if the store fails or a segment is damaged.
 */
export async function replayLog(log: Log, fold: Fold = () => undefined, state = jobState()): Promise<JobState> {
  await catchUp(log, state, fold)
  return state
}

/** Applies the segments written since. Segments after a gap or from a lost history do not belong to the log. */
async function catchUp(log: Log, state: JobState, fold: Fold): Promise<void> {
  for (;;) {
    const places = Array.from({ length: readAhead }, (_, ahead) => state.places + ahead)
    for (const segment of await log.readMany(places)) {
      if (!segment || !canFollow(segment, state.by)) return
      const facts = factsOf(segment)
      state.take(facts, segment.by)
      facts.forEach(fold)
      await letOthers()
    }
  }
}

/**
 * Makes the run with the id `by` the writer of the log by appending `fact`, and applies it to `state`. Anything that the
 * previous writer appended in the meantime is applied first; its own next append then fails because the position is taken.
 * Rejects with a damaged-record error if the end of the log cannot be read.
 */
export async function becomeWriter(log: Log, state: JobState, fold: Fold, fact: Fact, by: string): Promise<void> {
  while (!(await log.append(state.places, toSegment(by, [{ fact }], state.by)))) {
    const { places } = state
    await catchUp(log, state, fold)
    // The position is taken, but its segment cannot be read.
    if (state.places === places) throw damagedRecord('the end of the log of a job')
  }
  state.take([fact], by)
  fold(fact)
}

/**
 * Yields the facts of the first `end` segments, in order. Missing segments are skipped. Throws if the store fails or a segment
 * is damaged.
 */
export async function* factsUpTo(log: Log, end: number): AsyncGenerator<Fact> {
  for (let place = 0; place < end; place += readAhead) {
    const places = Array.from({ length: Math.min(readAhead, end - place) }, (_, ahead) => place + ahead)
    for (const segment of await log.readMany(places)) {
      if (segment) yield* factsOf(segment)
      await letOthers()
    }
  }
}
