// Where the blocks of a file that has pages are in the Markdown.
import type { PlacedBlock } from '../schema/file-place.ts'
import type { PageBlocks } from './document.ts'
import { withSpans } from './file-pages.ts'

/** The blocks of one file. */
export interface LocatedBlocks {
  /** Returns the blocks with their places in the Markdown. Rejects with the reason of the signal. */
  located(markdown: unknown): Promise<readonly PageBlocks[]>
  /** Returns the blocks that are in the Markdown, in its order. Rejects with the reason of the signal. */
  placed(markdown: unknown): Promise<readonly PlacedBlock[]>
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
    placed: async (markdown) =>
      (await located(markdown)).flatMap(({ pageNumber: page, items }) =>
        items.flatMap(({ markdownSpan, bbox }): PlacedBlock[] => {
          if (!markdownSpan) return []
          const [start, end] = markdownSpan
          return [{ start, end, page, ...(bbox && { box: bbox }) }]
        }),
      ),
  }
}
