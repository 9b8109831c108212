// Finds repeated blocks: slides that a carousel clones, a second menu for phones, quotes of earlier forum posts.
import { block, blockWidth, type Blocks } from './block-table.ts'
import { columnOf, groupRows } from './groups.ts'

export interface Copies {
  /** For each block: number of blocks with the same text before it, and after it. */
  readonly earlier: Int32Array
  readonly later: Int32Array
  /** Index of the nearest one before it, or -1. */
  readonly previous: Int32Array
  /** Length of the repeated run that contains this block, in blocks and words; 0 if it is not repeated. */
  readonly runBlocks: Int32Array
  readonly runWords: Int32Array
}

/**
 * Returns for each block how many blocks before and after it have the same text, the index of the last one before (-1 if none),
 * and the length of the repeated run that it is in.
 */
export function copiesOf(blocks: Blocks): Copies {
  const { count, table } = blocks
  const earlier = new Int32Array(count)
  const later = new Int32Array(count)
  const previous = new Int32Array(count)
  const alike = groupRows(columnOf(table, block.hash))
  const last = new Int32Array(alike.count).fill(-1)
  for (let i = 0; i < count; i++) {
    const group = alike.of[i]!
    const before = last[group]!
    previous[i] = before
    if (before >= 0) earlier[i] = earlier[before]! + 1
    last[group] = i
  }
  for (let i = count - 1; i >= 0; i--) if (previous[i]! >= 0) later[previous[i]!] = later[i]! + 1
  return { earlier, later, previous, ...runsOf(blocks, previous) }
}

function runsOf({ count, table }: Blocks, previous: Int32Array): { runBlocks: Int32Array; runWords: Int32Array } {
  const runBlocks = new Int32Array(count)
  const runWords = new Int32Array(count)
  for (let from = 0, to = 0; from < count; from = Math.max(to, from + 1)) {
    if (previous[from]! < 0) continue
    const away = from - previous[from]!
    let words = 0
    const isInRun = (i: number): boolean => i < count && previous[i]! >= 0 && previous[i]! + away === i
    for (to = from; isInRun(to); to++) {
      words += table.data[to * blockWidth + block.words]!
    }
    runBlocks.fill(to - from, from, to)
    runWords.fill(words, from, to)
  }
  return { runBlocks, runWords }
}
