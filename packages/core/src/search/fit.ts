// One token budget for the Markdown of all results of a search, and results with the same content.
import { createHash } from 'node:crypto'

import type { FittedText } from '@harvestman/chunks'

import type { AnyDocument } from '../scrape/document.ts'

interface Budget {
  readonly maxTokens: number
  /** Number of results with each page, which all have its Markdown. */
  readonly copies: ReadonlyMap<string, number>
  readonly query: string
  readonly signal: AbortSignal
}

type Pages = ReadonlyMap<string, AnyDocument>

/**
 * Fits the Markdown of pages into one token budget. Returns the parts of all pages that match the query best, in the order of
 * each page. Pages without Markdown are not in the result. Rejects when aborted.
 */
export async function fitPages(pages: Pages, budget: Budget): Promise<ReadonlyMap<string, FittedText>> {
  const { fitMarkdown } = await import('@harvestman/chunks')
  const { copies, signal, ...options } = budget
  const texts = [...pages].flatMap(([url, { markdown }]) =>
    typeof markdown === 'string' ? [{ url, markdown, copies: copies.get(url) ?? 1 }] : [],
  )
  const fitted = await fitMarkdown(texts, options, signal)
  return new Map(fitted.map((one, index) => [texts[index]?.url ?? '', one]))
}

// Shorter pages are mostly errors and checks of visitors, which are the same on many hosts.
const minDuplicate = 200

/**
 * Returns the URLs whose page has the same Markdown as an earlier one, except for case and spaces, and the same omitted parts of it.
 * Error pages and pages with less than 200 characters are no duplicates.
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
    const omitted = page.omitted?.flatMap(({ property, chunk }) => (property === 'markdown' ? chunk : [])) ?? []
    const hash = createHash('sha256').update(plain).update(omitted.join()).digest('base64')
    if (seen.has(hash)) duplicates.add(url)
    seen.add(hash)
  }
  return duplicates
}
