import { decodeEntities } from './entities.ts'

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

/** A picture of a page of a file. */
export interface PageImage {
  readonly pageNumber: number
  readonly url: string
  /** Clockwise rotation in degrees, after which the boxes fit. */
  readonly rotation: number
}

/** A value of the format `json`, and the block that it was found in. */
export interface PlacedValue {
  /** Where the value is in the data, such as `items.0.price`. */
  readonly name: string
  readonly value: string
  readonly quote: string
  readonly page: number
  readonly id: string
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

/** Returns the text of a block. The content of a table is HTML. */
export function plainText({ type, content }: BlockItem): string {
  if (type !== 'table') return content
  return decodeEntities(content.replaceAll(/<[^>]*>/g, ' '))
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

/** The place of a value in a file. */
export interface TextPlace {
  readonly quote?: string | undefined
  readonly page?: number | undefined
  readonly box?: readonly [left: number, top: number, right: number, bottom: number] | undefined
}

/**
 * Returns the page and the block of a quote, or `undefined` if no block has it: on its page and in its box if they are known, else
 * the first block whose text contains it.
 */
export function findQuote(
  pages: readonly PageOfBlocks[],
  { quote = '', page, box }: TextPlace,
): { readonly page: number; readonly id: string } | undefined {
  const wanted = normal(quote)
  const holds = (item: BlockItem): boolean => wanted !== '' && searchedText(item).includes(wanted)
  const known = pages.find(({ pageNumber }) => pageNumber === page)
  const inBox = known?.items.filter(({ bbox }) => bbox && box && isInside(bbox, box)) ?? []
  const item = inBox.find(holds) ?? inBox[0] ?? known?.items.find(holds)
  if (known && item) return { page: known.pageNumber, id: item.id }
  for (const { pageNumber, items } of pages) {
    const found = items.find(holds)
    if (found) return { page: pageNumber, id: found.id }
  }
  return undefined
}

/** Returns whether the middle of a box is inside another one. */
function isInside([left, top, right, bottom]: Box, [outerLeft, outerTop, outerRight, outerBottom]: Box): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x >= outerLeft && x <= outerRight && y >= outerTop && y <= outerBottom
}

type Box = NonNullable<BlockItem['bbox']>

/** Many quotes are searched in the same blocks. */
const searched = new WeakMap<BlockItem, string>()

function searchedText(item: BlockItem): string {
  const text = searched.get(item) ?? normal(plainText(item))
  searched.set(item, text)
  return text
}

function normal(text: string): string {
  return text
    .replaceAll(/[\s*_|\\]+/g, ' ')
    .trim()
    .toLowerCase()
}

const groups: Readonly<Record<string, string>> = {
  ...{ title: 'heading', section_header: 'heading' },
  ...{ text: 'text', list_item: 'text' },
  ...{ table: 'table', figure: 'table' },
  ...{ page_header: 'edge', page_footer: 'edge', page_number: 'edge' },
}

/** Returns the group of a type of block, which decides its color: `heading`, `text`, `table`, `edge` or `other`. */
export function groupOf(type: string): string {
  return groups[type] ?? 'other'
}

/** Returns how many blocks of each type a page has, in the order in which the types first occur. */
export function typesOf({ items }: PageOfBlocks): readonly (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts]
}

/** Returns the style that turns a picture into a page of this size, in hundredths of the page width. */
export function imageStyle(rotation: number, ratio: number): Readonly<Record<string, string>> {
  const isOnSide = Math.round(rotation / 90) % 2 !== 0
  const [width, height] = isOnSide ? [100 * ratio, 100] : [100, 100 * ratio]
  return {
    ...{ width: `${width}cqw`, height: `${height}cqw` },
    transform: `translate(-50%, -50%) rotate(${rotation}deg)`,
  }
}
