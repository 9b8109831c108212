// Runs the two models over a page, some blocks at a time: the rows of a page of a hundred thousand blocks never stand in
// memory together.
import { blend, firstEarly, sureOut } from './blend.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import type { Described } from './described.ts'
import { writeRow } from './features.ts'
import { loadModel } from './model.ts'
import { runForest, type Forest } from './trees.ts'

// The rows of nearly every page, so that they are written once for both models.
const roomFor = 512
// As many as the processor keeps near while a tree is run over them.
const batch = 64
const baseWidth = featureNames.length
const width = baseWidth + contextNames.length
const data = new Float32Array(roomFor * width)
const starts = Int32Array.from({ length: roomFor }, (_, row) => row * width)

/** For each block the chance that it belongs to the main content. */
export function judge(described: Described): Float32Array {
  const { first, second } = loadModel()
  const { count } = described.blocks
  const answers = new Float32Array(count)
  const inside: number[] = []
  for (let i = 0; i < count; i++) if (described.outside[i] === 0) inside.push(i)
  const out = new Float32Array(batch)
  for (let from = 0; from < inside.length; from += roomFor) {
    const size = Math.min(roomFor, inside.length - from)
    for (let row = 0; row < size; row++) writeRow(described, inside[from + row]!, data, row * width)
    for (let row = 0; row < size; row += batch) {
      const many = Math.min(batch, size - row)
      runForest(first, { data, starts: starts.subarray(row), count: many }, out, 0, firstEarly)
      for (let k = 0; k < many; k++) answers[inside[from + row + k]!] = out[k]!
    }
  }
  return judgeAgain(described, answers, second, inside)
}

/** The rows that `inside` names are those that the first model was run on, in this order. */
function judgeAgain(
  described: Described,
  answers: Float32Array,
  second: Forest,
  inside: readonly number[],
): Float32Array {
  const chances = Float32Array.from(answers)
  const context = contextOf(described, answers)
  const isStillThere = inside.length <= roomFor
  const places = new Int32Array(batch)
  const chosen = new Int32Array(batch)
  const out = new Float32Array(batch)
  let size = 0
  for (let row = 0; row <= inside.length; row++) {
    if (size === batch || (row === inside.length && size > 0)) {
      runForest(second, { data, starts: chosen, count: size }, out, 0)
      for (let k = 0; k < size; k++) chances[places[k]!] = blend(chances[places[k]!]!, out[k]!)
      size = 0
    }
    if (row === inside.length) break
    const i = inside[row]!
    if (answers[i]! < sureOut) continue
    const start = (isStillThere ? row : size) * width
    if (!isStillThere) writeRow(described, i, data, start)
    writeContext(described, context, i, data, start + baseWidth)
    chosen[size] = start
    places[size++] = i
  }
  return chances
}
