// The usual constant of reciprocal rank fusion. It limits the weight of the first ranks.
const constant = 60

/** Merges ranked lists by reciprocal rank fusion: ids near the top of several lists come first. */
export function fuse(lists: readonly (readonly number[])[], limit: number): readonly number[] {
  const scores = new Map<number, number>()
  for (const list of lists)
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + rank + 1))
  return [...scores]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, limit)
    .map(([id]) => id)
}
