// From a chance for each block to a yes or no. The best threshold for a balance of words found and words wanted (F1) is
// half of the F1 that can be hoped for, so a page where little is certain keeps more than one where everything is.
import { block, blockWidth } from './block-table.ts'
import type { Described } from './described.ts'
import { settleBlocks } from './settle.ts'

const steps = 100
const share = 0.5
const limits = { low: 0.2, high: 0.6 } as const

/** The threshold that fits how certain the chances of this page are. */
export function thresholdFor(described: Described, chances: Float32Array): number {
  return Math.min(limits.high, Math.max(limits.low, share * hopedFor(described, chances)))
}

/** The highest F1 over words that any threshold can expect, if the chances are right. */
function hopedFor({ blocks }: Described, chances: Float32Array): number {
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
  let kept = 0
  let hits = 0
  for (let step = steps; step >= 0; step--) {
    kept += words[step]!
    hits += wanted[step]!
    best = Math.max(best, (2 * hits) / Math.max(1e-9, kept + allWanted))
  }
  return best
}

export function chooseBlocks(described: Described, chances: Float32Array): Uint8Array {
  const threshold = thresholdFor(described, chances)
  const kept = Uint8Array.from(chances, (chance) => (chance >= threshold ? 1 : 0))
  settleBlocks(described, chances, kept, threshold)
  return kept
}
