import type { PageItems, TextItem } from '../types.ts'
import { heaviest } from './boxes.ts'

// Fraction of the page height, from each edge, that may contain headers and footers.
const edge = 0.166
const samePlace = 6
const maxRows = 2

interface EdgeRow {
  readonly page: number
  readonly side: 'top' | 'bottom'
  readonly y: number
  readonly key: string
  readonly items: readonly TextItem[]
  readonly numbers: readonly number[]
  /** The row is nothing but the number of its page. */
  readonly isPageNumber: boolean
}

/**
 * Returns the pages without repeated content at their edges: running titles, footers and page numbers, and without content that
 * is marked as decoration (`Artifact`). Returns them unchanged if no other content would remain.
 */
export function withoutFurniture(pages: readonly PageItems[]): PageItems[] {
  const rows = pages.flatMap(edgeRows)
  const repeated = repeatedKeys(rows)
  const offset = numberOffset(rows)
  const counted = new Set(
    offset === undefined ? [] : rows.filter(({ page, numbers }) => numbers.includes(page + offset)),
  )
  const places = countPlaces([...counted])
  const taken = new Set<TextItem>()
  for (const row of rows) {
    const isNumbered = counted.has(row) && (places.get(placeOf(row)) ?? 0) >= 3
    // One or two pages repeat too little.
    const isNumber = row.isPageNumber && pages.length <= 2
    if (repeated.has(`${row.side} ${row.key}`) || isNumbered || isNumber) for (const item of row.items) taken.add(item)
  }
  const left = pages.map((page) => ({
    ...page,
    items: page.items.filter((item) => !taken.has(item) && item.role !== 'Artifact'),
  }))
  // If nothing else is left, the repeated content is the actual content.
  return left.some(({ items }) => items.length > 0) ? left : [...pages]
}

/** Returns the rows nearest to the top and the bottom edge. */
function edgeRows(page: PageItems): EdgeRow[] {
  const level = page.items.filter(({ angle }) => angle === 0)
  const top = nearest(level, 1, page, 'top').filter(({ y }) => y < page.height * edge)
  const bottom = nearest(level, -1, page, 'bottom').filter(({ y }) => y > page.height * (1 - edge))
  return [...top, ...bottom]
}

function nearest(
  items: readonly TextItem[],
  way: 1 | -1,
  { number, width }: PageItems,
  side: EdgeRow['side'],
): EdgeRow[] {
  const rows: TextItem[][] = []
  for (const item of items.toSorted((a, b) => (a.y - b.y) * way)) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].y - item.y) < item.size * 0.4) row.push(item)
    else if (rows.length <= maxRows) rows.push([item])
    else break
  }
  return rows.slice(0, apartFromText(rows)).flatMap((row, at) => {
    // A table may begin and end at the edges of each page, with the same head and with similar numbers.
    if (isTableRow(row, rows[at + 1] ?? [])) return []
    const text = row
      .toSorted((a, b) => a.x - b.x)
      .map((item) => item.text.trim())
      .join(' ')
    const isPageNumber = side === 'bottom' && at === 0 && rows.length > 1 && isNumberOf(number, text, row, width)
    return [
      { page: number, side, y: row[0]?.y ?? 0, key: keyOf(text), items: row, numbers: numbersOf(text), isPageNumber },
    ]
  })
}

// Other words, as in "Figure 1" or "Total 1", are content.
const numbered =
  /^(?:[^\p{L}\p{N}\p{Sc}]*|(?:page|pag|pg|p|seite|s|p\u00e1gina|p\u00e1g|pagina|strona|str|\u0441\u0442\u0440\u0430\u043d\u0438\u0446\u0430|\u0441\u0442\u0440|sida|side|sivu|oldal)\.? )(\d{1,5})(?: ?(?:\/|of|von|de|di|sur|van|av|af|z|\u0438\u0437) ?\d{1,5})?[^\p{L}\p{N}\p{Sc}]*$/iu

/** Returns whether a line is only the number of its page, such as `1`, `- 1 -` or `Page 1 of 2`, in the middle between the margins. */
function isNumberOf(page: number, text: string, row: readonly TextItem[], width: number): boolean {
  const [left, right] = [Math.min(...row.map(({ x }) => x)), Math.max(...row.map((item) => item.x + item.width))]
  const isCentred = Math.abs((left + right) / 2 - width / 2) < width * 0.03
  return isCentred && text.length < 40 && Number(numbered.exec(text)?.[1]) === page
}

const minCells = 3

/** Returns whether the row at an edge belongs to a table: at least three of its cells are aligned with cells of the next row. */
function isTableRow(row: readonly TextItem[], next: readonly TextItem[]): boolean {
  const [cells, below] = [cellsOf(row), cellsOf(next)]
  const aligned = cells.filter(({ left, right }) =>
    below.some((other) => Math.abs(other.left - left) < 2 || Math.abs(other.right - right) < 2),
  )
  return aligned.length >= Math.max(minCells, cells.length * 0.6)
}

function cellsOf(row: readonly TextItem[]): { readonly left: number; right: number }[] {
  const cells: { readonly left: number; right: number }[] = []
  for (const { x, width, size } of row.toSorted((a, b) => a.x - b.x)) {
    const last = cells.at(-1)
    if (last && x - last.right < size * 0.6) last.right = Math.max(last.right, x + width)
    else cells.push({ left: x, right: x + width })
  }
  return cells
}

/** Returns how many rows at an edge are separated from the rest by a wide gap. */
function apartFromText(rows: readonly (readonly TextItem[])[]): number {
  for (let count = Math.min(maxRows, rows.length); count > 0; count--) {
    const [row, next] = [rows[count - 1]?.[0], rows[count]?.[0]]
    if (row && (!next || Math.abs(next.y - row.y) > Math.max(row.size, next.size) * 1.5)) return count
  }
  return 0
}

function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\d+/g, '#')
    .replaceAll(/^[ivxlc]+(?=\s|$)|(?<=\s|^)[ivxlc]+$/g, '#')
    .replaceAll(/\s+/g, ' ')
}

/** Returns the numbers at both ends of a row, where page numbers are. */
function numbersOf(text: string): number[] {
  const ends = [
    /^\D{0,6}(?:\d+[:.-])?(\d{1,5})(?!\S)/.exec(text)?.[1],
    /(?<!\S)(?:\d+[:.-])?(\d{1,5})\D{0,4}$/.exec(text)?.[1],
  ]
  return ends.flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
}

/**
 * Returns the keys of repeated rows. Books repeat a title on every other page and change it with each chapter, so three
 * occurrences at about the same height are enough.
 */
function repeatedKeys(rows: readonly EdgeRow[]): Set<string> {
  const found = new Set<string>()
  const groups = Map.groupBy(rows, ({ side, key }) => `${side} ${key}`)
  const count = new Set(rows.map(({ page }) => page)).size
  for (const [name, group] of groups) {
    const place = heaviest(group.map(({ y }) => [Math.round(y / samePlace), 1] as const)) ?? 0
    const level = group.filter(({ y }) => Math.abs(y / samePlace - place) <= 1.5)
    const pages = new Set(level.map(({ page }) => page)).size
    const textLength = name.length - name.indexOf(' ') - 1
    if (textLength > 0 && (pages >= 3 || (pages === 2 && count <= 5))) found.add(name)
  }
  return found
}

/** Returns the difference between page numbers and page indexes on which most pages agree. */
function numberOffset(rows: readonly EdgeRow[]): number | undefined {
  const offsets = rows.flatMap(({ page, numbers }) =>
    [...new Set(numbers)].map((number) => [number - page, 1] as const),
  )
  const best = heaviest(offsets)
  return offsets.filter(([offset]) => offset === best).length >= 3 ? best : undefined
}

function placeOf({ side, y }: EdgeRow): string {
  return `${side} ${Math.round(y / samePlace)}`
}

function countPlaces(rows: readonly EdgeRow[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const row of rows) places.set(placeOf(row), (places.get(placeOf(row)) ?? 0) + 1)
  return places
}
