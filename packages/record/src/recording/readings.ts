import type { Note } from '../notes.ts'

/** Receives the values of the clock and the ids that the engine generates. Both return their input. */
export interface Readings {
  time(now: number): number
  id(id: string): string
}

const maxReadings = 500

/**
 * Creates the collection of readings of the clock and ids, which writes them in batches of 500, because they are many and
 * small. `flush` writes the rest.
 */
export function gatherReadings(write: (note: Note) => void): Readings & { readonly flush: () => void } {
  let [from, last]: [number | undefined, number] = [undefined, 0]
  let steps: number[] = []
  let ids: string[] = []
  const flush = (): void => {
    if (from !== undefined) write({ is: 'time', from, steps })
    if (ids.length > 0) write({ is: 'ids', ids })
    ;[from, steps, ids] = [undefined, [], []]
  }
  return {
    flush,
    time: (now) => {
      if (from === undefined) from = now
      else steps.push(now - last)
      last = now
      if (steps.length >= maxReadings) flush()
      return now
    },
    id: (id) => {
      ids.push(id)
      if (ids.length >= maxReadings) flush()
      return id
    },
  }
}

const maxEarly = 10_000

/** Creates a buffer of readings until the recorder is open, at most 10,000 of each kind. Further ones are dropped. */
export function earlyReadings(): Readings & { readonly give: (to: Readings) => void } {
  const times: number[] = []
  const ids: string[] = []
  return {
    time: (now) => {
      if (times.length < maxEarly) times.push(now)
      return now
    },
    id: (id) => {
      if (ids.length < maxEarly) ids.push(id)
      return id
    },
    give: (to) => {
      for (const now of times) to.time(now)
      for (const id of ids) to.id(id)
    },
  }
}
