// A run that goes on after its process was killed asks again for what it had asked, but not kept. In a replay the later answer
// counts alone, as it does in what the run has kept.
import type { Note } from '../notes.ts'

/** The places of a run that was killed: from the first of it to the first of the next. */
export interface KilledRun {
  readonly from: number
  readonly to: number
}

/** Finds the runs that did not end and were gone on with. */
export function killedRuns(notes: readonly Note[]): readonly KilledRun[] {
  const killed: KilledRun[] = []
  let open: number | undefined
  for (const note of notes) {
    if (note.is === 'ended') open = undefined
    if (note.is !== 'begun') continue
    const first = note.first ?? 0
    if (open !== undefined) killed.push({ from: open, to: first })
    open = first
  }
  return killed
}

/** Leaves out of equal requests those of a killed run that were made again in a later one. The list is in its order. */
export function withoutRepeats<T extends { readonly order: number }>(
  list: readonly T[],
  killed: readonly KilledRun[],
): T[] {
  const last = list.at(-1)?.order ?? 0
  return list.filter(({ order }) => !killed.some(({ from, to }) => order >= from && order < to && last >= to))
}
