// Where passages of the Markdown are in a file that has pages.
import type { FilePlace, PlacedBlock } from '../schema/file-place.ts'

/**
 * Returns the pages that a passage of the Markdown is on, with the box around its blocks. A passage outside all blocks has no page.
 * `blocks` are in the order of the Markdown, and do not overlap.
 */
export function placesOf(
  blocks: readonly PlacedBlock[],
  [from, to]: readonly [start: number, end: number],
): readonly FilePlace[] {
  const places = new Map<number, FilePlace>()
  for (let at = firstAfter(blocks, from); at < blocks.length; at += 1) {
    const block = blocks[at]
    if (!block || block.start >= to) break
    const box = around(places.get(block.page)?.box, block.box)
    places.set(block.page, { page: block.page, ...(box && { box }) })
  }
  return [...places.values()]
}

function firstAfter(blocks: readonly PlacedBlock[], position: number): number {
  let [low, high] = [0, blocks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((blocks[middle]?.end ?? Infinity) > position) high = middle
    else low = middle + 1
  }
  return low
}

function around(one: FilePlace['box'], other: FilePlace['box']): FilePlace['box'] {
  if (!one || !other) return one ?? other
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ]
}
