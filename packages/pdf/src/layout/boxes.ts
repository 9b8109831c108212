import type { Box } from '../types.ts'

/** Returns the smallest box around all boxes. For an empty list, its edges are infinite. */
export function boundingBox(boxes: readonly Box[]): Box {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity }
  for (const { left, right, top, bottom } of boxes) {
    box.left = Math.min(box.left, left)
    box.right = Math.max(box.right, right)
    box.top = Math.min(box.top, top)
    box.bottom = Math.max(box.bottom, bottom)
  }
  return box
}

/** Returns the middle number, the upper one of an even number of them, or 0 for an empty list. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Returns the key with the largest total weight, or `undefined` without pairs. */
export function heaviest<Key>(pairs: Iterable<readonly [Key, number]>): Key | undefined {
  const sums = new Map<Key, number>()
  for (const [key, weight] of pairs) sums.set(key, (sums.get(key) ?? 0) + weight)
  let best: Key | undefined
  let most = -Infinity
  for (const [key, sum] of sums) if (sum > most) [best, most] = [key, sum]
  return best
}
