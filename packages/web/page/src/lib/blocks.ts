/** A page of a file with its blocks, as the option `blocks` of a parser returns them. */
export interface PageOfBlocks {
  readonly pageNumber: number
  readonly width?: number | null
  readonly height?: number | null
  readonly status?: string
  readonly items: readonly BlockItem[]
}

export interface BlockItem {
  readonly id: string
  readonly type: string
  readonly label?: string | null
  readonly bbox?: readonly [left: number, top: number, right: number, bottom: number] | null
  readonly content: string
  readonly markdownSpan?: readonly [start: number, end: number] | null
}

/** A part of the Markdown, and the block that it was written from. */
export interface MarkdownPart {
  readonly text: string
  readonly id?: string
}

/** The Markdown of a page, and whether its end is omitted. */
export interface MarkdownParts {
  readonly parts: readonly MarkdownPart[]
  readonly isCut: boolean
}

/** Maximum number of characters of Markdown that are shown for a page. */
export const maxText = 100_000

/** Returns the Markdown of a page in parts, one for each of its blocks and one for what is between them, up to the limit. */
export function markdownParts(markdown: string, { items }: PageOfBlocks): MarkdownParts {
  const spans = items
    .flatMap(({ id, markdownSpan }) => (markdownSpan ? [{ id, start: markdownSpan[0], end: markdownSpan[1] }] : []))
    .toSorted((a, b) => a.start - b.start)
  const parts: MarkdownPart[] = []
  let at = spans[0]?.start ?? 0
  const last = at + maxText
  for (const { id, start, end } of spans) {
    if (start < at) continue
    if (start > at) parts.push({ text: markdown.slice(at, Math.min(start, last)) })
    if (start < last) parts.push({ text: markdown.slice(start, Math.min(end, last)), id })
    if (end > last) return { parts, isCut: true }
    at = end
  }
  return { parts, isCut: false }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Returns the text of a block. The content of a table is HTML. */
export function plainText({ type, content }: BlockItem): string {
  if (type !== 'table') return content
  return content
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const largest = 4

/**
 * Returns a font size at which a text about fills its box, in hundredths of the page width. `ratio` is the height of the page
 * divided by its width.
 */
export function fontSize(text: string, [left, top, right, bottom]: readonly number[], ratio: number): number {
  const [width, height] = [((right ?? 0) - (left ?? 0)) * 100, ((bottom ?? 0) - (top ?? 0)) * 100 * ratio]
  // A character is about half as wide as it is high, and a line a fifth higher.
  const fitting = Math.sqrt((width * height * 0.9) / (0.6 * Math.max(1, text.length)))
  return Math.max(0.5, Math.min(largest, height / 1.2, fitting))
}

/** Returns the page and the block whose text contains a quote, or `undefined` if none does. */
export function findQuote(
  pages: readonly PageOfBlocks[],
  quote: string,
): { readonly page: number; readonly id: string } | undefined {
  const wanted = normal(quote)
  if (wanted === '') return undefined
  for (const { pageNumber, items } of pages)
    for (const item of items) if (normal(plainText(item)).includes(wanted)) return { page: pageNumber, id: item.id }
  return undefined
}

function normal(text: string): string {
  return text
    .replaceAll(/[\s*_|\\]+/g, ' ')
    .trim()
    .toLowerCase()
}
