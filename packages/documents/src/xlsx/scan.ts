// Reads the rows of a sheet in one pass, only as far as they are shown: a tree of a long sheet would be many times its size.
// Each row and each cell is cut out before it is searched, so that searches never run into the next one.
import type { SheetCell } from '../sheet-table.ts'
import type { Look } from './look.ts'
import { textOfItem } from './strings.ts'

export interface Most {
  readonly rows: number
  readonly cells: number
}

export interface ScannedRows {
  readonly rows: (SheetCell[] | undefined)[]
  /** The number of the last row with content, whether it is shown or not. */
  readonly lastRow: number
}

/** Start of the tags in this file, and the formatter of its cells. */
interface Reading {
  readonly rowTag: string
  readonly cellTag: string
  readonly valueTag: string
  readonly look: Look
}

// Excel's limits; larger numbers are an error or an attack.
const maxRows = 1_048_576
const maxColumns = 16_384

/** Returns the rows of a sheet's XML within the limits, and one row more than is shown, to detect longer sheets. */
export function scanRows(xml: string, look: Look, most: Most): ScannedRows {
  const [start = '', prefix = ''] = /<((?:\w+:)?)sheetData[\s>]/.exec(xml) ?? []
  const begin = start === '' ? xml.length : xml.indexOf(start)
  const stop = xml.indexOf(`</${prefix}sheetData`, begin)
  const end = stop < 0 ? xml.length : stop
  const reading = { rowTag: `<${prefix}row`, cellTag: `<${prefix}c`, valueTag: `<${prefix}v`, look }
  const rows: SheetCell[][] = []
  let [row, filled, cells, isOver] = [-1, 0, 0, false]
  let at = xml.indexOf(reading.rowTag, begin)
  while (at >= 0 && at < end) {
    const next = xml.indexOf(reading.rowTag, at + 1)
    const rowEnd = next < 0 || next > end ? end : next
    const text = xml.slice(at + reading.rowTag.length, rowEnd)
    row = rowOf(text, row)
    const found = readCells(text, reading)
    if (found.length > 0) {
      rows[row] = found
      if (isOver) return { rows, lastRow: lastRowIn(xml, rowEnd, end, prefix, row) + 1 }
      filled += 1
      cells += found.length
      isOver = filled >= most.rows || cells >= most.cells
    }
    at = next
  }
  return { rows, lastRow: rows.length }
}

function rowOf(text: string, before: number): number {
  const named = Number(valueOf(text.slice(0, text.indexOf('>')), 'r')) - 1
  return named >= 0 && named < maxRows ? named : Math.min(before + 1, maxRows - 1)
}

function readCells(text: string, reading: Reading): SheetCell[] {
  const { cellTag } = reading
  const cells: SheetCell[] = []
  let column = -1
  let at = nextTag(text, cellTag, 0)
  while (at >= 0) {
    const next = nextTag(text, cellTag, at + cellTag.length)
    const cell = text.slice(at + cellTag.length, next < 0 ? text.length : next)
    const tagEnd = cell.indexOf('>')
    const tag = cell.slice(0, tagEnd)
    column = columnOf(valueOf(tag, 'r')) ?? column + 1
    const w = tagEnd < 0 || tag.endsWith('/') ? '' : textOfCell(tag, cell.slice(tagEnd + 1), reading)
    if (w !== '' && column < maxColumns) cells[column] = { w }
    at = next
  }
  return cells
}

/** Returns the next occurrence of a tag, skipping longer names that begin the same. */
function nextTag(text: string, tag: string, from: number): number {
  let at = text.indexOf(tag, from)
  while (at >= 0 && isLetter(text.charCodeAt(at + tag.length))) at = text.indexOf(tag, at + 1)
  return at
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}

function textOfCell(tag: string, inner: string, { valueTag, look }: Reading): string {
  const type = valueOf(tag, 't') ?? 'n'
  const style = Number(valueOf(tag, 's') ?? 0)
  if (type === 'inlineStr') return look(type, style, textOfItem(inner))
  const value = nextTag(inner, valueTag, 0)
  if (value < 0) return ''
  const start = inner.indexOf('>', value) + 1
  const end = inner.indexOf('<', start)
  return start === 0 || end <= start ? '' : look(type, style, inner.slice(start, end))
}

/** Returns the value of an attribute of a tag, given the source after its name. */
function valueOf(tag: string, name: string): string | undefined {
  const at = tag.indexOf(` ${name}=`)
  if (at < 0) return /[\n\r\t]/.test(tag) ? valueOf(tag.replaceAll(/[\n\r\t]/g, ' '), name) : undefined
  const start = at + name.length + 3
  const end = tag.indexOf(tag[start - 1] as string, start)
  return end < 0 ? undefined : tag.slice(start, end)
}

/** Returns the column index of a reference, such as 27 for `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  let column = 0
  for (let i = 0; i < (reference?.length ?? 0); i++) {
    const letter = (reference as string).charCodeAt(i) - 0x40
    if (letter < 1 || letter > 26) break
    column = column * 26 + letter
  }
  return column === 0 ? undefined : column - 1
}

/** Returns the index of the last row that has a value; the row `row` ends at `from`. */
function lastRowIn(xml: string, from: number, end: number, prefix: string, row: number): number {
  const rowTag = `<${prefix}row`
  const value = Math.max(xml.lastIndexOf(`</${prefix}v>`, end), xml.lastIndexOf(`</${prefix}is>`, end))
  const start = xml.lastIndexOf(rowTag, value)
  const named = valueOf(xml.slice(start, xml.indexOf('>', start)), 'r')
  if (named !== undefined) return rowOf(xml.slice(start), row)
  let count = row
  for (let at = from; at >= 0 && at <= start; at = xml.indexOf(rowTag, at + 1)) count += 1
  return Math.min(count, maxRows - 1)
}
