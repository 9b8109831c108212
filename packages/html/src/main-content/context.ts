// Features for the second model: the first model's results for the blocks around a block, its containers, its section,
// and the blocks that look like it.
import { block, blockWidth, box, boxWidth, type Blocks } from './block-table.ts'
import type { Described } from './described.ts'
import type { Groups } from './groups.ts'

const reach = [-4, -3, -2, -1, 1, 2, 3, 4] as const
const windows = [2, 5, 12, 30] as const
const sides = [5, 20] as const
const levels = 5

export const contextNames: readonly string[] = [
  'first answer',
  ...reach.map((away) => `answer at ${away}`),
  ...windows.map((size) => `answers within ${size}`),
  ...sides.flatMap((size) => [`answers ${size} before`, `answers ${size} after`]),
  ...['page answers', 'highest answer', 'words accepted', 'blocks accepted', 'sinceFirst', 'untilLast', 'rank'],
  ...Array.from({ length: levels }, (_, level) => [`up${level} answers`, `up${level} weight`]).flat(),
  ...['alike answers', 'path answers', 'repeated answers', 'section answers', 'heading answer', 'following answers'],
  ...['root by score answers', 'root by share answers', 'copy answer'],
]

export interface Context {
  readonly answers: Float32Array
  readonly sums: Float64Array
  readonly weights: Float64Array
  readonly page: readonly number[]
  readonly first: number
  readonly last: number
  readonly ranks: Float32Array
  /** Means over the blocks directly in the boxes of each group, or -1 without such blocks. */
  readonly alike: Float64Array
  readonly path: Float64Array
  readonly sectionEnd: Int32Array
}

const accepted = 0.5
const sure = 0.6

/**
 * Returns the first model's probabilities with their running sums, from which the features of the second model are
 * written.
 */
export function contextOf(described: Described, answers: Float32Array): Context {
  const { blocks } = described
  const t = blocks.table.data
  const sums = new Float64Array(blocks.count + 1)
  const weights = new Float64Array(blocks.count + 1)
  let highest = 0
  let words = 0
  let many = 0
  let first = -1
  let last = -1
  for (let i = 0; i < blocks.count; i++) {
    const answer = answers[i]!
    const own = t[i * blockWidth + block.words]!
    const weight = Math.sqrt(own + 0.5)
    sums[i + 1] = sums[i]! + answer * weight
    weights[i + 1] = weights[i]! + weight
    highest = Math.max(highest, answer)
    if (answer >= accepted) {
      words += own
      many++
    }
    if (answer < sure) continue
    if (first < 0) first = i
    last = i
  }
  const count = Math.max(1, blocks.count)
  const page = [mean(sums, weights, 0, blocks.count), highest, Math.log1p(words), many / count]
  return {
    answers,
    sums,
    weights,
    page,
    first,
    last,
    ranks: rank(answers),
    alike: meansBy(described.outline.shapes, described, answers),
    path: meansBy(described.outline.paths, described, answers),
    sectionEnd: sectionEnds(described),
  }
}

function mean(sums: Float64Array, weights: Float64Array, from: number, to: number): number {
  return to > from ? (sums[to]! - sums[from]!) / Math.max(1e-6, weights[to]! - weights[from]!) : -1
}

const rankSteps = 256

/**
 * Returns for each block the share of blocks with a lower result. Counts instead of sorting, as pages can have 100,000
 * blocks.
 */
function rank(answers: Float32Array): Float32Array {
  const counts = new Int32Array(rankSteps + 1)
  const { length } = answers
  for (let i = 0; i < length; i++) counts[rankStep(answers[i]!) + 1]!++
  for (let s = 1; s <= rankSteps; s++) counts[s] = counts[s]! + counts[s - 1]!
  const ranks = new Float32Array(length)
  for (let i = 0; i < length; i++) ranks[i] = counts[rankStep(answers[i]!)]! / length
  return ranks
}

const rankStep = (answer: number): number => Math.min(rankSteps - 1, Math.floor(answer * rankSteps))

/** Returns the mean over the blocks directly in the boxes of each group, or -1 for a group without such blocks. */
function meansBy(groups: Groups, { blocks }: Described, answers: Float32Array): Float64Array {
  const sums = new Float64Array(groups.count)
  const weights = new Float64Array(groups.count)
  for (let i = 0; i < blocks.count; i++) {
    const own = blocks.table.data[i * blockWidth + block.box]!
    if (own < 0) continue
    const group = groups.of[own]!
    const weight = Math.sqrt(blocks.table.data[i * blockWidth + block.words]! + 0.5)
    sums[group] = sums[group]! + answers[i]! * weight
    weights[group] = weights[group]! + weight
  }
  const means = new Float64Array(groups.count).fill(-1)
  for (let group = 0; group < groups.count; group++) {
    if (weights[group]! > 0) means[group] = sums[group]! / weights[group]!
  }
  return means
}

function sectionEnds({ blocks, outline }: Described): Int32Array {
  const ends = new Int32Array(blocks.count)
  let end = blocks.count
  for (let i = blocks.count - 1; i >= 0; i--) {
    ends[i] = end
    if (outline.section[i] === i) end = i
  }
  return ends
}

/** Writes the columns of `contextNames` for block `i` to `out`, starting at `to`. */
export function writeContext(described: Described, context: Context, i: number, out: Float32Array, to: number): void {
  const { answers, sums, weights } = context
  const count = answers.length
  let k = to
  out[k++] = answers[i]!
  for (const away of reach) {
    const other = i + away
    out[k++] = other >= 0 && other < count ? answers[other]! : -1
  }
  for (const size of windows) out[k++] = mean(sums, weights, Math.max(0, i - size), Math.min(count, i + size + 1))
  for (const size of sides) {
    out[k++] = mean(sums, weights, Math.max(0, i - size), i)
    out[k++] = mean(sums, weights, i + 1, Math.min(count, i + 1 + size))
  }
  for (const number of context.page) out[k++] = number
  out[k++] = context.first < 0 ? -999 : Math.max(-500, Math.min(500, i - context.first))
  out[k++] = context.last < 0 ? -999 : Math.max(-500, Math.min(500, context.last - i))
  out[k++] = context.ranks[i]!
  k = writeLevels(described, context, i, out, k)
  writeGroups(described, context, i, out, k)
}

function writeLevels(
  { blocks, outline }: Described,
  context: Context,
  i: number,
  out: Float32Array,
  to: number,
): number {
  const { sums, weights } = context
  const total = Math.max(1e-6, weights[blocks.count]!)
  let k = to
  let current = blocks.table.data[i * blockWidth + block.box]!
  for (let level = 0; level < levels; level++) {
    if (current < 0) {
      out[k++] = -1
      out[k++] = -1
      continue
    }
    const from = blocks.boxes.data[current * boxWidth + box.first]!
    const end = blocks.boxes.data[current * boxWidth + box.end]!
    out[k++] = mean(sums, weights, from, end)
    out[k++] = (weights[end]! - weights[from]!) / total
    current = outline.larger[current]!
  }
  return k
}

function writeGroups(described: Described, context: Context, i: number, out: Float32Array, to: number): void {
  const { blocks, outline } = described
  const { sums, weights, answers } = context
  const own = blocks.table.data[i * blockWidth + block.box]!
  let k = to
  out[k++] = own < 0 ? -1 : context.alike[outline.shapes.of[own]!]!
  out[k++] = own < 0 ? -1 : context.path[outline.paths.of[own]!]!
  const repeated = own < 0 ? -1 : outline.repeated[own]!
  const around = repeated < 0 ? -1 : blocks.boxes.data[repeated * boxWidth + box.parent]!
  out[k++] = meanIn(blocks, context, around)
  const section = outline.section[i]!
  out[k++] = mean(sums, weights, Math.max(0, section), context.sectionEnd[i]!)
  out[k++] = section < 0 ? -1 : answers[section]!
  out[k++] = mean(sums, weights, i + 1, context.sectionEnd[i]!)
  out[k++] = meanIn(blocks, context, outline.byScore)
  out[k++] = meanIn(blocks, context, outline.byShare)
  const copy = outline.copies.previous[i]!
  out[k++] = copy < 0 ? -1 : answers[copy]!
}

/** Returns the mean over the blocks in a box, or -1 without a box. */
function meanIn({ boxes: { data } }: Blocks, { sums, weights }: Context, boxRow: number): number {
  if (boxRow < 0) return -1
  return mean(sums, weights, data[boxRow * boxWidth + box.first]!, data[boxRow * boxWidth + box.end]!)
}
