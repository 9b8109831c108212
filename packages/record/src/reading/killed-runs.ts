// A run that resumes after its process was killed repeats the requests whose results were not stored. In a replay only the
// later response is used, as the run itself did.
import type { Note } from '../notes.ts'

/** The sequence numbers of a killed run: `from` is its first, `to` the first of the next run. */
export interface KilledRun {
  readonly from: number
  readonly to: number
}

/** Finds the runs that did not end but were resumed by a later run. */
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

/**
 * Returns the entries without those of a killed run, if a later run repeated the request. Expects the entries of one request, in
 * order.
 */
export function withoutRepeats<T extends { readonly order: number }>(
  list: readonly T[],
  killed: readonly KilledRun[],
): T[] {
  const last = list.at(-1)?.order ?? 0
  return list.filter(({ order }) => !killed.some(({ from, to }) => order >= from && order < to && last >= to))
}
