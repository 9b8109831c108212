// Finds the frame of a step. Ambiguous cases are rejected, as for elements.
import type { SeenElement } from '../page/seen.ts'
import type { Target } from '../script/schema.ts'

type Frame = SeenElement['frame']

const names = ['id', 'name', 'title'] as const
/** Weight of each property. Position counts least. */
const weights: Readonly<Record<string, number>> = { id: 4, name: 4, title: 4, address: 2, path: 1 }

/**
 * Returns the element indexes in each frame that matches, in the main document if the target names no frame. Several lists
 * mean that the match is ambiguous; no list means that no frame matches.
 */
export function groupByFrame({ frame = {} }: Target, elements: readonly SeenElement[]): readonly (readonly number[])[] {
  const frames = new Map<string, { readonly frame: Frame; readonly indexes: number[] }>()
  for (const [index, element] of elements.entries()) {
    const key = JSON.stringify(element.frame)
    const known = frames.get(key)
    if (known) known.indexes.push(index)
    else frames.set(key, { frame: element.frame, indexes: [index] })
  }
  // Without a frame, the element is in the main document.
  if (Object.keys(frame).length === 0) return [frames.get('{}')?.indexes ?? []]
  const judged = [...frames.values()].map((one) => ({ ...one, score: likeness(frame, one.frame) }))
  const most = Math.max(0, ...judged.map(({ score }) => score))
  const best = judged.filter(({ score }) => score > 0 && score === most)
  const [first] = best
  if (!first || best.length > 1 || isNamedAlike(frame, first.frame)) return best.map(({ indexes }) => indexes)
  // All names changed, so the frame must have the same URL.
  const same = judged.filter((one) => one.frame['address'] !== undefined && one.frame['address'] === frame['address'])
  return same.map(({ indexes }) => indexes)
}

function likeness(then: Frame, now: Frame): number {
  return Object.entries(then).reduce((sum, [way, said]) => sum + (now[way] === said ? (weights[way] ?? 0) : 0), 0)
}

/** Returns whether one of its names matches; true if the recorded frame had none. */
function isNamedAlike(then: Frame, now: Frame): boolean {
  const had = names.filter((way) => then[way] !== undefined)
  return had.length === 0 || had.some((way) => then[way] === now[way])
}
