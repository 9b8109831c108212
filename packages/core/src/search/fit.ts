// One token budget for the Markdown of all results of a search, and results with the same content.
import { createHash } from 'node:crypto'

import type { AnyDocument } from '../scrape/document.ts'
import { joinChunks, withEdges, type EdgedChunk } from './part-edges.ts'

/** A part of a page that did not fit into the token budget. */
export interface OmittedPart {
  /** The id of the chunk. The format `chunks` returns the same by default. */
  readonly chunk: string
  readonly headings: readonly string[]
  readonly tokens: number
  /** Offsets in the Markdown of the page. */
  readonly start: number
  readonly end: number
}

/** The Markdown of a page within the budget, and the other parts, if there are any. */
export interface FittedPage {
  readonly markdown: string
  readonly omitted: readonly OmittedPart[]
}

interface Budget {
  readonly maxTokens: number
  /** Number of results with each page, which all have its Markdown. */
  readonly copies: ReadonlyMap<string, number>
  readonly query: string
  readonly signal: AbortSignal
}

type Pages = ReadonlyMap<string, AnyDocument>

// The default of the format `chunks`, so that the ids are the same.
const chunkSize = 500

/**
 * Fits the Markdown of pages into one token budget. Returns the chunks of all pages that match the query best, in the order of
 * each page. Pages without Markdown are not in the result. Rejects when aborted.
 */
export async function fitPages(pages: Pages, budget: Budget): Promise<ReadonlyMap<string, FittedPage>> {
  const { choose, cutMarkdown, measures } = await import('@harvestman/chunks')
  const { maxTokens, copies, query, signal } = budget
  const all: (EdgedChunk & { readonly url: string; readonly tokens: number })[] = []
  const texts = new Map<string, string>()
  for (const [url, { markdown }] of pages) {
    if (typeof markdown !== 'string') continue
    texts.set(url, markdown)
    const options = { size: chunkSize, overlap: 0, by: 'size', measure: measures.tokens } as const
    const count = copies.get(url) ?? 1
    for (const chunk of await withEdges(await cutMarkdown(markdown, options, signal), markdown)) {
      const tokens = chunk.size
      const size = (tokens + measures.tokens(chunk.before) + measures.tokens(chunk.after)) * count
      all.push({ ...chunk, url, tokens, size })
    }
  }
  const chosen = new Set(await choose(all, { budget: maxTokens, query }, signal))
  return new Map(
    [...texts].map(([url, markdown]) => {
      const own = all.filter((chunk) => chunk.url === url)
      const left = own.filter((chunk) => !chosen.has(chunk))
      if (left.length === 0) return [url, { markdown, omitted: [] }]
      const omitted = left.map(({ id, headings, tokens, start, end }) => ({
        ...{ chunk: id, headings, tokens, start, end },
      }))
      const shown = own.filter((chunk) => chosen.has(chunk))
      return [url, { markdown: joinChunks(shown, markdown), omitted }]
    }),
  )
}

// Shorter pages are mostly errors and checks of visitors, which are the same on many hosts.
const minDuplicate = 200

/**
 * Returns the URLs whose page has the same Markdown as an earlier one, except for case and spaces. Error pages and pages with less
 * than 200 characters are no duplicates.
 */
export async function duplicatesIn(
  urls: readonly string[],
  pages: Pages,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { makePause } = await import('@harvestman/chunks')
  const pause = makePause(signal)
  const seen = new Set<string>()
  const duplicates = new Set<string>()
  for (const url of urls) {
    const page = pages.get(url)
    const markdown = page?.['markdown']
    if (!page || typeof markdown !== 'string' || page.metadata.statusCode >= 400) continue
    const plain = markdown.toLowerCase().replaceAll(/\s+/g, ' ').trim()
    await pause(markdown.length)
    if (plain.length < minDuplicate) continue
    const hash = createHash('sha256').update(plain).digest('base64')
    if (seen.has(hash)) duplicates.add(url)
    seen.add(hash)
  }
  return duplicates
}
