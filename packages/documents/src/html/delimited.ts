import { escapeText } from '../xml/entities.ts'
import { table, type Cell } from './blocks.ts'

const maxRows = 50_000
const maxCells = 200_000

/** Returns a table in text form, such as CSV, as HTML. Its first row is the header. Rows and cells beyond the limits are omitted. */
export function delimitedHtml(text: string, separator = likelySeparator(text)): string {
  const rows: Cell[][] = []
  let row: Cell[] = []
  let cells = 0
  let at = 0
  while (at < text.length && rows.length < maxRows && cells < maxCells) {
    const { value, end } = text[at] === '"' ? quotedField(text, at, separator) : plainField(text, at, separator)
    row.push({ html: escapeText(value).replaceAll(/\r?\n/g, '<br>') })
    cells += 1
    at = end + 1
    if (text[end] === separator) continue
    if (text[end] === '\r' && text[at] === '\n') at += 1
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return table(rows, 1)
}

interface Field {
  readonly value: string
  /** Position of the separator or line end after it. */
  readonly end: number
}

function plainField(text: string, start: number, separator: string): Field {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}

function quotedField(text: string, start: number, separator: string): Field {
  const parts: string[] = []
  for (let from = start + 1; ;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return { value: parts.join('') + text.slice(from), end: text.length }
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') {
      const rest = plainField(text, quote + 1, separator)
      return { value: parts.join('') + rest.value, end: rest.end }
    }
    parts.push('"')
    from = quote + 2
  }
}

function likelySeparator(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const count = (separator: string): number => line.split(separator).length
  return [',', ';', '\t', '|'].reduce((best, next) => (count(next) > count(best) ? next : best))
}
