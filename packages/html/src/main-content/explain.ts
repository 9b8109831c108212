// Explains for each block why it was included or removed, for debugging. Not used by ordinary scrapes.
import { blockText } from './block-table.ts'
import { contextNames, contextOf, writeContext } from './context.ts'
import { featureNames } from './feature-names.ts'
import type { Described } from './described.ts'
import { writeRow } from './features.ts'
import type { Forest } from './forest.ts'
import { loadModel } from './model.ts'
import { runForest } from './trees.ts'

export interface Reason {
  readonly feature: string
  readonly value: number
  /** Contribution to the decision; positive values favour keeping the block. */
  readonly push: number
}

export interface ExplainedBlock {
  readonly text: string
  readonly kept: boolean
  /** Probability that the block belongs to the main content. */
  readonly score: number
  readonly reasons: readonly Reason[]
}

const names = [...featureNames, ...contextNames]
const reasonCount = 5

/**
 * Returns for each block its text, its probability, whether it was included (1 in `included`), and the five features that
 * contributed most, for debugging.
 */
export function explainBlocks(described: Described, chances: Float32Array, included: Uint8Array): ExplainedBlock[] {
  const { first, second } = loadModel()
  const { count } = described.blocks
  const width = names.length
  const row = new Float32Array(width)
  const starts = Int32Array.of(0)
  const answers = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    writeRow(described, i, row, 0)
    runForest(first, { data: row, starts, count: 1 }, answers, i)
  }
  const context = contextOf(described, answers)
  const means = [meansOf(first), meansOf(second)] as const
  return Array.from({ length: count }, (_, i) => {
    writeRow(described, i, row, 0)
    writeContext(described, context, i, row, featureNames.length)
    const pushes = new Float64Array(width)
    addPushes(second, means[1], row, pushes)
    // The first model's result is not a useful reason. Its own reasons are added instead.
    const ofFirst = pushes[featureNames.length]!
    pushes[featureNames.length] = 0
    addPushes(first, means[0], row, pushes, share(ofFirst))
    return {
      text: blockText(described.blocks, i),
      kept: included[i] === 1,
      score: chances[i]!,
      reasons: strongest(pushes, row),
    }
  })
}

const share = (push: number): number => Math.min(1, Math.abs(push))

/** Returns for each node the mean of the leaves below: the expected result at that point of the tree. */
function meansOf(forest: Forest): Float32Array {
  const means = Float32Array.from(forest.numbers)
  for (let node = means.length - 1; node >= 0; node--) {
    if (forest.columns[node]! < 0) continue
    const left = forest.lefts[node]!
    means[node] = (means[left]! + means[left + 1]!) / 2
  }
  return means
}

function addPushes(forest: Forest, means: Float32Array, row: Float32Array, pushes: Float64Array, scale = 1): void {
  for (const root of forest.roots) {
    let node = root
    while (forest.columns[node]! >= 0) {
      const column = forest.columns[node]!
      const left = forest.lefts[node]!
      const next = row[column]! <= forest.numbers[node]! ? left : left + 1
      pushes[column] = pushes[column]! + (means[next]! - means[node]!) * scale
      node = next
    }
  }
}

function strongest(pushes: Float64Array, row: Float32Array): Reason[] {
  const order = Array.from(pushes.keys()).sort((a, b) => Math.abs(pushes[b]!) - Math.abs(pushes[a]!))
  return order
    .slice(0, reasonCount)
    .map((column) => ({ feature: names[column]!, value: row[column]!, push: pushes[column]! }))
}
