import { hash } from 'node:crypto'

import { cutMarkdown, linkTo, measures } from '@harvestman/chunks'
import type { TextSpan } from '@harvestman/asking'
import { maxQuote, type Citation } from '../schema/citation.ts'
import { passageAt } from './passage.ts'

/** The version of a page that was read: enough to cite a beginning of its Markdown later. */
export interface CitedVersion {
  readonly url: string
  /** SHA-256 of the whole Markdown. */
  readonly hash: string
  readonly chunks: readonly (TextSpan & { readonly id: string })[]
}

/** A page to cite: a version, and its Markdown or the beginning of it. */
export interface CitablePage {
  readonly version: CitedVersion
  readonly text: string
}

/** Maximum number of characters of a page that are searched for claims. */
export const maxCitedText = 500_000

// The defaults of the format `chunks`.
const cut = { size: 500, overlap: 0, by: 'size', measure: measures.tokens } as const

/** Describes the version of a page, with the chunks of its first `length` characters. Rejects when aborted. */
export async function versionOf(
  {
    url,
    markdown,
    length = maxCitedText,
  }: { readonly url: string; readonly markdown: string; readonly length?: number },
  signal: AbortSignal,
): Promise<CitedVersion> {
  const chunks = await cutMarkdown(markdown, cut, signal)
  return {
    url,
    hash: hashOf(markdown),
    chunks: chunks.flatMap(({ id, start, end }) => (start < length ? [{ id, from: start, to: end }] : [])),
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

/** Cites a range of a page. */
export function citeRange({ version: { url, hash, chunks }, text }: CitablePage, { from, to }: TextSpan): Citation {
  const quote = text.slice(from, to)
  const chunk = chunks.findLast((one) => one.from <= from)?.id ?? ''
  return { url, link: linkTo(url, quote), quote, start: from, end: to, chunk, hash }
}

/** Makes a page that can be cited. Rejects when aborted. */
export async function citablePage(
  page: { readonly url: string; readonly markdown: string; readonly length?: number },
  signal: AbortSignal,
): Promise<CitablePage> {
  return { version: await versionOf(page, signal), text: page.markdown.slice(0, page.length ?? maxCitedText) }
}
