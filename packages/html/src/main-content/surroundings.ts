// Features from the surroundings of a block: similar blocks and neighbours.
import { block, blockWidth, box, boxWidth, type Blocks } from './block-table.ts'
import type { Described } from './described.ts'
import { levels, reach } from './feature-names.ts'
import { endsSentence } from './text-scan.ts'

/**
 * Writes features of the group of similar containers that the block is in, or -1 if it is in none. Returns the index
 * after them.
 */
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

/** Writes features of the blocks near this one, or -1 beyond the ends of the page. Returns the index after them. */
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
  out[k++] = (outline.pricesBefore[to2]! - outline.pricesBefore[from]!) / Math.max(1, to2 - from)
  return k
}

const maxCopies = 30

/** Writes how often and where the page repeats the block's text. Returns the index after these features. */
export function writeCopies({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const { earlier, later, previous, runBlocks, runWords } = outline.copies
  const other = previous[i]!
  let k = to
  out[k++] = Math.min(maxCopies, earlier[i]!)
  out[k++] = Math.min(maxCopies, later[i]!)
  out[k++] = other < 0 ? -1 : Math.log1p(i - other)
  out[k++] = runBlocks[i]!
  out[k++] = Math.log1p(runWords[i]!)
  out[k++] = other < 0 ? -1 : pathOf(blocks, i) === pathOf(blocks, other) ? 1 : 0
  return k
}

function pathOf({ table, boxes }: Blocks, i: number): number {
  const own = table.data[i * blockWidth + block.box]!
  return own < 0 ? 0 : boxes.data[own * boxWidth + box.path]!
}

/**
 * Writes scores for the headings above the block, and for the first block of each container around it. Returns the
 * index after them.
 */
export function writeTitles({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const t = blocks.table.data
  const section = outline.section[i]!
  const over = section < 0 ? -1 : outline.over[section]!
  let k = to
  out[k++] = section < 0 ? 0 : t[section * blockWidth + block.wordScore]!
  out[k++] = section < 0 ? 0 : t[section * blockWidth + block.wordLowest]!
  out[k++] = section < 0 ? 0 : t[section * blockWidth + block.wordHighest]!
  out[k++] = over < 0 ? 0 : t[over * blockWidth + block.wordScore]!
  out[k++] = over < 0 ? 0 : t[over * blockWidth + block.wordLowest]!
  let current = t[i * blockWidth + block.box]!
  for (let level = 0; level < levels; level++) {
    const first = current < 0 ? -1 : blocks.boxes.data[current * boxWidth + box.first]! * blockWidth
    out[k++] = first < 0 ? 0 : t[first + block.wordScore]!
    out[k++] = first < 0 ? -1 : Math.min(longOpening, t[first + block.words]!)
    if (current >= 0) current = outline.larger[current]!
  }
  return k
}

const longOpening = 30
