import type { Line, Segment, Table } from '../types.ts'
import { boundingBox, median } from './boxes.ts'
import { readGrid } from './grid.ts'
import type { Words } from './join.ts'
import { gridOfLines, splitBand } from './line-grid.ts'
import { maxColumns, placeSegments } from './line-rows.ts'
import { toLine } from './lines.ts'
import { splitTightly } from './rows.ts'
import { zoneAt, type Zone } from './zones.ts'

type Interval = readonly [number, number]

// Minimum width of the gap between table columns, as a multiple of the font size.
const narrowest = 0.9
const narrowestInZone = 0.5
const maxCellLength = 140
const maxLoose = 4
// Far above the lines of a real page.
const maxRows = 1_000

/** Range of lines that form a table without ruled cells, and the gaps between its columns. */
export interface AlignedTable {
  readonly from: number
  readonly to: number
  readonly strips: readonly Interval[]
  /** The lines of the table, which may be split at narrower gaps. */
  readonly lines: readonly Line[]
}

/**
 * Finds a table that starts at a line: lines with gaps at the same positions, up to `to`, which is exclusive. Returns
 * `undefined` if there is none.
 */
export function alignedAt(lines: readonly Line[], from: number, zones: readonly Zone[]): AlignedTable | undefined {
  if ((lines[from]?.segments.length ?? 0) > maxColumns) return undefined
  const [loose, tight] = [looseAt(lines, from, zones), tightAt(lines, from)]
  if (!loose || !tight) return loose ?? tight
  const more = tight.strips.length - loose.strips.length
  return (more > 0 && tight.to >= loose.to) || (more === 0 && tight.to > loose.to) ? tight : loose
}

function looseAt(lines: readonly Line[], from: number, zones: readonly Zone[]): AlignedTable | undefined {
  const first = lines[from]
  if (!first || first.segments.length < 2) return undefined
  const zone = zoneAt(zones, first)
  const table = growTable(lines, from, zone)
  const some = table.lines
  const cut = some.filter(({ segments }) => segments.length > 1).length
  const edge = table.strips[0]?.[1] ?? 0
  // Two columns of which the second one has many lines are terms with explanations.
  const isWide = table.strips.length > 1
  const inCells = some.filter(({ segments, left }) => segments.length > 1 || (isWide && left > edge - 1)).length
  const needed = zone && zone.rules >= 3 ? 2 : 3
  const isTable = cut >= needed && inCells >= some.length * 0.4 && some.every(hasShortCells)
  return isTable && !isListOfMarks(some, table.strips) && !areFormulas(some) ? table : undefined
}

function growTable(lines: readonly Line[], from: number, zone: Zone | undefined): AlignedTable {
  const first = lines[from]
  const least = zone ? narrowestInZone : narrowest
  let strips = first ? gapsOf(first, least) : []
  let to = from + 1
  let loose = 0
  for (let at = from + 1; at < Math.min(lines.length, from + maxRows); at++) {
    const [line, before] = [lines[at], lines[at - 1]]
    if (!line || !before || !goesOnBelow(before, line, zone)) break
    const left = strips.flatMap((strip) => minus(strip, line)).filter(([a, b]) => b - a >= line.size * least)
    const isCut = line.segments.length > 1
    if (left.length === 0 || (isCut && left.length < strips.length / 2)) break
    const isInFirst = line.right <= (left[0]?.[0] ?? 0) + 1
    if (isAllMono(line) && !isInFirst) break
    // A line without a gap continues a cell. In the first column it may also be a paragraph after the table.
    const goesOn = isCut || (!isInFirst && left.length === strips.length)
    loose = goesOn ? 0 : loose + 1
    if (goesOn) to = at + 1
    if (isCut) strips = left
    if (loose > maxLooseAt(line, first)) break
  }
  return { from, to, strips, lines: lines.slice(from, to) }
}

const minTightRows = 4
const minTightGaps = 2
const maxTightRows = 200
// Maximum number of lines with text in the first column only, between two rows.
const maxFirstOnly = 1
const maxSparse = 2

/**
 * Finds a table whose gaps are hardly wider than a space: at least three columns and four rows, whose cells are aligned at the
 * left or at the right. The first line has a text in each column. Others may continue cells of the line above, or have empty cells.
 */
function tightAt(lines: readonly Line[], from: number): AlignedTable | undefined {
  const found: Line[] = []
  let strips: readonly Interval[] = []
  // The number of lines up to the last one that has text outside of the first column.
  let count = 0
  for (const line of lines.slice(from, from + maxTightRows)) {
    const before = found.at(-1)
    if (line.segments.some(({ table }) => table)) break
    const tight = toLine(splitTightly(line.segments))
    const maxStep = isTightRow(tight) ? 2.4 : 1.9
    if (before && line.y - before.y > line.size * maxStep) break
    if ((!before && tight.segments.length <= minTightGaps) || tight.segments.length > maxColumns) break
    if (isAllMono(tight)) break
    const least = line.size * narrowestInZone
    const gaps = before
      ? strips.flatMap((strip) => minus(strip, tight)).filter(([from, to]) => to - from >= least)
      : gapsOf(tight, narrowestInZone)
    if (gaps.length < Math.max(minTightGaps, strips.length)) break
    found.push(tight)
    strips = gaps
    if (tight.right > (gaps[0]?.[0] ?? 0) + 1) count = found.length
    if (found.length - count > maxFirstOnly) break
  }
  const table = found.slice(0, count)
  const rows = table.filter(isTightRow)
  if (rows.length < minTightRows || !areAligned(table, strips) || isEnumeration(rows, strips)) return undefined
  // Lines that are not full may be parts of a formula.
  if (table.some(({ segments }) => segments.length <= strips.length) && !haveWords(table)) return undefined
  return { from, to: from + count, strips, lines: table }
}

/** Returns whether each cell of the first line, and half of all cells, have a word or a number of several characters. */
function haveWords(lines: readonly Line[]): boolean {
  const isWord = ({ items }: Segment): boolean => /[\p{L}\p{N}]{3}/u.test(textOf(items))
  const cells = lines.flatMap(({ segments }) => segments)
  return lines[0]?.segments.every(isWord) === true && cells.filter(isWord).length >= cells.length / 2
}

function isTightRow({ segments }: Line): boolean {
  return segments.length > minTightGaps
}

/**
 * Returns whether the first cells of the lines are parts of one list, which end with a comma. Lines in the middle of other cells
 * may end with one, too.
 */
function isEnumeration(lines: readonly Line[], [first]: readonly Interval[]): boolean {
  const isPart = ({ items, right }: Segment): boolean =>
    right <= (first?.[0] ?? 0) + 1 && textOf(items).trimEnd().endsWith(',')
  return lines.filter(({ segments }) => segments.some(isPart)).length > 2
}

const mark = /^\s*(?:[^\p{L}\p{N}]{1,2}|\(?\d{1,3}[.:)])\s*$/u

/**
 * Returns whether the cells of each column, without the head, are not bullets or numbers of a list, and begin or end at one
 * position in most lines. Two columns may be empty in most rows, or below the head.
 */
function areAligned(lines: readonly Line[], strips: readonly Interval[]): boolean {
  const columns = Map.groupBy(
    lines.slice(1).flatMap((line) => placeSegments(line, strips)),
    ({ first }) => first,
  )
  const rows = lines.filter(isTightRow).length
  let sparse = 0
  for (let at = 0; at <= strips.length; at++) {
    const cells = columns.get(at) ?? []
    const edges = [cells.map(({ segment }) => segment.left), cells.map(({ segment }) => segment.right)]
    const hasText = cells.length === 0 || cells.some(({ segment }) => !mark.test(textOf(segment.items)))
    const isAligned = edges.some(
      (each) => each.filter((x) => Math.abs(x - median(each)) < 1).length >= each.length * 0.9,
    )
    if (!hasText || !isAligned) return false
    if (cells.length < (rows - 1) * 0.4) sparse += 1
  }
  return sparse <= maxSparse && strips.length + 1 - sparse > minTightGaps
}

/** Returns how many lines without a gap a table may contain in a row. In lists of terms, some terms have no explanation. */
function maxLooseAt(line: Line, first: Line | undefined): number {
  return first && Math.abs(line.left - first.left) < 1.5 ? maxLoose : 1
}

function isAllMono({ segments }: Line): boolean {
  return segments.every(({ items }) => items.every(({ face }) => face.mono))
}

function goesOnBelow(before: Line, line: Line, zone: Zone | undefined): boolean {
  return !isFarBelow(before, line) && isIn(zone, line)
}

function isIn(zone: Zone | undefined, line: Line): boolean {
  return !zone || zoneAt([zone], line) !== undefined
}

function hasShortCells({ segments }: Line): boolean {
  return segments.every(({ items }) => items.reduce((sum, { text }) => sum + text.length, 0) <= maxCellLength)
}

function isFarBelow(before: Line, line: Line): boolean {
  return line.y - before.y > Math.max(before.size, line.size) * 3.2
}

function gapsOf({ segments, size }: Line, least: number): Interval[] {
  const sorted = segments.toSorted((a, b) => a.left - b.left)
  return sorted.slice(1).flatMap((segment, index): Interval[] => {
    const gap: Interval = [sorted[index]?.right ?? 0, segment.left]
    return gap[1] - gap[0] >= size * least ? [gap] : []
  })
}

function minus(strip: Interval, { segments }: Line): Interval[] {
  let left: Interval[] = [strip]
  for (const segment of segments) {
    left = left.flatMap(([a, b]): Interval[] => {
      if (segment.right <= a || segment.left >= b) return [[a, b]]
      return (
        [
          [a, segment.left],
          [segment.right, b],
        ] as Interval[]
      ).filter(([x, y]) => y > x)
    })
  }
  return left
}

/** Returns whether the first column contains bullets or numbers, including chapter numbers, so that the lines are a list. */
function isListOfMarks(lines: readonly Line[], strips: readonly Interval[]): boolean {
  const edge = strips[0]?.[1] ?? 0
  const firsts = lines.flatMap(({ segments }) => segments.filter(({ left }) => left < edge - 0.5))
  const marks = firsts.filter(({ items }) =>
    /^\s*(?:[^\p{L}\p{N}]{1,2}|\(?\d{1,3}[.)]|\[\d+\]|\d{1,2}(?:\.\d{1,2})+)\s*$/u.test(textOf(items)),
  )
  return strips.length === 1 && marks.length >= firsts.length * 0.6
}

/**
 * Returns whether the columns are centred, such as author names above their affiliations. Table cells are aligned at an edge
 * instead. Centred columns are read one by one.
 */
export function areCentred(lines: readonly Line[], table: AlignedTable): boolean {
  const size = lines[0]?.size ?? 10
  const spread = (places: readonly number[]): number => Math.max(...places) - Math.min(...places)
  return columnsOf(lines, table).every((column) => {
    const boxes = column.map(boundingBox)
    const middles = boxes.map(({ left, right }) => (left + right) / 2)
    const near = middles.filter((middle) => Math.abs(middle - median(middles)) < size * 0.4)
    // A footnote mark shifts its box, so not all boxes need to be centred.
    return near.length >= Math.max(2, boxes.length * 0.7) && spread(boxes.map(({ left }) => left)) > size * 0.4
  })
}

/** Returns the segments of each column, line by line. Lines with none in a column are omitted there. */
export function columnsOf(lines: readonly Line[], { strips }: AlignedTable): (readonly Segment[])[][] {
  const edges = [-Infinity, ...strips.map(([a, b]) => (a + b) / 2), Infinity]
  return edges.slice(1).map((to, index) => {
    const from = edges[index] ?? 0
    return lines
      .map(({ segments }) => segments.filter(({ left }) => left >= from && left < to))
      .filter((here) => here.length > 0)
  })
}

/** Returns whether the lines are formulas, whose numbers are at the margin. */
function areFormulas(lines: readonly Line[]): boolean {
  const ends = lines
    .filter(({ segments }) => segments.length > 1)
    .map(({ segments }) => textOf(segments.at(-1)?.items ?? []))
  return ends.filter((end) => /^\s*\([\dA-Z][\d.]*[a-z]?\)\s*$/.test(end)).length >= ends.length * 0.5
}

function textOf(items: readonly { readonly text: string }[]): string {
  return items.map(({ text }) => text).join('')
}

/** Returns a table, whose first row is its head, or `undefined` if most of its cells are empty. */
export function readAligned(lines: readonly Line[], { strips }: AlignedTable, words: Words): Table | undefined {
  const frame = boundingBox(lines)
  const rows = splitBand({ lines, top: frame.top - 1 }, strips, false)
  const edges = { ...frame, left: frame.left - 1, right: frame.right + 1, top: frame.top - 1, bottom: frame.bottom + 1 }
  const grid = gridOfLines({ frame: edges, rows, gaps: strips, rules: [], head: 1, isByRow: false })
  const items = lines.flatMap(({ segments }) => segments.flatMap((segment) => segment.items))
  return readGrid(grid, items, words)
}
