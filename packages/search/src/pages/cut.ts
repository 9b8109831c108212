import { createHash } from 'node:crypto'

import { cutMarkdown, measures } from '@harvestman/chunks'

/** A chunk of a page, as it is stored. */
export interface PageChunk {
  readonly id: string
  readonly headings: readonly string[]
  /** Offsets in the Markdown of the page. */
  readonly start: number
  readonly end: number
  /** Hash of the embedded string. Chunks of several pages can have the same. */
  readonly hash: string
}

// The defaults of the format `chunks`, so that the ids are the same.
const options = { size: 500, overlap: 0, by: 'size', measure: measures.tokens } as const

/**
 * Cuts the Markdown of a page into chunks, with the ids that the format `chunks` gives them by default. Rejects when aborted.
 */
export async function cutPage(markdown: string, signal: AbortSignal): Promise<readonly PageChunk[]> {
  const chunks = await cutMarkdown(markdown, options, signal)
  return chunks.map(({ id, headings, start, end }) => ({
    ...{ id, headings, start, end },
    hash: createHash('sha256')
      .update(embeddedText(headings, markdown.slice(start, end)))
      .digest('hex')
      .slice(0, 32),
  }))
}

/** Returns the string to embed for a chunk: its headings and its Markdown. */
export function embeddedText(headings: readonly string[], text: string): string {
  return `${headings.join(' > ')}\n\n${text.trim()}`.trim()
}
