// Parts of blocks between which a document can be cut.
import { sentenceDivider } from '@harvestman/toolbox/sentences'
import { estimateTokens } from '@harvestman/toolbox/tokens'

import type { Block } from './blocks.ts'

/** A part of a document that is never cut. */
export interface Unit {
  readonly block: Block
  readonly start: number
  readonly end: number
  readonly size: number
}

/** Returns the size of a string, in tokens or characters. */
export type Measure = (text: string) => number

/** The sizes that chunks can be measured in. */
export const measures = {
  tokens: estimateTokens,
  characters: (text: string): number => text.length,
} as const satisfies Record<string, Measure>

// A string of more characters than this for each unit of size is too large, whatever it contains.
const maxCharacters = 4

// Maximum number of characters that are segmented at once, because the segmenter needs more than linear time.
const maxSegmented = 4_000

/**
 * Yields the units of a block: the block itself if it is at most `most` large, otherwise its lines (tables and code) or sentences.
 * Rows of an HTML table with a common cell are one unit if they are not larger. Lines and sentences that are larger are cut
 * between words.
 */
export function* unitsOf(block: Block, markdown: string, most: number, measure: Measure): Generator<Unit> {
  const unit = (start: number, end: number): Unit => ({
    ...{ block, start, end },
    size: measure(markdown.slice(start, end)),
  })
  const whole = (start: number, end: number): Unit | undefined => {
    const part = end - start <= most * maxCharacters ? unit(start, end) : undefined
    return part && part.size <= most ? part : undefined
  }
  const fitting = whole(block.start, block.end)
  if (fitting) return yield fitting
  for (const [start, end] of partsOf(block, block, markdown)) {
    const part = whole(start, end)
    if (part) yield part
    else
      for (const [from, to] of lines(markdown, { start, end })) {
        const line = whole(from, to)
        if (line) yield line
        else for (const piece of pieces(markdown, from, to, most, measure)) yield unit(...piece)
      }
  }
}

/** Returns whether the lines of a block belong together: it is a table or code. */
export function hasLines({ kind }: Block): boolean {
  return kind === 'table' || kind === 'code'
}

const htmlTable = /\s*<table\b/iy

/** Returns whether a block is a table that is written as HTML. */
export function isHtmlTable({ kind, start }: Block, markdown: string): boolean {
  htmlTable.lastIndex = start
  return kind === 'table' && htmlTable.test(markdown)
}

/**
 * Returns the parts of a range in a block, by the kind of the block: lines or sentences, and for HTML tables rows, together if a
 * cell spans them.
 */
export function partsOf(block: Block, range: Span, markdown: string): Iterable<Range> {
  if (isHtmlTable(block, markdown)) return htmlRows(markdown, range)
  return hasLines(block) ? lines(markdown, range) : sentences(markdown, range)
}

type Span = Pick<Block, 'start' | 'end'>
type Range = readonly [start: number, end: number]

function* lines(markdown: string, { start, end }: Span): Generator<Range> {
  for (let at = start; at < end;) {
    const next = markdown.indexOf('\n', at)
    const to = next === -1 || next + 1 > end ? end : next + 1
    yield [at, to]
    at = to
  }
}

const beforeRow = /[ \t]*<tr\b/iy

/** Yields rows, the first and last one with the lines before and after it. */
function* htmlRows(markdown: string, range: Span): Generator<Range> {
  let start = range.start
  // Rows that the cells of the rows before reach into.
  let spanned = 0
  let hasRow = false
  for (const [from, to] of lines(markdown, range)) {
    beforeRow.lastIndex = from
    if (beforeRow.test(markdown)) {
      spanned = Math.max(spanned - 1, rowsBelow(markdown.slice(from, to)))
      hasRow = true
    }
    beforeRow.lastIndex = to
    if (!hasRow || spanned > 0 || !beforeRow.test(markdown)) continue
    yield [start, to]
    start = to
    hasRow = false
  }
  if (start < range.end) yield [start, range.end]
}

/** Returns how many more rows the highest cell of a row spans. */
function rowsBelow(row: string): number {
  let most = 1
  for (const [, rows] of row.matchAll(/ rowspan="(\d{1,6})"/g)) most = Math.max(most, Number(rows))
  return most - 1
}

const sentencesOf = sentenceDivider()

function* sentences(markdown: string, range: Span): Generator<Range> {
  for (const [from, to] of lines(markdown, range))
    for (let at = from; at < to; at += maxSegmented) {
      const part = markdown.slice(at, Math.min(to, at + maxSegmented))
      for (const { index, segment } of sentencesOf(part)) yield [at + index, at + index + segment.length]
    }
}

/** Cuts a range after the last space that fits, otherwise between two characters. */
function* pieces(markdown: string, start: number, end: number, most: number, measure: Measure): Generator<Range> {
  for (let at = start; at < end;) {
    let length = Math.min(end - at, Math.ceil(most * maxCharacters))
    while (length > 1 && measure(markdown.slice(at, at + length)) > most) length = Math.floor(length * 0.8)
    const to = at + length
    const space = to < end ? markdown.slice(at, to).lastIndexOf(' ') : -1
    let cut = space > 0 ? at + space + 1 : to
    if (cut - at > 1 && /[\uDC00-\uDFFF]/.test(markdown.charAt(cut))) cut -= 1
    yield [at, cut]
    at = cut
  }
}
