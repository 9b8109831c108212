// What stands around a block: its like, and its neighbours.
import { block, blockWidth, box, boxWidth } from './block-table.ts'
import { reach } from './feature-names.ts'
import type { Described } from './features.ts'
import { endsSentence } from './text-scan.ts'

export function writeRepeated({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const own = blocks.table.data[i * blockWidth + block.box]!
  const repeated = own < 0 ? -1 : outline.repeated[own]!
  let k = to
  if (repeated < 0) {
    out.fill(-1, k, k + 6)
    return k + 6
  }
  const b = blocks.boxes.data
  const at = repeated * boxWidth
  const count = outline.alike[repeated]!
  out[k++] = count
  out[k++] = outline.alikeWords[repeated]! / count
  out[k++] = outline.alikeLinkWords[repeated]! / Math.max(1, outline.alikeWords[repeated]!)
  out[k++] = b[own * boxWidth + box.depth]! - b[at + box.depth]!
  out[k++] = Math.log1p(b[at + box.words]!)
  out[k++] = b[at + box.linkWords]! / Math.max(1, b[at + box.words]!)
  return k
}

const windowSize = 10

export function writeNeighbours({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const t = blocks.table.data
  let k = to
  for (const away of reach) {
    const other = i + away
    if (other < 0 || other >= blocks.count) {
      out.fill(-1, k, k + 4)
      k += 4
      continue
    }
    const at = other * blockWidth
    out[k++] = Math.log1p(t[at + block.words]!)
    out[k++] = t[at + block.linkChars]! / Math.max(1, t[at + block.chars]!)
    out[k++] = t[at + block.heading]!
    out[k++] = endsSentence(t[at + block.last]!) ? 1 : 0
  }
  const from = Math.max(0, i - windowSize)
  const to2 = Math.min(blocks.count, i + windowSize + 1)
  const words = outline.wordsBefore[to2]! - outline.wordsBefore[from]!
  out[k++] = Math.log1p(words)
  out[k++] = (outline.linkWordsBefore[to2]! - outline.linkWordsBefore[from]!) / Math.max(1, words)
  return k
}
