// Runs the two models over a page, some blocks at a time: the rows of a page of a hundred thousand blocks never stand in
// memory together.
import { blend, firstEarly, sureOut } from './blend.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import type { Described } from './described.ts'
import { writeRow } from './features.ts'
import type { Forest } from './forest.ts'
import { loadModel } from './model.ts'
import { makeRanges, prunedSlope, widenRanges, type Ranges } from './slopes.ts'
import { runForest } from './trees.ts'

// The rows of nearly every page, so that they are written once for both models.
const roomFor = 512
// For fewer, pruning costs more than it saves.
const fewRows = 64
const baseWidth = featureNames.length
const width = baseWidth + contextNames.length
const data = new Float32Array(roomFor * width)
const starts = Int32Array.from({ length: roomFor }, (_, row) => row * width)
const chosen = new Int32Array(roomFor)
const out = new Float32Array(roomFor)

/** For each block the chance that it belongs to the main content. */
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

/** The rows that `inside` names are those that the first model was run on, in this order. */
function judgeAgain(
  described: Described,
  answers: Float32Array,
  second: Forest,
  inside: readonly number[],
  ranges: Ranges,
): Float32Array {
  const chances = Float32Array.from(answers)
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
