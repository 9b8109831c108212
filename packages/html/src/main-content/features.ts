// Computes a row of features for each block of a page. `feature-names.ts` lists the columns.
import type { Element } from '../tree/tree.ts'
import { block, blockWidth, box, boxWidth, isParagraph, type Blocks } from './block-table.ts'
import { cutBlocks } from './blocks.ts'
import { makeNameReader, type NameReader } from './class-words.ts'
import type { Described } from './described.ts'
import { evidenceOf, evidenceWidth } from './evidence.ts'
import { levels } from './feature-names.ts'
import type { Lexicon } from './lexicon.ts'
import { outlineOf, type Outline } from './outline.ts'
import { outsideOf } from './outside.ts'
import { factsOf, noLinkedData, readHead, readLinkedData } from './page-facts.ts'
import { writeCopies, writeNeighbours, writeRepeated, writeTitles } from './surroundings.ts'
import {
  endsClause,
  endsSentence,
  filterOf,
  isCapital,
  isDigit,
  makeLookup,
  textFamilyNames,
  type HashFilter,
} from './text-scan.ts'

/**
 * The lexicon in use. Training passes a different one for each page, so that a page is not described by words learned
 * from it.
 */
export interface Reading {
  readonly words: ReadonlyMap<number, number>
  readonly knownWords: HashFilter
  readonly read: NameReader
}

/** Prepares a lexicon for reading pages. The result can be reused and caches class names. */
export function readingOf(lexicon: Lexicon): Reading {
  return { words: lexicon.words, knownWords: filterOf(lexicon.words.keys()), read: makeNameReader(lexicon) }
}

/** Divides a page into blocks and computes what their features need. Used before the model judges the blocks. */
export function describe(root: Element, url: string, reading: Reading): Described {
  const head = readHead(root)
  const blocks = cutBlocks(root, makeLookup(head.title, reading.words, reading.knownWords), reading.read)
  const scripts = [...head.dataScripts, ...blocks.dataScripts]
  const data = scripts.length > 0 ? readLinkedData(scripts) : noLinkedData
  const outline = outlineOf(blocks)
  const page = Float32Array.from([...pageNumbers(blocks, outline), ...factsOf(head, data, url)])
  return {
    blocks,
    outline,
    head,
    data,
    evidence: evidenceOf(blocks, head, data),
    outside: outsideOf(blocks),
    url,
    page,
  }
}

function pageNumbers(blocks: Blocks, outline: Outline): number[] {
  const { table, total, count } = blocks
  const tags = new Map<string, number>()
  for (const element of blocks.elements) tags.set(element.name, (tags.get(element.name) ?? 0) + 1)
  const tally = { prices: 0, headings: 0, longest: 0, quotes: 0, dates: 0 }
  const timeColumn = block.families + textFamilyNames.indexOf('time')
  for (let i = 0, at = 0; i < count; i++, at += blockWidth) {
    const words = table.data[at + block.words]!
    if (table.data[at + block.money]! > 0) tally.prices++
    if (table.data[at + block.heading]! > 0) tally.headings++
    if (table.data[at + block.quotes]! > 1) tally.quotes++
    if (words < 12 && table.data[at + timeColumn]! > 0 && table.data[at + block.digits]! > 0) tally.dates++
    if (isParagraph(words, table.data[at + block.linkWords]!)) tally.longest = Math.max(tally.longest, words)
  }
  const many = Math.max(1, count)
  return [
    Math.log1p(total.words),
    total.linkWords / Math.max(1, total.words),
    total.paragraphs,
    total.paragraphs / many,
    Math.log1p(count),
    Math.min(20, tags.get('article') ?? 0),
    outline.mainWords / Math.max(1, total.words),
    Math.min(10, tags.get('form') ?? 0),
    tally.prices / many,
    tally.headings / many,
    (tags.get('li') ?? 0) / many,
    Math.min(20, tags.get('table') ?? 0),
    Math.log1p(total.images),
    blocks.noscript ? 1 : 0,
    tally.longest,
    tally.quotes / many,
    tally.dates / many,
  ]
}

/** Writes the features of block `i` to `out`, in the order of `featureNames`, starting at `to`. */
export function writeRow(described: Described, i: number, out: Float32Array, to: number): void {
  let at = writeOwn(described, i, out, to)
  at = writePlace(described, i, out, at)
  at = writeLevels(described, i, out, at)
  at = writeRoot(described, described.outline.byScore, i, out, at)
  at = writeRoot(described, described.outline.byShare, i, out, at)
  at = writeRepeated(described, i, out, at)
  at = writeNeighbours(described, i, out, at)
  at = writeTitles(described, i, out, at)
  const { near } = described.blocks
  const nearAt = i * near.width
  for (let k = 0; k < near.width; k++) out[at++] = near.data[nearAt + k]!
  out.set(described.page, at)
}

function writeOwn(described: Described, i: number, out: Float32Array, to: number): number {
  const { blocks, head, evidence } = described
  const t = blocks.table.data
  const at = i * blockWidth
  const words = t[at + block.words]!
  const chars = Math.max(1, t[at + block.chars]!)
  const some = Math.max(1, words)
  let k = to
  out[k++] = Math.log1p(words)
  out[k++] = Math.log1p(chars)
  out[k++] = chars / some
  out[k++] = t[at + block.linkChars]! / chars
  out[k++] = t[at + block.links]!
  out[k++] = t[at + block.punctuation]! / chars
  out[k++] = t[at + block.digits]! / chars
  out[k++] = t[at + block.capitals]! / chars
  const last = t[at + block.last]!
  const first = t[at + block.first]!
  out[k++] = endsClause(last) ? 1 : 0
  out[k++] = endsSentence(last) ? 1 : 0
  out[k++] = isCapital(first) ? 1 : 0
  out[k++] = isDigit(first) ? 1 : 0
  out[k++] = t[at + block.money]!
  out[k++] = t[at + block.symbols]!
  out[k++] = t[at + block.strongChars]! / chars
  out[k++] = t[at + block.commas]! / some
  out[k++] = t[at + block.stops]!
  out[k++] = t[at + block.quotes]!
  out[k++] = t[at + block.ideographs]! / chars
  out[k++] = t[at + block.longest]!
  k = writeCopies(described, i, out, k)
  out[k++] = t[at + block.pre]!
  out[k++] = t[at + block.breaks]!
  const hits = words < 40 ? t[at + block.titleHits]! : 0
  out[k++] = hits / some
  out[k++] = hits / Math.max(1, head.title.size)
  for (let e = 0; e < evidenceWidth; e++) out[k++] = evidence[i * evidenceWidth + e]!
  for (let c = block.wordScore; c <= block.nameSum; c++) out[k++] = t[at + c]!
  for (let f = 0; f < textFamilyNames.length; f++) out[k++] = t[at + block.families + f]! / Math.min(some, 60)
  return k
}

function writePlace({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const t = blocks.table.data
  const b = blocks.boxes.data
  const at = i * blockWidth
  const own = t[at + block.box]! * boxWidth
  let k = to
  out[k++] = i / blocks.count
  out[k++] = outline.wordsBefore[i]! / Math.max(1, blocks.total.words)
  out[k++] = Math.log1p(i)
  out[k++] = Math.log1p(blocks.count - i)
  out[k++] = t[at + block.depth]!
  out[k++] = t[at + block.lists]!
  out[k++] = t[at + block.heading]!
  out[k++] = t[at + block.tag]!
  out[k++] = own >= 0 ? b[own + box.order]! : -1
  const parent = own >= 0 ? b[own + box.parent]! : -1
  out[k++] = parent >= 0 ? b[parent * boxWidth + box.kids]! : 0
  out[k++] = own >= 0 ? b[own + box.tag]! : -1
  out[k++] = outline.headline >= 0 ? Math.max(-200, Math.min(200, i - outline.headline)) : -999
  out[k++] = outline.headline >= 0 ? (i > outline.headline ? 1 : i === outline.headline ? 0 : -1) : -2
  const images = t[at + block.images]!
  out[k++] = images - (i > 0 ? t[at - blockWidth + block.images]! : 0)
  return writeSection(blocks, outline.section[i]!, i, out, k)
}

const relatedColumn = block.families + textFamilyNames.indexOf('related')
const commentColumn = block.families + textFamilyNames.indexOf('comment')
const otherColumns = ['consent', 'account', 'share', 'more', 'menu', 'ad', 'tagged'].map(
  (name) => block.families + textFamilyNames.indexOf(name),
)

function writeSection(blocks: Blocks, section: number, i: number, out: Float32Array, to: number): number {
  const t = blocks.table.data
  let k = to
  if (section < 0) {
    out.fill(-1, k, k + 7)
    return k + 7
  }
  const at = section * blockWidth
  const words = Math.max(1, t[at + block.words]!)
  const headingBox = t[at + block.box]! * boxWidth
  const around = headingBox >= 0 ? blocks.boxes.data[headingBox + box.parent]! : -1
  out[k++] = Math.min(200, i - section)
  out[k++] = t[at + block.heading]!
  out[k++] = words
  out[k++] = around >= 0 && i < blocks.boxes.data[around * boxWidth + box.end]! ? 1 : 0
  out[k++] = t[at + relatedColumn]! / words
  out[k++] = t[at + commentColumn]! / words
  let other = 0
  for (const column of otherColumns) other += t[at + column]!
  out[k++] = other / words
  return k
}

function writeLevels({ blocks, outline }: Described, i: number, out: Float32Array, to: number): number {
  const b = blocks.boxes.data
  let k = to
  let current = blocks.table.data[i * blockWidth + block.box]!
  for (let level = 0; level < levels; level++) {
    if (current < 0) {
      out.fill(-1, k, k + 6)
      k += 6
      continue
    }
    const at = current * boxWidth
    const words = b[at + box.words]!
    out[k++] = Math.log1p(words)
    out[k++] = b[at + box.linkWords]! / Math.max(1, words)
    out[k++] = words / Math.max(1, blocks.total.words)
    out[k++] = b[at + box.paragraphs]! / Math.max(1, b[at + box.end]! - b[at + box.first]!)
    out[k++] = outline.alike[current]!
    out[k++] = b[at + box.images]!
    current = outline.larger[current]!
  }
  return k
}

function writeRoot({ blocks }: Described, root: number, i: number, out: Float32Array, to: number): number {
  let k = to
  if (root < 0) {
    out.fill(-2, k, k + 5)
    return k + 5
  }
  const b = blocks.boxes.data
  const at = root * boxWidth
  const first = b[at + box.first]!
  const end = b[at + box.end]!
  out[k++] = i >= first && i < end ? 1 : 0
  out[k++] = i < first ? i - first : i >= end ? i - end + 1 : (i - first) / Math.max(1, end - first)
  out[k++] = b[at + box.words]! / Math.max(1, blocks.total.words)
  out[k++] = b[at + box.linkWords]! / Math.max(1, b[at + box.words]!)
  out[k++] = blocks.table.data[i * blockWidth + block.depth]! - b[at + box.depth]!
  return k
}
