import type { Block, Bookmark, Face, PageItems, TextBlock } from '../types.ts'
import { heaviest } from './boxes.ts'

/** Appearance of body text in this document. */
export interface Body {
  readonly size: number
  readonly isBold: boolean
}

/**
 * Returns the font size (rounded to half points) and weight of most text, with which headings are compared. The size is 0
 * without text.
 */
export function bodyOf(pages: readonly PageItems[]): Body {
  const items = pages.flatMap((page) => page.items)
  const size = heaviest(items.map((item) => [roundSize(item.size), item.text.length] as const)) ?? 0
  return { size, isBold: heaviest(items.map(({ face, text }) => [face.bold, text.length] as const)) ?? false }
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2
}

/**
 * Returns the blocks with paragraphs that look like headings turned into headings. Their level, 1 to 6, comes from the tags of
 * the file, else from its bookmarks, else from the font, with the same level for the same font on all pages.
 */
export function withHeadings(blocks: readonly Block[], bookmarks: readonly Bookmark[], body: Body): Block[] {
  const depths = new Map(bookmarks.map(({ title, depth }) => [titleKey(title), depth]))
  const candidates = new Map<TextBlock, number | undefined>()
  for (const block of blocks) {
    if (block.kind !== 'text') continue
    const depth = depths.get(titleKey(block.text)) ?? roleDepth(block.role)
    if (isHeading(block, body, depth !== undefined)) candidates.set(block, depth)
  }
  for (const block of namedTooOften(candidates, bookmarks)) candidates.delete(block)
  const levels = levelsOf(candidates)
  const shift = hasOwnTitle(candidates) ? 1 : 0
  return blocks.map((block): Block => {
    if (block.kind !== 'text' || !candidates.has(block)) return block
    const named = candidates.get(block)
    const level = roleDepth(block.role) ?? (named === undefined ? levels.get(styleOf(block)) : named + shift) ?? 6
    return { kind: 'heading', level: Math.min(6, level), runs: block.runs, page: block.page, box: block.box }
  })
}

/**
 * Returns the candidates in excess of the bookmarks with their title, because a table of contents repeats the headings. Of
 * candidates with one title, the largest are headings, and of equally large ones the last.
 */
function namedTooOften(
  candidates: ReadonlyMap<TextBlock, number | undefined>,
  bookmarks: readonly Bookmark[],
): TextBlock[] {
  const counts = Map.groupBy(bookmarks, ({ title }) => titleKey(title))
  const groups = Map.groupBy(candidates.keys(), ({ text }) => titleKey(text))
  return [...groups].flatMap(([key, blocks]) => {
    const wanted = counts.get(key)?.length
    if (wanted === undefined || blocks.length <= wanted) return []
    return blocks
      .toReversed()
      .toSorted((a, b) => rank(b) - rank(a))
      .slice(wanted)
  })
}

/**
 * Returns the letters and digits of a title in lower case, without a chapter number in front, because numbers, dots and case
 * differ between bookmarks and headings.
 */
export function titleKey(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .replace(/^(?:chapter|section|appendix)?\d+(?=\p{L})/u, '')
}

function roleDepth(role: string | undefined): number | undefined {
  if (role === 'Title') return 1
  return role !== undefined && /^H[1-6]$/.test(role) ? Number(role[1]) : undefined
}

const longest = 200

function isHeading({ text, lines, size, face, role }: TextBlock, body: Body, isNamed: boolean): boolean {
  if (text.length > longest || lines > 4 || !/[\p{L}\p{N}]/u.test(text)) return false
  if (roleDepth(role) !== undefined) return true
  // A bookmark may also point to a paragraph of body text, so a heading must look different from it.
  const isLarger = size >= body.size * 1.12
  const isBolder = face.bold && !body.isBold && size >= body.size * 0.96
  if (isNamed) return isLarger || isBolder || lines === 1
  if (!/\p{L}{2}/u.test(text) || /[,;]$/.test(text)) return false
  if (isLarger) return size >= body.size * 1.35 || !/[.:]$/.test(text) || lines === 1
  return isBolder && lines <= 2 && text.length <= 120 && !/[.:!?]$/.test(text)
}

/**
 * Returns whether the largest heading occurs once, on the first page and without a bookmark: it is the title, and chapters are
 * one level below.
 */
function hasOwnTitle(candidates: ReadonlyMap<TextBlock, number | undefined>): boolean {
  const [first, second] = [...candidates.keys()].toSorted((a, b) => rank(b) - rank(a))
  if (!first || !second || rank(first) - rank(second) < 0.3) return false
  return first.page === 1 && candidates.get(first) === undefined
}

interface Style {
  readonly size: number
  readonly face: Face
}

function styleOf({ size, face }: Style): string {
  return `${roundSize(size)} ${face.bold ? 'bold' : ''} ${face.italic ? 'italic' : ''}`
}

/**
 * Returns the level of each heading style: larger is higher, and bold before regular before italic. If most headings of a style
 * have bookmarks, their depth decides.
 */
function levelsOf(candidates: ReadonlyMap<TextBlock, number | undefined>): Map<string, number> {
  const styles = Map.groupBy(candidates.keys(), styleOf)
  const shift = hasOwnTitle(candidates) ? 1 : 0
  const ranked = [...styles].toSorted(([, [a]], [, [b]]) => (a && b ? rank(b) - rank(a) : 0))
  const levels = new Map<string, number>()
  let level = 0
  let size = Infinity
  for (const [style, blocks] of ranked) {
    const [first] = blocks
    if (!first) continue
    // Styles with nearly equal sizes share a level.
    if (rank(first) < size - 0.3 || level === 0) level = Math.min(6, level + 1)
    size = rank(first)
    const known = blocks.map((block) => candidates.get(block)).filter((depth) => depth !== undefined)
    const depth =
      known.length >= Math.max(2, blocks.length * 0.5) ? heaviest(known.map((depth) => [depth, 1] as const)) : undefined
    level = depth === undefined ? level : Math.max(1, Math.min(6, depth + shift))
    levels.set(style, level)
  }
  return levels
}

function rank({ size, face }: Style): number {
  return roundSize(size) + (face.bold ? 0.4 : 0) - (face.italic ? 0.1 : 0)
}
