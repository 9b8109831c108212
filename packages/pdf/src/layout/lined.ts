// Tables that have horizontal lines or coloured rows, and no vertical lines.
import type { Box, Line, Rule, Segment, TextItem } from '../types.ts'
import { median } from './boxes.ts'
import { isCaption } from './captions.ts'
import { isMonoLine } from './code.ts'
import { indexIn, isInside, tableOf, type Grid } from './grid.ts'
import type { Words } from './join.ts'
import { gridOfLines, splitBand, type Band } from './line-grid.ts'
import { columnGaps, placeSegments, textOf, type Interval } from './line-rows.ts'
import { toLine } from './lines.ts'
import { cluster, isUpright, type Taken } from './ruled.ts'
import { rowsOf } from './rows.ts'

const near = 4
const shortest = 40
// Minimum width of the gap between columns, as a multiple of the font size.
const narrowest = 0.5
// Limits the work for one page, in text runs that are compared or sorted. Pages with 20 tables need a tenth.
const maxWork = 2_000_000
const maxRows = 2_000

/** Takes the tables between horizontal lines of equal width out of a page. */
export function takeLined(page: Pick<Taken, 'items' | 'rules'>, words: Words): Taken {
  const flat = page.rules.filter((rule) => !isUpright(rule))
  const tables: Segment[] = []
  const text: PageText = { items: page.items, work: 0 }
  for (const frame of framesOf(mergeCollinear(flat), text)) {
    const found = readFrame(frame, flat, text, words)
    if (!found) continue
    tables.push(found.table)
    const taken = new Set(found.inside)
    text.items = text.items.filter((item) => !taken.has(item))
  }
  return { tables, items: text.items, rules: page.rules }
}

/** The text of a page that is not in a table yet. */
interface PageText {
  items: readonly TextItem[]
  work: number
}

/** Joins the lines at one height that touch each other. */
function mergeCollinear(rules: readonly Rule[]): Rule[] {
  const merged: Rule[] = []
  for (const rule of rules.toSorted((a, b) => Math.round(a.top) - Math.round(b.top) || a.left - b.left)) {
    const last = merged.at(-1)
    const isNext = last && Math.abs(last.top - rule.top) < 1.5 && rule.left <= last.right + 1 && rule.left >= last.left
    if (isNext) merged[merged.length - 1] = { ...last, right: Math.max(last.right, rule.right) }
    else merged.push(rule)
  }
  return merged
}

interface Frame extends Box {
  /** Heights of the lines that are as wide as the table. */
  readonly full: readonly number[]
}

/** Returns the areas between lines of equal width, without those that contain prose. */
function framesOf(rules: readonly Rule[], text: PageText): Frame[] {
  const long = rules.filter(({ left, right }) => right - left > shortest)
  const groups = Map.groupBy(long, ({ left, right }) => `${Math.round(left / near)} ${Math.round(right / near)}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const edges = { left: first.left - near, right: first.right + near }
    const frames: Frame[] = []
    let full: number[] = []
    const end = (): void => {
      const [top, bottom] = [full[0], full.at(-1)]
      if (top !== undefined && bottom !== undefined && full.length >= 2) frames.push({ ...edges, top, bottom, full })
    }
    for (const y of cluster(group.map(({ top }) => top))) {
      const above = full.at(-1)
      if (above !== undefined && !isTabular({ ...edges, top: above, bottom: y }, text)) {
        end()
        full = []
      }
      full.push(y)
    }
    end()
    return frames
  })
}

const maxEmpty = 40

/** Returns whether the text of an area may be rows of a table and is not prose. */
function isTabular(box: Box, text: PageText): boolean {
  const lines = linesIn(box, text)
  if (lines.length === 0) return text.work < maxWork && box.bottom - box.top < maxEmpty
  if (lines.some((line) => isCaption(line.text))) return false
  const gaps = columnGaps(lines, (lines[0]?.size ?? 10) * narrowest)
  const width = box.right - box.left
  const wide = lines.filter(({ segments }) => segments.some(({ left, right }) => right - left > width * 0.7))
  if (wide.length > 1 && wide.length >= lines.length * 0.5) return false
  return lines.length < 6 || gaps.length === 0 || !areColumns(lines, gaps)
}

/** Returns whether all columns are prose, as on a page between the lines of its header and its footer. */
function areColumns(lines: readonly Line[], gaps: readonly Interval[]): boolean {
  const columns = Map.groupBy(
    lines.flatMap((line) => placeSegments(line, gaps)),
    ({ first }) => first,
  )
  return [...columns.values()].every((column) => {
    const letters = median(column.map(({ segment }) => textOf(segment).length))
    return column.length > lines.length * 0.5 && letters >= 25
  })
}

/** Returns the lines of text in an area. Returns none once the page took too much work. */
function linesIn(box: Box, text: PageText): Line[] {
  if (text.work >= maxWork) return []
  const inside = text.items.filter((item) => isInside(item, box))
  text.work += inside.length * 4 + text.items.length / 16
  return rowsOf(inside, [{ ...box, rules: 0 }]).map(toLine)
}

/** Returns the table of a frame and its text runs, or `undefined` if its text has no columns. */
function readFrame(
  frame: Frame,
  rules: readonly Rule[],
  text: PageText,
  words: Words,
): { readonly table: Segment; readonly inside: readonly TextItem[] } | undefined {
  const whole = extend(frame, text)
  for (const box of whole === frame ? [frame] : [whole, frame]) {
    const grid = gridOf(box, rules, text)
    if (!grid) continue
    const inside = text.items.filter((item) => isInside(item, box))
    const table = tableOf(grid, inside, words)
    if (table) return { table, inside }
  }
  return undefined
}

const maxAbove = 2
const maxBelow = 200

/**
 * Adds the rows above the first line and below the last line: the head of a table with a line or a colour for each row, and the
 * rest of a table that goes on on the next page, where its last line is.
 */
function extend(frame: Frame, text: PageText): Frame {
  const own = linesIn(frame, text)
  const size = median(own.map((line) => line.size)) || 10
  const pitch = Math.max(size * 2.2, ...own.slice(1).map(({ y }, at) => y - (own[at]?.y ?? 0)))
  const top = reach(frame, text, { own, pitch, way: -1, max: maxAbove })
  const bottom = reach(frame, text, { own, pitch, way: 1, max: maxBelow })
  if (top === undefined && bottom === undefined) return frame
  const ends = { top: top ?? frame.top, bottom: bottom ?? frame.bottom }
  const full = [...(top === undefined ? [] : [top]), ...frame.full, ...(bottom === undefined ? [] : [bottom])]
  return { ...frame, ...ends, full }
}

interface Reach {
  readonly own: readonly Line[]
  /** Largest distance of two lines of the table. */
  readonly pitch: number
  readonly way: -1 | 1
  readonly max: number
}

/** Returns the new edge of a table with the lines beside it whose text is in the same columns, or `undefined` without any. */
function reach(frame: Frame, text: PageText, { own, pitch, way, max }: Reach): number | undefined {
  const beside = way < 0 ? { top: -Infinity, bottom: frame.top } : { top: frame.bottom, bottom: Infinity }
  const lines = linesIn({ ...frame, ...beside }, text)
  const all = [...own]
  const least = (own[0]?.size ?? 10) * narrowest
  let columns = columnGaps(all, least, own[0]).length
  let [edge, at, near] = [undefined as number | undefined, way < 0 ? frame.top : frame.bottom, pitch]
  for (const line of (way < 0 ? lines.toReversed() : lines).slice(0, max)) {
    if (Math.abs(line.y - at) > near || !isRowOf(frame, line, text)) break
    all.push(line)
    const count = columnGaps(all, least, own[0]).length
    if (count < columns) break
    columns = count
    edge = way < 0 ? line.y - line.size : line.y + line.size * 0.4
    ;[at, near] = [line.y, pitch]
  }
  return edge
}

/** Returns whether a line has several cells, or at least not one in the first column, and does not cross the sides. */
function isRowOf(frame: Frame, line: Line, text: PageText): boolean {
  if (isCaption(line.text) || (line.segments.length < 2 && line.left < frame.left + line.size * 2)) return false
  const { left, right } = frame
  text.work += text.items.length / 16
  const level = text.items.filter(({ y }) => Math.abs(y - line.y) < 1)
  return (
    level.every(({ x, width }) => x >= left - 1 || x + width <= left + 1) &&
    level.every(({ x, width }) => x + width <= right + 1 || x >= right - 1)
  )
}

function gridOf(frame: Frame, rules: readonly Rule[], text: PageText): Grid | undefined {
  const lines = linesIn(frame, text)
  const inner = rules.filter(
    ({ left, right, top }) =>
      top > frame.top + 1 && top < frame.bottom - 1 && left >= frame.left && right <= frame.right,
  )
  const ys = cluster([...frame.full, ...inner.map(({ top }) => top)])
  if (lines.length > maxRows || ys.length > maxRows) return undefined
  const bands = ys.slice(0, -1).map((top) => ({ top, lines: [] as Line[] }))
  for (const line of lines) bands[indexIn(ys, line.y - line.size * 0.3)]?.lines.push(line)
  const isByRow = hasLinePerRow(bands)
  // Groups of columns in the head cross the gaps between them.
  const headEnd = isByRow ? frame.top : endOfHead(frame, lines)
  const gaps = gapsOfTable(lines, headEnd, frame)
  if (gaps.length === 0 || isCode(lines, headEnd) || !hasCells(lines, gaps)) return undefined
  const rows = isByRow ? bands : bands.flatMap((band) => splitBand(band, gaps, band.top < headEnd))
  const head = isByRow ? undefined : Math.max(1, rows.filter(({ top }) => top < headEnd - 1).length)
  return gridOfLines({ frame, rows, gaps, rules: inner, head, isByRow })
}

const maxHeadLines = 4

/** Returns where the head ends: at the second of at least three lines, if it is short. */
function endOfHead({ full, top }: Frame, lines: readonly Line[]): number {
  const [, second] = full
  if (full.length < 3 || second === undefined) return top
  const above = lines.filter(({ y }) => y < second).length
  return above <= maxHeadLines && above < lines.length ? second : top
}

/** Returns whether the lines are code in a frame. A table of code has a head in another font. */
function isCode(lines: readonly Line[], headEnd: number): boolean {
  const body = lines.filter(({ y }) => y > headEnd)
  const isMono = body.filter(isMonoLine).length > body.length * 0.6
  return isMono && lines.filter(({ y }) => y <= headEnd).every(isMonoLine)
}

/** Returns whether most lines have cells beside each other, or continue a cell that is not in the first column. */
function hasCells(lines: readonly Line[], gaps: readonly Interval[]): boolean {
  const good = lines.filter((line) => {
    const cells = placeSegments(line, gaps)
    const columns = new Set(cells.map(({ first }) => first))
    return columns.size > 1 || (columns.size === 1 && cells.every(({ first, last }) => first > 0 && first === last))
  })
  return good.length >= lines.length * 0.6
}

/** Returns whether there is a line below each row, so that the lines of text between two of them are one row. */
function hasLinePerRow(bands: readonly Band[]): boolean {
  const filled = bands.filter(({ lines }) => lines.length > 0)
  if (filled.length < 4) return false
  const starts = filled.map(({ lines }) => {
    const left = Math.min(...lines.map((line) => line.left))
    return lines.filter((line) => line.left < left + line.size).length
  })
  return starts.filter((count) => count === 1).length >= filled.length * 0.7
}

/** Returns the gaps between columns. Lines of the head, and lines across most of the table, may cross them. */
function gapsOfTable(lines: readonly Line[], headEnd: number, frame: Box): Interval[] {
  const least = median(lines.map(({ size }) => size)) * narrowest
  const width = frame.right - frame.left
  const body = lines.filter(({ y, segments, left, right }) => {
    return y > headEnd && (segments.length > 1 || right - left < width * 0.4)
  })
  const all = columnGaps(
    lines.filter(({ segments }) => segments.length > 1),
    least,
    lines[0],
  )
  const ofBody = columnGaps(body.length >= 2 ? body : lines, least)
  const ofRest = columnGaps(lines.slice(1), least)
  const found = ofBody.length >= all.length ? ofBody : all
  return lines.length > 3 && ofRest.length > found.length ? ofRest : found
}
