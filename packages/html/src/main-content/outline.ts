// Page-level data for the features, computed once per page: repeats, sections, likely content roots.
import { block, blockWidth, box, boxWidth, isParagraph, type Blocks } from './block-table.ts'
import { copiesOf, type Copies } from './copies.ts'
import { columnOf, groupRows, type Groups } from './groups.ts'

export interface Outline {
  /** Sums over all blocks before each index, so that the sum of any range is one subtraction. */
  readonly wordsBefore: Int32Array
  readonly linkWordsBefore: Int32Array
  /** Number of blocks with a price before each index. */
  readonly pricesBefore: Int32Array
  readonly copies: Copies
  /** Index of the nearest heading above each block (of a heading, itself), or -1. */
  readonly section: Int32Array
  /** For each heading: index of the nearest one above it with a higher rank, or -1. */
  readonly over: Int32Array
  /** Index of the heading that best matches the title, with a bonus for `h1`, or -1. */
  readonly headline: number
  /** For each box: index of the nearest box around it with more blocks, or -1. */
  readonly larger: Int32Array
  /** Boxes in the same parent with the same tag and class, and boxes with the same ones whose parents also have the same. */
  readonly shapes: Groups
  readonly paths: Groups
  /**
   * For each box: number of boxes in the same parent with the same tag and class, and their words and link words.
   */
  readonly alike: Int32Array
  readonly alikeWords: Int32Array
  readonly alikeLinkWords: Int32Array
  /** Index of the nearest box, including itself, that has at least two similar ones, or -1. */
  readonly repeated: Int32Array
  /**
   * Likely content roots: the box with the highest paragraph score, and the smallest one with most of the paragraphs.
   */
  readonly byScore: number
  readonly byShare: number
  readonly mainWords: number
}

/**
 * Computes how the blocks of a page relate to each other: sections, headline, copies and groups of similar containers.
 */
export function outlineOf(blocks: Blocks): Outline {
  const alike = findAlike(blocks)
  return {
    ...sumsBefore(blocks),
    ...alike,
    paths: groupRows(columnOf(blocks.boxes, box.path)),
    copies: copiesOf(blocks),
    section: findSections(blocks),
    over: findOver(blocks),
    headline: findHeadline(blocks),
    larger: findLarger(blocks),
    repeated: findRepeated(blocks, alike.alike),
    byScore: bestByScore(blocks),
    byShare: smallestByShare(blocks),
    mainWords: wordsOfMain(blocks),
  }
}

type Sums = Pick<Outline, 'wordsBefore' | 'linkWordsBefore' | 'pricesBefore'>

function sumsBefore(blocks: Blocks): Sums {
  const { count, table } = blocks
  const wordsBefore = new Int32Array(count + 1)
  const linkWordsBefore = new Int32Array(count + 1)
  const pricesBefore = new Int32Array(count + 1)
  for (let i = 0, at = 0; i < count; i++, at += blockWidth) {
    wordsBefore[i + 1] = wordsBefore[i]! + table.data[at + block.words]!
    linkWordsBefore[i + 1] = linkWordsBefore[i]! + table.data[at + block.linkWords]!
    pricesBefore[i + 1] = pricesBefore[i]! + (table.data[at + block.money]! > 0 ? 1 : 0)
  }
  return { wordsBefore, linkWordsBefore, pricesBefore }
}

function findSections(blocks: Blocks): Int32Array {
  const section = new Int32Array(blocks.count)
  let last = -1
  for (let i = 0; i < blocks.count; i++) {
    if (blocks.table.data[i * blockWidth + block.heading]! > 0) last = i
    section[i] = last
  }
  return section
}

function findOver(blocks: Blocks): Int32Array {
  const over = new Int32Array(blocks.count).fill(-1)
  const last = new Int32Array(7).fill(-1)
  for (let i = 0; i < blocks.count; i++) {
    const level = blocks.table.data[i * blockWidth + block.heading]!
    if (level === 0) continue
    for (let higher = 1; higher < level; higher++) over[i] = Math.max(over[i]!, last[higher]!)
    last[level] = i
  }
  return over
}

function findHeadline(blocks: Blocks): number {
  const { data } = blocks.table
  let best = -1
  let bestScore = 0
  for (let i = 0; i < blocks.count; i++) {
    const at = i * blockWidth
    const level = data[at + block.heading]!
    if (level === 0) continue
    const hits = data[at + block.titleHits]! / Math.max(3, data[at + block.words]!)
    const score = hits * 2 + (level === 1 ? 1 : level === 2 ? 0.3 : 0)
    if (score > bestScore && score >= 0.9) {
      best = i
      bestScore = score
    }
  }
  return best
}

const blocksIn = (data: Int32Array, at: number): number => data[at + box.end]! - data[at + box.first]!

function findLarger(blocks: Blocks): Int32Array {
  const { rows, data } = blocks.boxes
  const larger = new Int32Array(rows)
  for (let i = 0; i < rows; i++) {
    const parent = data[i * boxWidth + box.parent]!
    if (parent < 0) larger[i] = -1
    else if (blocksIn(data, parent * boxWidth) > blocksIn(data, i * boxWidth)) larger[i] = parent
    else larger[i] = larger[parent]!
  }
  return larger
}

type Alike = Pick<Outline, 'shapes' | 'alike' | 'alikeWords' | 'alikeLinkWords'>

function findAlike({ boxes }: Blocks): Alike {
  const { rows, data } = boxes
  const shapes = groupRows(columnOf(boxes, box.shape))
  const sums = new Int32Array(shapes.count * 3)
  for (let i = 0, at = 0; i < rows; i++, at += boxWidth) {
    const sum = shapes.of[i]! * 3
    sums[sum]!++
    sums[sum + 1] = sums[sum + 1]! + data[at + box.words]!
    sums[sum + 2] = sums[sum + 2]! + data[at + box.linkWords]!
  }
  const alike = new Int32Array(rows)
  const alikeWords = new Int32Array(rows)
  const alikeLinkWords = new Int32Array(rows)
  for (let i = 0; i < rows; i++) {
    const sum = shapes.of[i]! * 3
    alike[i] = sums[sum]!
    alikeWords[i] = sums[sum + 1]!
    alikeLinkWords[i] = sums[sum + 2]!
  }
  return { shapes, alike, alikeWords, alikeLinkWords }
}

const enoughAlike = 3

function findRepeated(blocks: Blocks, alike: Int32Array): Int32Array {
  const { rows, data } = blocks.boxes
  const repeated = new Int32Array(rows)
  for (let i = 0; i < rows; i++) {
    const parent = data[i * boxWidth + box.parent]!
    repeated[i] = alike[i]! >= enoughAlike && blocksIn(data, i * boxWidth) > 1 ? i : parent < 0 ? -1 : repeated[parent]!
  }
  return repeated
}

const shortest = 25

/** Returns the box with the highest score. As in reader modes, paragraphs add to their ancestors' scores, links reduce them. */
function bestByScore(blocks: Blocks): number {
  const { boxes, table } = blocks
  const scores = new Float32Array(boxes.rows)
  for (let i = 0, at = 0; i < blocks.count; i++, at += blockWidth) {
    const chars = table.data[at + block.chars]!
    const parent = table.data[at + block.box]!
    if (chars < shortest || parent < 0) continue
    const score = 1 + table.data[at + block.commas]! + Math.min(3, chars / 100)
    const up = boxes.data[parent * boxWidth + box.parent]!
    scores[parent] = scores[parent]! + score * 0.3
    if (up < 0) continue
    scores[up] = scores[up]! + score
    const above = boxes.data[up * boxWidth + box.parent]!
    if (above >= 0) scores[above] = scores[above]! + score * 0.5
  }
  let best = -1
  let bestScore = 0
  for (let i = 0; i < boxes.rows; i++) {
    const at = i * boxWidth
    const words = boxes.data[at + box.words]!
    const score = scores[i]! * (1 - boxes.data[at + box.linkWords]! / Math.max(1, words))
    if (score > bestScore) {
      best = i
      bestScore = score
    }
  }
  return best
}

const shareWanted = 0.7

function smallestByShare(blocks: Blocks): number {
  const { boxes } = blocks
  const wanted = Math.max(1, blocks.total.paragraphs * shareWanted)
  let best = -1
  // Children follow their parents, so the last match is the innermost box of a chain.
  for (let i = 0; i < boxes.rows; i++) if (boxes.data[i * boxWidth + box.paragraphs]! >= wanted) best = i
  return best
}

function wordsOfMain(blocks: Blocks): number {
  let words = 0
  for (let i = 0; i < blocks.boxes.rows; i++) {
    if (blocks.elements[i]!.name === 'main') words = Math.max(words, blocks.boxes.data[i * boxWidth + box.words]!)
  }
  return words
}

export { isParagraph }
