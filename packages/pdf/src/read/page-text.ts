import type { Matrix } from './rules.ts'

/** A text run, or a mark of the structure, as the library returns it. */
export interface LibraryText {
  readonly str?: string
  readonly width: number
  readonly transform: Matrix
  readonly fontName: string
  readonly type?: string
  readonly id?: string
  readonly tag?: string
}

/** The text of a page. */
export interface PageText {
  readonly items: readonly LibraryText[]
  /** Whether the page has more than the limits. */
  readonly isCut: boolean
  readonly hasMarks: boolean
}

/** A page of the library that streams its text. */
export interface TextPage {
  streamTextContent(options: { readonly includeMarkedContent: boolean }): ReadableStream
}

// Real pages have far fewer.
const defaultLimits = { items: 60_000, characters: 1_000_000 }

/**
 * Reads the text of a page up to the limits. The result does not depend on the sizes of the chunks, which the library chooses by
 * the time that has passed.
 */
export async function readText(page: TextPage, limits = defaultLimits): Promise<PageText> {
  const items: LibraryText[] = []
  let characters = 0
  let isCut = false
  const reader = page.streamTextContent({ includeMarkedContent: true }).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const item of (next.value as { readonly items: readonly LibraryText[] }).items) {
      isCut = items.length >= limits.items || characters >= limits.characters
      if (isCut) break
      items.push(item)
      characters += item.str?.length ?? 0
    }
    if (isCut) break
  }
  if (isCut) await reader.cancel(new Error('Enough was read of this page.')).catch(() => undefined)
  return { items, isCut, hasMarks: items.some(({ type }) => type === 'beginMarkedContentProps') }
}
