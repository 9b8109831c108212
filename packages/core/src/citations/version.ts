import { hash } from 'node:crypto'

import { cutMarkdown, linkTo, measures } from '@harvestman/chunks'
import type { TextSpan } from '@harvestman/asking'
import { maxQuote, type Citation } from '../schema/citation.ts'
import type { PlacedBlock } from '../schema/file-place.ts'
import { passageAt } from './passage.ts'
import { placesOf } from './places.ts'

/** The version of a page that was read: enough to cite a beginning of its Markdown later. */
export interface CitedVersion {
  readonly url: string
  /** SHA-256 of the whole Markdown. */
  readonly hash: string
  readonly chunks: readonly (TextSpan & { readonly id: string })[]
  /** The first blocks of a file that has pages, at most 10,000. Absent for other pages. */
  readonly blocks?: readonly PlacedBlock[]
}

/** A page to cite: a version, and its Markdown or the beginning of it. */
export interface CitablePage {
  readonly version: CitedVersion
  readonly text: string
}

/** Markdown of a page to cite. */
export interface CitedMarkdown {
  readonly url: string
  readonly markdown: string
  /** Number of characters that are searched for claims. Default: 500,000. */
  readonly length?: number
  /** The blocks of a file that has pages, in the order of the Markdown. */
  readonly blocks?: readonly PlacedBlock[] | undefined
}

/** Maximum number of characters of a page that are searched for claims. */
export const maxCitedText = 500_000
// The version of a page may be stored.
const maxBlocks = 10_000

// The defaults of the format `chunks`.
const cut = { size: 500, overlap: 0, by: 'size', measure: measures.tokens } as const

/** Describes the version of a page, with the chunks and blocks of its first `length` characters. Rejects when aborted. */
export async function versionOf(
  { url, markdown, length = maxCitedText, blocks = [] }: CitedMarkdown,
  signal: AbortSignal,
): Promise<CitedVersion> {
  const chunks = await cutMarkdown(markdown, cut, signal)
  return {
    url,
    hash: hashOf(markdown),
    chunks: chunks.flatMap(({ id, start, end }) => (start < length ? [{ id, from: start, to: end }] : [])),
    ...(blocks.length > 0 && { blocks: blocks.filter(({ start }) => start < length).slice(0, maxBlocks) }),
  }
}

/** Returns the hash that citations of this Markdown have. */
export function hashOf(markdown: string): string {
  return hash('sha256', markdown, 'hex')
}

/** Cites a range of a page, extended to its sentence, with at most 4,000 characters. */
export function citeSpan(page: CitablePage, span: TextSpan): Citation {
  const { from, to } = passageAt(page.text, span)
  return citeRange(page, { from, to: Math.min(to, from + maxQuote) })
}

/** Cites a range of a page, with its places in a file whose blocks are known. */
export function citeRange({ version, text }: CitablePage, { from, to }: TextSpan): Citation {
  const { url, hash, chunks, blocks = [] } = version
  const quote = text.slice(from, to)
  const chunk = chunks.findLast((one) => one.from <= from)?.id ?? ''
  const places = placesOf(blocks, [from, to]).map(({ page, box }) => ({ page, ...(box && { box: [...box] }) }))
  return {
    ...{ url, link: linkTo(url, quote), quote, start: from, end: to, chunk, hash },
    ...(places.length > 0 && { places }),
  }
}

/** Makes a page that can be cited. Rejects when aborted. */
export async function citablePage(page: CitedMarkdown, signal: AbortSignal): Promise<CitablePage> {
  return { version: await versionOf(page, signal), text: page.markdown.slice(0, page.length ?? maxCitedText) }
}
