// Runs the two models over a page, some blocks at a time: the rows of a page of a hundred thousand blocks never stand in
// memory together.
import { blend, sureOut } from './blend.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import { writeRow, type Described } from './features.ts'
import { loadModel } from './model.ts'
import { runForest, type Forest } from './trees.ts'

const chunk = 128
const baseWidth = featureNames.length
const width = baseWidth + contextNames.length
const data = new Float32Array(chunk * width)

/** For each block the chance that it belongs to the main content. */
export function judge(described: Described): Float32Array {
  const { first, second } = loadModel()
  const { count } = described.blocks
  const answers = new Float32Array(count)
  for (let from = 0; from < count; from += chunk) {
    const size = Math.min(chunk, count - from)
    for (let i = 0; i < size; i++) writeRow(described, from + i, data, i * width)
    runForest(first, { data, width, count: size }, answers, from)
  }
  return judgeAgain(described, answers, second)
}

function judgeAgain(described: Described, answers: Float32Array, second: Forest): Float32Array {
  const { count } = described.blocks
  const chances = Float32Array.from(answers)
  const context = contextOf(described, answers)
  const places = new Int32Array(chunk)
  const out = new Float32Array(chunk)
  let size = 0
  for (let i = 0; i <= count; i++) {
    if (size === chunk || (i === count && size > 0)) {
      runForest(second, { data, width, count: size }, out, 0)
      for (let k = 0; k < size; k++) chances[places[k]!] = blend(chances[places[k]!]!, out[k]!)
      size = 0
    }
    if (i === count || answers[i]! < sureOut) continue
    writeRow(described, i, data, size * width)
    writeContext(described, context, i, data, size * width + baseWidth)
    places[size++] = i
  }
  return chances
}
