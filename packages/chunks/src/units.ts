// Parts of blocks between which a document can be cut.
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
 * Lines and sentences that are still larger are cut between words.
 */
export function* unitsOf(block: Block, markdown: string, most: number, measure: Measure): Generator<Unit> {
  const unit = (start: number, end: number): Unit => ({
    ...{ block, start, end },
    size: measure(markdown.slice(start, end)),
  })
  const { start, end } = block
  if (end - start <= most * maxCharacters) {
    const whole = unit(start, end)
    if (whole.size <= most) return yield whole
  }
  for (const [from, to] of partsOf(block, block, markdown)) {
    const part = to - from <= most * maxCharacters ? unit(from, to) : undefined
    if (part && part.size <= most) yield part
    else for (const piece of pieces(markdown, from, to, most, measure)) yield unit(...piece)
  }
}

/** Returns whether the lines of a block belong together: it is a table or code. */
export function hasLines({ kind }: Block): boolean {
  return kind === 'table' || kind === 'code'
}

/** Returns the lines or sentences of a range in a block, by the kind of the block. */
export function partsOf(block: Block, range: Span, markdown: string): Iterable<Range> {
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

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

function* sentences(markdown: string, range: Span): Generator<Range> {
  for (const [from, to] of lines(markdown, range))
    for (let at = from; at < to; at += maxSegmented) {
      const part = markdown.slice(at, Math.min(to, at + maxSegmented))
      for (const { index, segment } of segmenter.segment(part)) yield [at + index, at + index + segment.length]
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
