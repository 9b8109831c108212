import type { Log } from '../../records/log.ts'
import { factsOf, toSegment, type Fact } from './facts.ts'

// Segments are about a megabyte each.
const readAhead = 8

// A store on this machine may answer so promptly that nothing else would happen until all is read, not even what those
// write who are told of it.
const letOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Tells of every segment from a place on, and gives the first place that is free. */
export async function readToEnd(log: Log, from: number, take: (facts: readonly Fact[]) => void): Promise<number> {
  for (let place = from; ; place += readAhead) {
    const segments = await log.readMany(Array.from({ length: readAhead }, (_, ahead) => place + ahead))
    for (const [ahead, segment] of segments.entries()) {
      if (!segment) return place + ahead
      take(factsOf(segment))
      await letOthers()
    }
  }
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

/**
 * Makes this the writer of the log, and gives the first place to write at. Whoever wrote before finds that place taken,
 * and what he wrote until now is taken in first.
 */
export async function becomeWriter(
  log: Log,
  from: number,
  fact: Fact,
  by: string,
  take: (facts: readonly Fact[]) => void,
): Promise<number> {
  for (let place = from; ;) {
    if (await log.append(place, toSegment(by, [{ fact }]))) {
      take([fact])
      return place + 1
    }
    place = await readToEnd(log, place, take)
  }
}
