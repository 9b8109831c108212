import type { Block, Box, FileFacts, Line, PageItems, TextBlock, TextItem } from '../types.ts'
import { blocksOf, type RegionContext } from './blocks.ts'
import { boundingBox } from './boxes.ts'
import { regionsOf, type Gutters } from './columns.ts'
import { joinTables } from './continued.ts'
import { withoutFurniture } from './furniture.ts'
import { bodyOf, titleKey, withHeadings } from './headings.ts'
import { joinRuns, wordsOf, type Words } from './join.ts'
import { isRightToLeft, textOf, toLine } from './lines.ts'
import { takeLined } from './lined.ts'
import { takeRuled } from './ruled.ts'
import { zonesOf } from './zones.ts'
import { rowsOf, type PageRow } from './rows.ts'

/**
 * Converts the text runs of all pages to the blocks of one document, without running titles, page numbers and the steps of
 * animated slides. Rotated text comes after the other text of its page.
 */
export function layOut(pages: readonly PageItems[], { bookmarks }: Pick<FileFacts, 'bookmarks'>): Block[] {
  const clean = withoutFurniture(withoutSteps(withTrustedMarks(pages)))
  const body = bodyOf(clean)
  const { blocks, words } = blocksOfPages(clean, bookmarks)
  return withHeadings(joinAcross(joinTables(blocks.flat(), words), words), bookmarks, body)
}

/** The blocks of one page, and the text at its edges that is not part of them: running titles and page numbers. */
export interface PageLayout {
  readonly page: PageItems
  readonly blocks: readonly Block[]
  readonly edges: readonly Line[]
}

/**
 * Converts the text runs of all pages to blocks by page. Differs from `layOut` in that no paragraph goes on on the next page, and
 * that the steps of animated slides are not left out.
 */
export function layOutPages(pages: readonly PageItems[], { bookmarks }: Pick<FileFacts, 'bookmarks'>): PageLayout[] {
  const marked = withTrustedMarks(pages)
  const clean = withoutFurniture(marked)
  const { blocks, words } = blocksOfPages(clean, bookmarks)
  const joined = blocks.flatMap((ofPage) => joinAcross(ofPage, words))
  const byPage = Map.groupBy(withHeadings(joined, bookmarks, bodyOf(clean)), ({ page }) => page)
  return marked.map((page, index) => ({
    page,
    blocks: byPage.get(page.number) ?? [],
    edges: edgesOf(page, new Set(clean[index]?.items)),
  }))
}

function edgesOf({ items, height }: PageItems, kept: ReadonlySet<TextItem>): Line[] {
  const rest = items.filter((item) => item.angle === 0 && !kept.has(item))
  return rowsOf(rest, zonesOf([], height)).map(toLine)
}

function blocksOfPages(
  clean: readonly PageItems[],
  bookmarks: FileFacts['bookmarks'],
): { readonly blocks: readonly Block[][]; readonly words: Words } {
  const words = wordsOf(clean.flatMap(({ items }) => items.map(({ text }) => text)))
  const isMono = isMostlyMono(clean)
  const titles = new Set(bookmarks.map(({ title }) => titleKey(title)))
  titles.delete('')
  const gutters: Gutters = new Map()
  return { blocks: clean.map((page) => pageBlocks(page, { words, isMono, titles }, gutters)), words }
}

/** Ignores decoration marks (`Artifact`) if they cover most of a document: some applications mark everything. */
function withTrustedMarks(pages: readonly PageItems[]): readonly PageItems[] {
  let [marked, all] = [0, 0]
  for (const { items } of pages) {
    for (const { role, text } of items) {
      all += text.length
      if (role === 'Artifact') marked += text.length
    }
  }
  if (marked <= all * 0.4) return pages
  return pages.map((page) => ({
    ...page,
    items: page.items.map(({ role, ...item }) => (role === 'Artifact' || !role ? item : { ...item, role })),
  }))
}

/**
 * Drops the steps of animated slides, each of which is a page with more content than the one before: the last page is complete.
 */
function withoutSteps(pages: readonly PageItems[]): readonly PageItems[] {
  return pages.filter((page, index) => {
    const next = pages[index + 1]
    if (!next || page.items.length === 0 || page.items.length > next.items.length || isUpright(page)) return true
    const shown = new Set(next.items.map(placeKey))
    // The steps may be numbered.
    return !page.items.every((item) => shown.has(placeKey(item)) || /^[\d\s/]+$/.test(item.text))
  })
}

/** Returns whether a page is in portrait format, which animated slides are not. */
function isUpright({ width, height }: PageItems): boolean {
  return height > width
}

function placeKey({ text, x, y }: TextItem): string {
  return `${Math.round(x)} ${Math.round(y)} ${text}`
}

function isMostlyMono(pages: readonly PageItems[]): boolean {
  let [mono, all] = [0, 0]
  for (const { items } of pages) {
    for (const { face, text } of items) {
      all += text.length
      if (face.mono) mono += text.length
    }
  }
  return mono > all * 0.7
}

/** Returns the blocks of a page. Rotated text comes after the main text. */
function pageBlocks(
  page: PageItems,
  known: Omit<RegionContext, 'page' | 'zones' | 'isRotated'>,
  gutters: Gutters,
): Block[] {
  const ways = Map.groupBy(page.items, ({ angle }) => angle)
  return [...ways]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([angle, items]) => {
      const rules = angle === 0 ? page.rules : []
      const zones = zonesOf(rules, page.height)
      const context: RegionContext = { page: page.number, isRotated: angle !== 0, zones, ...known }
      const ruled = takeRuled({ items, rules }, known.words)
      const lined = takeLined(ruled, known.words)
      const tables = [...ruled.tables, ...lined.tables].map((table) => [table])
      const rows: PageRow[] = [...rowsOf(lined.items, zones), ...tables]
      const sorted = rows.toSorted((a, b) => (a[0]?.y ?? 0) - (b[0]?.y ?? 0))
      const inOrder = isRightToLeft(items) ? sorted.map((row) => row.toReversed()) : sorted
      const regions = regionsOf(inOrder, angle === 0 ? gutters : undefined)
      return regions.flatMap((region) => blocksOf(region, context))
    })
}

/** Joins paragraphs that are split in the middle of a sentence by a column or page break. */
function joinAcross(blocks: readonly Block[], words: Words): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const at = block.kind === 'text' ? placeBefore(joined, block) : -1
    const last = joined[at]
    if (last?.kind === 'text' && block.kind === 'text' && goesOn(last, block)) {
      const runs = joinRuns(last.runs, block.runs, words)
      const box = joinBoxes(last, block)
      joined[at] = { ...last, runs, text: textOf(runs), lines: last.lines + block.lines, page: block.page, box }
    } else joined.push(block)
  }
  return joined
}

function joinBoxes(last: Block, { page, box }: Block): Box | undefined {
  return last.page === page && last.box && box ? boundingBox([last.box, box]) : box
}

const maxBetween = 4

/**
 * Returns the index of the paragraph that this block may continue. Footnotes and tables may be between its two parts.
 */
function placeBefore(blocks: readonly Block[], { size }: TextBlock): number {
  for (let at = blocks.length - 1; at >= Math.max(0, blocks.length - maxBetween); at--) {
    const block = blocks[at]
    const isBetween = block?.kind === 'table' || (block?.kind === 'text' && block.size < size - 0.6)
    if (!isBetween) return at
  }
  return -1
}

function goesOn(last: TextBlock, block: TextBlock): boolean {
  const isSameLook = Math.abs(last.size - block.size) < 0.6 && last.face.bold === block.face.bold
  const isUnfinished = /[\p{Ll},\-\u2010\u00ad]$/u.test(last.text) && last.lines >= 2
  return isSameLook && isUnfinished && /^\p{Ll}/u.test(block.text)
}
