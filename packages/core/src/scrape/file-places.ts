// Where passages of the Markdown are in a file that has pages.
import type { FilePlace } from '../plugin/field.ts'
import type { PageBlock, PageBlocks } from './document.ts'
import { withSpans } from './file-pages.ts'

type Span = readonly [start: number, end: number]

/** The blocks of one file. */
export interface LocatedBlocks {
  /** Returns the blocks with their places in the Markdown. Rejects with the reason of the signal. */
  located(markdown: unknown): Promise<readonly PageBlocks[]>
  /**
   * Returns for each passage of the Markdown the pages that it is on, with the box around its blocks. A passage outside all blocks
   * has no page. Rejects with the reason of the signal.
   */
  placesOf(markdown: string, passages: readonly Span[]): Promise<readonly (readonly FilePlace[])[]>
}

/** Locates blocks when their places are first needed, once for each Markdown. */
export function locateBlocks(blocks: readonly PageBlocks[], signal: AbortSignal): LocatedBlocks {
  let last: { readonly markdown: unknown; readonly pages: Promise<readonly PageBlocks[]> } | undefined
  const located = (markdown: unknown): Promise<readonly PageBlocks[]> => {
    if (last && last.markdown === markdown) return last.pages
    const pages = withSpans(blocks, markdown, signal)
    last = { markdown, pages }
    return pages
  }
  return {
    located,
    placesOf: async (markdown, passages) => {
      const spans = (await located(markdown)).flatMap(({ pageNumber, items }) =>
        items.flatMap(({ markdownSpan, bbox }): PlacedSpan[] =>
          markdownSpan ? [{ start: markdownSpan[0], end: markdownSpan[1], page: pageNumber, box: bbox }] : [],
        ),
      )
      return passages.map((passage) => placesIn(spans, passage))
    },
  }
}

interface PlacedSpan {
  readonly start: number
  readonly end: number
  readonly page: number
  readonly box: PageBlock['bbox']
}

/** `spans` are in the order of the Markdown, and do not overlap. */
function placesIn(spans: readonly PlacedSpan[], [from, to]: Span): FilePlace[] {
  const places = new Map<number, FilePlace>()
  for (let at = firstAfter(spans, from); at < spans.length; at += 1) {
    const span = spans[at]
    if (!span || span.start >= to) break
    const box = around(places.get(span.page)?.box, span.box)
    places.set(span.page, { page: span.page, ...(box && { box }) })
  }
  return [...places.values()]
}

function firstAfter(spans: readonly PlacedSpan[], position: number): number {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? Infinity) > position) high = middle
    else low = middle + 1
  }
  return low
}

function around(one: FilePlace['box'], other: PageBlock['bbox']): FilePlace['box'] {
  if (!one || !other) return one ?? other ?? undefined
  return [
    Math.min(one[0], other[0]),
    Math.min(one[1], other[1]),
    Math.max(one[2], other[2]),
    Math.max(one[3], other[3]),
  ]
}
