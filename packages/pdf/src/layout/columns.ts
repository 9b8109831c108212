import type { Segment } from '../types.ts'
import { median } from './boxes.ts'
import type { PageRow } from './rows.ts'
import { areWrappedCells } from './wrapped-cells.ts'

/** A part of the page that is read completely before the next one. */
export type Region = readonly PageRow[]

/** Number of earlier pages with a column gap at each position. Each page with columns adds to it. */
export type Gutters = Map<number, number>

const binWidth = 2
const minRows = 4
const deepest = 4
// Narrower strips are word gaps that happen to be aligned.
const narrowest = 6
const maxStrips = 8
// Minimum line spacing within a column, as a multiple of the font size.
const tight = 0.85
const samePlace = 4

/**
 * Splits a page into regions in reading order: columns, and the parts that span them. Adds a column gap that it finds to
 * `gutters`, which all pages of a document share; leave `depth` at its default.
 */
export function regionsOf(rows: readonly PageRow[], gutters: Gutters = new Map(), depth = 0): Region[] {
  const gutter = depth < deepest ? findGutter(rows, gutters) : undefined
  if (gutter === undefined) return rows.length > 0 ? [rows] : []
  if (depth === 0) gutters.set(placeOf(gutter), (gutters.get(placeOf(gutter)) ?? 0) + 1)
  const regions: Region[] = []
  for (const band of bandsOf(rows, gutter)) {
    if (band.isAcross) regions.push(band.rows)
    else {
      regions.push(
        ...regionsOf(
          side(band.rows, (segment) => middleOf(segment) < gutter),
          gutters,
          depth + 1,
        ),
      )
      regions.push(
        ...regionsOf(
          side(band.rows, (segment) => middleOf(segment) >= gutter),
          gutters,
          depth + 1,
        ),
      )
    }
  }
  return regions
}

function middleOf({ left, right }: Segment): number {
  return (left + right) / 2
}

function side(rows: readonly PageRow[], isHere: (segment: Segment) => boolean): PageRow[] {
  return rows.map((row) => row.filter(isHere)).filter((row) => row.length > 0)
}

interface Band {
  readonly isAcross: boolean
  readonly rows: PageRow[]
}

function bandsOf(rows: readonly PageRow[], gutter: number): Band[] {
  const bands: Band[] = []
  for (const row of rows) {
    const isAcross = row.some(({ left, right }) => left < gutter - 1 && right > gutter + 1)
    const last = bands.at(-1)
    if (last?.isAcross === isAcross) last.rows.push(row)
    else bands.push({ isAcross, rows: [row] })
  }
  return join(
    bands.map(({ isAcross, rows: some }) => ({ isAcross: isAcross || !hasTwoSides(some, gutter), rows: some })),
  )
}

/** Returns whether both sides have at least two rows: the short last line of a paragraph is not a column. */
function hasTwoSides(rows: readonly PageRow[], gutter: number): boolean {
  const left = side(rows, (segment) => middleOf(segment) < gutter).length
  const right = side(rows, (segment) => middleOf(segment) >= gutter).length
  return left >= 2 && right >= 2
}

function join(bands: readonly Band[]): Band[] {
  const joined: Band[] = []
  for (const band of bands) {
    const last = joined.at(-1)
    if (last?.isAcross && band.isAcross) last.rows.push(...band.rows)
    else joined.push({ isAcross: band.isAcross, rows: [...band.rows] })
  }
  return joined
}

/** Returns the middle of the empty strip that separates two columns of prose. */
function findGutter(rows: readonly PageRow[], gutters: Gutters = new Map()): number | undefined {
  const segments = rows.flat()
  if (rows.length < minRows) return undefined
  const start = Math.min(...segments.map(({ left }) => left))
  const end = Math.max(...segments.map(({ right }) => right))
  return stripsOf(rows, start, end).find((gutter) => isUsual(gutter, gutters) || areColumns(rows, gutter))
}

/** Returns whether earlier pages have a gap at this position, so that it counts even next to a table. */
function isUsual(gutter: number, gutters: Gutters): boolean {
  const place = placeOf(gutter)
  return [place - 1, place, place + 1].reduce((sum, near) => sum + (gutters.get(near) ?? 0), 0) >= 2
}

function placeOf(gutter: number): number {
  return Math.round(gutter / samePlace)
}

interface Strip {
  readonly from: number
  to: number
  readonly rows: number
}

/** Returns the middles of the strips that separate the most rows, wider ones first. */
function stripsOf(rows: readonly PageRow[], start: number, end: number): number[] {
  const found: Strip[] = []
  for (let x = start + binWidth / 2; x < end; x += binWidth) {
    const parted = partedRows(rows, x)
    const last = found.at(-1)
    if (last?.rows === parted && last.to + binWidth === x) last.to = x
    else found.push({ from: x, to: x, rows: parted })
  }
  return found
    .filter((strip) => strip.rows >= minRows && strip.to - strip.from + binWidth >= narrowest)
    .toSorted((a, b) => b.rows - a.rows || b.to - b.from - (a.to - a.from))
    .slice(0, maxStrips)
    .map(({ from, to }) => (from + to) / 2)
}

/**
 * Returns the number of rows on the side of a position that has fewer. A row that spans both sides ends the columns above it,
 * so that a title and an abstract above the columns count for neither side.
 */
function partedRows(rows: readonly PageRow[], x: number): number {
  let [parted, left, right] = [0, 0, 0]
  for (const row of rows) {
    if (row.some((segment) => segment.left < x - 1 && segment.right > x + 1)) {
      if (left >= 2 && right >= 2) parted += Math.min(left, right)
      left = right = 0
      continue
    }
    if (row.some((segment) => segment.right <= x + 1)) left += 1
    if (row.some((segment) => segment.left >= x - 1)) right += 1
  }
  return parted + (left >= 2 && right >= 2 ? Math.min(left, right) : 0)
}

/**
 * Returns whether both sides are columns of prose, which fill their width. Short lines or cells are a table, which is read by
 * rows.
 */
function areColumns(rows: readonly PageRow[], gutter: number): boolean {
  const bands = bandsOf(rows, gutter).filter(({ isAcross }) => !isAcross)
  const beside = bands.flatMap((band) => band.rows)
  const left = side(beside, (segment) => middleOf(segment) < gutter)
  const right = side(beside, (segment) => middleOf(segment) >= gutter)
  if (left.length < minRows || right.length < minRows || areWrappedCells(rows, gutter)) return false
  const across = rows.length - beside.length
  const isEven = Math.min(left.length, right.length) >= Math.max(left.length, right.length) * 0.6
  const isBesideText =
    isEven && lettersOf(left) >= 8 && lettersOf(right) >= 8 && (isJustified(left) || isJustified(right))
  const isBesides = isBesideText || isOutOfStep(beside, gutter) || (isText(left) && isText(right))
  return across < rows.length * 0.8 && isBesides
}

/**
 * Returns whether the lines of both sides alternate in height, so that each side is a separate text. The cells of a table are
 * on the same baselines.
 */
function isOutOfStep(rows: readonly PageRow[], gutter: number): boolean {
  let [between, left, right] = [0, 0, 0]
  for (const [index, row] of rows.entries()) {
    const isLeft = row.some((segment) => middleOf(segment) < gutter)
    const isRight = row.some((segment) => middleOf(segment) >= gutter)
    if (isLeft) left += 1
    if (isRight) right += 1
    const next = rows[index + 1]?.[0]
    if (!next || !row[0] || isLeft === isRight || next.y - row[0].y > Math.min(row[0].size, next.size) * tight) continue
    const isOther = (rows[index + 1] ?? []).some((segment) => middleOf(segment) < gutter) !== isLeft
    if (isOther) between += 1
  }
  const fewest = Math.min(left, right)
  return fewest >= minRows * 2 && between >= fewest * 0.3
}

/** Returns whether the lines are justified prose. Table cells are not, so the other side must be a column too. */
function isJustified(rows: readonly PageRow[]): boolean {
  const size = median(rows.map(([first]) => first?.size ?? 0))
  const ends = rows.map((row) => Math.max(...row.map((each) => each.right)))
  const end = median(ends)
  return isProse(rows) && ends.filter((each) => Math.abs(each - end) < size * 0.3).length >= rows.length * 0.45
}

/** Returns whether the rows are prose in one or more columns. */
function isText(rows: readonly PageRow[]): boolean {
  return isProse(rows) || findGutter(rows) !== undefined
}

function isProse(rows: readonly PageRow[]): boolean {
  const segments = rows.flat()
  const width = Math.max(...segments.map((each) => each.right)) - Math.min(...segments.map((each) => each.left))
  const widths = rows.map((row) => row.reduce((sum, { left, right }) => sum + right - left, 0))
  const isDense = segments.length < rows.length * 1.35
  return isDense && lettersOf(rows) >= 14 && median(widths) >= width * 0.55
}

/** Returns the median number of characters per row. */
function lettersOf(rows: readonly PageRow[]): number {
  return median(
    rows.map((row) => row.reduce((sum, { items }) => sum + items.reduce((n, { text }) => n + text.length, 0), 0)),
  )
}
