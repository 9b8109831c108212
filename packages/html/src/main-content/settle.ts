// Adjusts the decisions per block, so that related parts stay or go together.
import { block, blockWidth, box, boxWidth, type Blocks } from './block-table.ts'
import type { Described } from './described.ts'

const table = { blocks: 4, wordsEach: 15, share: 0.9 } as const
const heading = { share: 0.5 } as const
/** Repeated text needs a higher probability, especially long repeated runs such as slides or quoted posts. */
const copy = { words: 6, sure: 0.7, cloned: 40, sureOfClone: 0.85 } as const

/**
 * Changes `included`, which has 1 for each included block: removes repeats of included text, and decides on data tables as a
 * whole and on headings with their text.
 */
export function settleBlocks(
  described: Described,
  chances: Float32Array,
  included: Uint8Array,
  threshold: number,
): void {
  settleCopies(described, chances, included)
  settleTables(described.blocks, chances, included, threshold * table.share)
  settleHeadings(described, chances, included, threshold * heading.share)
}

/** Removes repeats of kept text. Code is exempt, as its lines repeat for good reasons. */
function settleCopies({ blocks, outline }: Described, chances: Float32Array, included: Uint8Array): void {
  const { previous, runWords } = outline.copies
  const { data } = blocks.table
  const isCovered = new Uint8Array(blocks.count)
  for (let i = 0; i < blocks.count; i++) {
    const before = previous[i]!
    const isRepeated = before >= 0 && isCovered[before] === 1
    const sure = runWords[i]! >= copy.cloned ? copy.sureOfClone : copy.sure
    const isLong = data[i * blockWidth + block.words]! >= copy.words && data[i * blockWidth + block.pre] === 0
    if (included[i] === 1 && isRepeated && isLong && chances[i]! < sure) included[i] = 0
    if (included[i] === 1 || isRepeated) isCovered[i] = 1
  }
}

function settleTables(blocks: Blocks, chances: Float32Array, included: Uint8Array, threshold: number): void {
  for (const [from, to] of dataTables(blocks)) {
    let sum = 0
    let weight = 0
    for (let i = from; i < to; i++) {
      const own = Math.sqrt(blocks.table.data[i * blockWidth + block.words]! + 0.5)
      sum += chances[i]! * own
      weight += own
    }
    included.fill(sum >= threshold * weight ? 1 : 0, from, to)
  }
}

/** Returns block ranges of tables that have small cells and no nested table. */
function dataTables({ boxes, elements }: Blocks): [number, number][] {
  const inside = new Int32Array(boxes.rows)
  const holdsTable = new Uint8Array(boxes.rows)
  const found: number[] = []
  for (let i = 0; i < boxes.rows; i++) {
    const parent = boxes.data[i * boxWidth + box.parent]!
    inside[i] = parent < 0 ? -1 : elements[parent]!.name === 'table' ? parent : inside[parent]!
    if (elements[i]!.name !== 'table') continue
    found.push(i)
    if (inside[i]! >= 0) holdsTable[inside[i]!] = 1
  }
  const ranges: [number, number][] = []
  for (const i of found) {
    const from = boxes.data[i * boxWidth + box.first]!
    const to = boxes.data[i * boxWidth + box.end]!
    const words = boxes.data[i * boxWidth + box.words]!
    const isData = holdsTable[i] === 0 && to - from >= table.blocks && words <= (to - from) * table.wordsEach
    if (isData) ranges.push([from, to])
  }
  return ranges
}

/** Keeps headings between kept blocks if their probability reaches a lower threshold. */
function settleHeadings({ blocks }: Described, chances: Float32Array, included: Uint8Array, threshold: number): void {
  let before = true
  for (let i = 0; i < blocks.count; i++) {
    const isHeading = blocks.table.data[i * blockWidth + block.heading]! > 0
    if (isHeading && included[i] === 0 && before && included[i + 1] === 1 && chances[i]! >= threshold) included[i] = 1
    before = included[i] === 1
  }
}
