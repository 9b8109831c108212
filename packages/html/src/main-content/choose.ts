// Turns a probability per block into a decision. The threshold with the best F1 over words is half of the best F1 that
// can be expected, so a page with uncertain blocks keeps more of them than a page with clear ones.
import { block, blockWidth } from './block-table.ts'
import type { Described } from './described.ts'
import { declaresArticle } from './page-facts.ts'
import { settleBlocks } from './settle.ts'

const steps = 100
const share = 0.5
const lowest = 0.2
/**
 * On a page that declares an article, and has this expected F1, the odds of the threshold are multiplied: the teasers
 * around articles are similar to their text.
 */
const article = { expected: 0.78, oddsFactor: Math.exp(0.5) } as const

/** Returns the probability from which on a block is included: 0.2 to 0.5 by the expected F1, and up to 0.63 for articles. */
export function thresholdFor(described: Described, chances: Float32Array): number {
  const expected = expectedF1(described, chances)
  const threshold = Math.max(lowest, share * expected)
  if (expected < article.expected || !declaresArticle(described.head, described.data)) return threshold
  const odds = (article.oddsFactor * threshold) / (1 - threshold)
  return odds / (1 + odds)
}

/** Returns the best F1 over words that any threshold can reach, if the probabilities are right. */
function expectedF1({ blocks }: Described, chances: Float32Array): number {
  const words = new Float64Array(steps + 1)
  const wanted = new Float64Array(steps + 1)
  let allWanted = 0
  for (let i = 0; i < blocks.count; i++) {
    const own = blocks.table.data[i * blockWidth + block.words]!
    const chance = chances[i]!
    const step = Math.min(steps, Math.floor(chance * steps))
    words[step] = words[step]! + own
    wanted[step] = wanted[step]! + own * chance
    allWanted += own * chance
  }
  let best = 0
  let selectedWords = 0
  let hits = 0
  for (let step = steps; step >= 0; step--) {
    selectedWords += words[step]!
    hits += wanted[step]!
    best = Math.max(best, (2 * hits) / Math.max(1e-9, selectedWords + allWanted))
  }
  return best
}

/** Returns an array with 1 for each block that belongs to the main content, given the probability of each block. */
export function chooseBlocks(described: Described, chances: Float32Array): Uint8Array {
  const threshold = thresholdFor(described, chances)
  const included = new Uint8Array(chances.length)
  for (let i = 0; i < chances.length; i++) if (chances[i]! >= threshold) included[i] = 1
  settleBlocks(described, chances, included, threshold)
  return included
}
