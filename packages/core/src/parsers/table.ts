import type { DocumentTally } from '@harvestman/threads'

/** A text file written as Markdown. */
export interface WrittenText {
  readonly markdown: string
  readonly warnings?: readonly string[]
}

const maxRows = 50_000
// The column limit of spreadsheets.
const maxColumns = 16_384
// Limits cells as well as rows, because short rows are padded to the longest one.
const maxCells = 1_000_000

/**
 * Converts a table in text form, such as CSV, to Markdown. The first row becomes the header. Default separator: the most
 * frequent of `,`, `;`, tab and `|` in the first line. Rows beyond 50,000, columns beyond 16,384 and cells beyond a million are
 * omitted with a warning; throws `page_too_complex` if the separators of the cells alone exceed the limit of `tally`.
 */
export function writeTable(text: string, tally: DocumentTally, separator = likelySeparator(text)): WrittenText {
  const { rows, width, isCut, isNarrowed } = readRows(text, separator)
  const warnings = [
    ...(isCut
      ? [`The table is cut after row ${rows.length}: the limits are ${maxRows} rows and ${maxCells} cells.`]
      : []),
    ...(isNarrowed ? [`The table has more than ${maxColumns} columns; the others are left out.`] : []),
  ]
  return { markdown: toTable(rows, width, tally), warnings }
}

/** Returns the separator that is most frequent in the first line. */
function likelySeparator(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const count = (separator: string): number => line.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

interface Rows {
  readonly rows: readonly (readonly string[])[]
  /** Number of fields in the longest row. */
  readonly width: number
  readonly isCut: boolean
  readonly isNarrowed: boolean
}

/** Parses RFC 4180: a quoted field may contain separators, line breaks and doubled quotes. */
function readRows(text: string, separator: string): Rows {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  let width = 0
  let isNarrowed = false
  const add = (value: string): void => {
    if (row.length < maxColumns) row.push(value)
    else isNarrowed = true
    width = Math.max(width, row.length)
  }
  while (at < text.length) {
    if (rows.length >= maxRows || (rows.length + 1) * width > maxCells) return { rows, width, isCut: true, isNarrowed }
    const { value, end } = text[at] === '"' ? quotedField(text, at, separator) : plainField(text, at, separator)
    add(value)
    at = end
    if (text[at] === separator) {
      at += 1
      if (at === text.length) add('')
      continue
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return { rows, width, isCut: false, isNarrowed }
}

interface FieldEnd {
  readonly value: string
  readonly end: number
}

function plainField(text: string, start: number, separator: string): FieldEnd {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}

function quotedField(text: string, start: number, separator: string): FieldEnd {
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { value: parts.join('') + text.slice(from), end: text.length }
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return closedField(text, parts.join(''), quote + 1, separator)
    parts.push('"')
    from = quote + 2
  }
}

/** Reads text after the closing quote, which some writers produce, as part of the field. */
function closedField(text: string, value: string, from: number, separator: string): FieldEnd {
  const rest = plainField(text, from, separator)
  return { value: value + rest.value, end: rest.end }
}

function toTable(rows: Rows['rows'], width: number, tally: DocumentTally): string {
  const [head, ...body] = rows
  if (!head) return ''
  const line = (row: readonly string[]): string => {
    // Counts the padding of short rows, which a single long row can make large.
    tally.spend(3 * width)
    return `| ${Array.from({ length: width }, (_, index) => cell(row[index] ?? '')).join(' | ')} |`
  }
  const rule = `|${' --- |'.repeat(width)}`
  return [line(head), rule, ...body.map(line)].join('\n')
}

function cell(text: string): string {
  return text
    .trim()
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replaceAll(/\r?\n|\r/g, '<br>')
}
