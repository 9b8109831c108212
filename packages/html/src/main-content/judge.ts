// Runs the two models over a page in batches, so that the rows of 100,000 blocks are never in memory at once.
import { blend, firstEarly, sureOut } from './blend.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import type { Described } from './described.ts'
import { writeRow } from './features.ts'
import type { Forest } from './forest.ts'
import { loadModel } from './model.ts'
import { makeRanges, prunedSlope, widenRanges, type Ranges } from './slopes.ts'
import { runForest } from './trees.ts'

// Rows per batch. Enough for nearly all pages, whose rows are then computed only once for both models.
const roomFor = 512
// Below this number of rows, pruning costs more than it saves.
const fewRows = 64
const baseWidth = featureNames.length
const width = baseWidth + contextNames.length
const data = new Float32Array(roomFor * width)
const starts = Int32Array.from({ length: roomFor }, (_, row) => row * width)
const chosen = new Int32Array(roomFor)
const out = new Float32Array(roomFor)

/**
 * Returns for each block the probability, from 0 to 1, that it belongs to the main content. It is 0 for blocks that are never
 * content, such as those in navigation.
 */
export function judge(described: Described): Float32Array {
  const { first, second } = loadModel()
  const { count } = described.blocks
  const answers = new Float32Array(count)
  const inside: number[] = []
  for (let i = 0; i < count; i++) if (described.outside[i] === 0) inside.push(i)
  const ranges = makeRanges(width)
  for (let from = 0; from < inside.length; from += roomFor) {
    const size = Math.min(roomFor, inside.length - from)
    for (let row = 0; row < size; row++) writeRow(described, inside[from + row]!, data, row * width)
    const rows = { data, starts, count: size }
    widenRanges(ranges, rows, 0, baseWidth)
    const slope = size < fewRows ? undefined : prunedSlope(first, ranges)
    runForest(first, rows, out, 0, { early: firstEarly, slope })
    for (let row = 0; row < size; row++) answers[inside[from + row]!] = out[row]!
  }
  return judgeAgain(described, answers, second, inside, ranges)
}

/** Runs the second model. `inside` must list the same blocks, in the same order, as for the first model. */
function judgeAgain(
  described: Described,
  answers: Float32Array,
  second: Forest,
  inside: readonly number[],
  ranges: Ranges,
): Float32Array {
  const chances = answers.slice()
  const context = contextOf(described, answers)
  const isStillThere = inside.length <= roomFor
  const open: number[] = []
  for (let row = 0; row < inside.length; row++) if (answers[inside[row]!]! >= sureOut) open.push(row)
  for (let from = 0; from < open.length; from += roomFor) {
    const size = Math.min(roomFor, open.length - from)
    for (let k = 0; k < size; k++) {
      const row = open[from + k]!
      const start = (isStillThere ? row : k) * width
      if (!isStillThere) writeRow(described, inside[row]!, data, start)
      writeContext(described, context, inside[row]!, data, start + baseWidth)
      chosen[k] = start
    }
    const rows = { data, starts: chosen, count: size }
    widenRanges(ranges, rows, baseWidth, width)
    const slope = size < fewRows ? undefined : prunedSlope(second, ranges)
    runForest(second, rows, out, 0, { slope })
    for (let k = 0; k < size; k++) {
      const i = inside[open[from + k]!]!
      chances[i] = blend(chances[i]!, out[k]!)
    }
  }
  return chances
}
