import { createHash } from 'node:crypto'
import { hash64 } from '@harvestman/toolbox/hash64'

import { blocksOf, type Block } from './blocks.ts'
import { makePause, type Pause } from './pauses.ts'
import { hasLines, isHtmlTable, partsOf, unitsOf, type Measure, type Unit } from './units.ts'

/** A part of a Markdown document. The chunks of a document, without their overlap, are the document. */
export interface Chunk {
  /** Stays the same while `text` without the overlap does, whatever else changes in the document. */
  readonly id: string
  /** The Markdown, with the overlap at its beginning. */
  readonly text: string
  /** The headings above it, from the first level. */
  readonly headings: readonly string[]
  readonly size: number
  /** Offsets in the Markdown of the document, without the overlap. */
  readonly start: number
  readonly end: number
  /** Number of characters at the beginning of `text` that also belong to the chunk before. */
  readonly overlap: number
  /** Set if the chunk has a part of a table or of code that is larger than a chunk. */
  readonly cut?: 'table' | 'code'
  /** First lines of the table that was cut, if they are not in the chunk. */
  readonly tableHead?: string
}

/** How to cut a document. */
export interface CutOptions {
  /** Maximum size of a chunk, without its overlap. */
  readonly size: number
  /** Maximum size of the overlap. */
  readonly overlap: number
  /** `heading` begins a chunk at every heading; `size` fills chunks, and prefers to cut at headings. */
  readonly by: 'heading' | 'size'
  readonly measure: Measure
}

// Maximum size of the headings that stay with the next block, as a share of a chunk.
const maxLead = 0.5
const maxHeading = 200
const maxTableHead = 2_000

/**
 * Cuts Markdown into chunks. The position of a cut depends only on the blocks near it, so a change moves no cut that is farther
 * away than a few chunks. A chunk ends with a heading only if consecutive headings are larger than half of a chunk, or at the
 * end of the document. Rejects when aborted.
 */
export async function cutMarkdown(
  markdown: string,
  options: CutOptions,
  signal: AbortSignal,
): Promise<readonly Chunk[]> {
  const pause = makePause(signal)
  const units: Unit[] = []
  // Size of the headings directly before a block, for which there must be space in its first chunk.
  let lead = 0
  for (const block of blocksOf(markdown)) {
    let sum = 0
    for (const unit of unitsOf(
      block,
      markdown,
      options.size - Math.min(lead, options.size * maxLead),
      options.measure,
    )) {
      units.push(unit)
      sum += unit.size
      await pause(unit.end - unit.start)
    }
    lead = block.kind === 'heading' ? lead + sum : 0
  }
  const bounds = await boundsOf(units, markdown, options, pause)
  const label = labels()
  const path = headingPath(markdown)
  const chunks: Chunk[] = []
  for (const [index, to] of bounds.slice(1).entries()) {
    const from = bounds[index] ?? 0
    const own = units.slice(from, to)
    const [start, end] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0]
    const before = overlapStart(units, { first: bounds[index - 1] ?? 0, from }, markdown, options)
    const text = markdown.slice(before, end).trimEnd()
    const cut = own.find(({ block, ...unit }) => hasLines(block) && unit.end - unit.start < block.end - block.start)
    chunks.push({
      ...{ id: label(markdown.slice(start, end).trim()), text, headings: path(own) },
      ...{ size: options.measure(text), start, end, overlap: start - before },
      ...(cut && { cut: cut.block.kind === 'table' ? 'table' : 'code', ...tableHead(cut, before, markdown) }),
    })
    await pause(end - before)
  }
  return chunks
}

/** Returns the indexes of the units at which chunks begin, and the number of units. */
async function boundsOf(
  units: readonly Unit[],
  markdown: string,
  options: CutOptions,
  pause: Pause,
): Promise<readonly number[]> {
  const bounds = [0]
  for (let from = 0; from < units.length; bounds.push(from)) {
    const next = nextCut(units, from, markdown, options)
    await pause((units[next - 1]?.end ?? 0) - (units[from]?.start ?? 0))
    from = next
  }
  return units.length === 0 ? [] : bounds
}

/** Returns the index of the unit after the chunk that begins at `from`. */
function nextCut(units: readonly Unit[], from: number, markdown: string, { size, by }: CutOptions): number {
  let best = { index: from, rank: -1 }
  let sum = 0
  let index = from
  for (; index < units.length; index += 1) {
    const rank = index === from ? -1 : rankOf(units, index, markdown)
    const isSection = by === 'heading' && rank >= sectionRank
    if (rank >= best.rank && rank >= 0 && (isSection || sum >= size / 3)) best = { index, rank }
    sum += units[index]?.size ?? 0
    if (isSection || sum > size) break
  }
  if (index === units.length) return index
  if (best.index > from) return best.index
  return beforeHeadings(units, from, index, size) ?? index
}

/** Returns the index of the headings directly before a unit, if they fit into its chunk and are not the whole chunk before. */
function beforeHeadings(units: readonly Unit[], from: number, index: number, size: number): number | undefined {
  let start = index
  let sum = units[index - 1]?.size ?? 0
  for (; start > from && isHeading(units[start - 1]) && sum <= size * maxLead; sum += units[start - 1]?.size ?? 0)
    start -= 1
  return start > from ? start : undefined
}

const isHeading = (unit: Unit | undefined): boolean => unit?.block.kind === 'heading'
const sectionRank = 3
const scratch = { high: 0, low: 0 }

/**
 * Ranks the position before a unit as a cut: 3 to 9 for headings by level, then other blocks, then parts of a block. Positions of
 * the same kind differ by a hash of the unit, so that the choice does not depend on earlier units. -1 after a heading.
 */
function rankOf(units: readonly Unit[], index: number, markdown: string): number {
  const [before, after] = [units[index - 1], units[index]]
  if (!before || !after || isHeading(before)) return -1
  hash64(markdown.slice(after.start, Math.min(after.end, after.start + 200)), scratch)
  const fraction = scratch.high / 2 ** 32
  if (isHeading(after)) return sectionRank + 6 - after.block.level + fraction
  if (before.block !== after.block) return 2 + fraction
  return hasLines(after.block) ? fraction : 1 + fraction
}

/** Returns the offset at which the overlap of a chunk begins: whole units and sentences of the chunk before. None before a heading. */
function overlapStart(
  units: readonly Unit[],
  { first, from }: { readonly first: number; readonly from: number },
  markdown: string,
  { overlap, measure }: CutOptions,
): number {
  let left = overlap
  let start = units[from]?.start ?? 0
  if (isHeading(units[from])) return start
  for (const unit of units.slice(first, from).toReversed()) {
    if (isHeading(unit)) return start
    for (const [at, end] of [...partsOf(unit.block, unit, markdown)].toReversed()) {
      left -= measure(markdown.slice(at, end))
      if (left < 0) return start
      start = at
    }
  }
  return start
}

/** Returns a function that returns an id for a string: its hash, with a number if it repeats. */
function labels(): (text: string) => string {
  const seen = new Map<string, number>()
  return (text) => {
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const count = (seen.get(digest) ?? 0) + 1
    seen.set(digest, count)
    return count === 1 ? digest : `${digest}-${count}`
  }
}

/** Returns a function that returns the headings above each chunk. It must be called for all chunks, in order. */
function headingPath(markdown: string): (own: readonly Unit[]) => readonly string[] {
  let path: { readonly level: number; readonly text: string }[] = []
  const enter = ({ block, start, end }: Unit): void => {
    if (block.kind !== 'heading') return
    const text = markdown
      .slice(start, end)
      .replace(/^\s*#+\s*/, '')
      .trim()
      .slice(0, maxHeading)
    path = [...path.filter(({ level }) => level < block.level), { level: block.level, text }]
  }
  return (own) => {
    const text = own.findIndex(({ block }) => block.kind !== 'heading')
    const lead = text === -1 ? own.length : text
    for (const unit of own.slice(0, lead)) enter(unit)
    const headings = path.map(({ text }) => text)
    for (const unit of own.slice(lead)) enter(unit)
    return headings
  }
}

const headOfLines = /^\s*\|[^\n]*\n\|[-:| ]+\|[ \t]*\n/
// Rows of head cells alone, with the line before the first one.
const headRows = /^\s*(?:<table>\n)?(?:[ \t]*<tr><th[^\n]*<\/th><\/tr>\n)+$/

function tableHead({ block }: Unit, from: number, markdown: string): { readonly tableHead?: string } {
  if (block.kind !== 'table' || block.start >= from) return {}
  const start = markdown.slice(block.start, Math.min(block.end, block.start + maxTableHead))
  const head = isHtmlTable(block, markdown) ? htmlHead(block, start) : headOfLines.exec(start)?.[0]
  return head === undefined ? {} : { tableHead: head.trim() }
}

/** Returns the beginning of an HTML table up to its first row that is not in its head. */
function htmlHead(block: Block, start: string): string {
  let end = 0
  for (const [from, to] of partsOf({ ...block, start: 0 }, { start: 0, end: start.length }, start)) {
    if (!headRows.test(start.slice(from, to))) break
    end = to
  }
  return end === 0 ? '<table>' : start.slice(0, end)
}
