// Runs the two models over a page, some blocks at a time: the rows of a page of a hundred thousand blocks never stand in
// memory together.
import { blend, sureOut } from './blend.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import { writeRow, type Described } from './features.ts'
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
  for (let from = 0; from < count; from += roomFor) {
    const size = Math.min(roomFor, count - from)
    for (let i = 0; i < size; i++) writeRow(described, from + i, data, i * width)
    for (let row = 0; row < size; row += batch) {
      const rows = { data, starts: starts.subarray(row), count: Math.min(batch, size - row) }
      runForest(first, rows, answers, from + row)
    }
  }
  return judgeAgain(described, answers, second)
}

function judgeAgain(described: Described, answers: Float32Array, second: Forest): Float32Array {
  const { count } = described.blocks
  const chances = Float32Array.from(answers)
  const context = contextOf(described, answers)
  const isStillThere = count <= roomFor
  const places = new Int32Array(batch)
  const chosen = new Int32Array(batch)
  const out = new Float32Array(batch)
  let size = 0
  for (let i = 0; i <= count; i++) {
    if (size === batch || (i === count && size > 0)) {
      runForest(second, { data, starts: chosen, count: size }, out, 0)
      for (let k = 0; k < size; k++) chances[places[k]!] = blend(chances[places[k]!]!, out[k]!)
      size = 0
    }
    if (i === count || answers[i]! < sureOut) continue
    const start = (isStillThere ? i : size) * width
    if (!isStillThere) writeRow(described, i, data, start)
    writeContext(described, context, i, data, start + baseWidth)
    chosen[size] = start
    places[size++] = i
  }
  return chances
}
