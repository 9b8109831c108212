import type { ExportFormat } from './format.ts'
import { cellText, tableOf } from './table.ts'

const encoder = new TextEncoder()

/** CSV according to RFC 4180. Text cells that a spreadsheet would run as a formula are prefixed with an apostrophe. */
export const csv: ExportFormat = {
  mediaType: 'text/csv; charset=utf-8',
  async *write(rows, columns) {
    const table = tableOf(columns)
    yield encoder.encode(lineOf(table.map(({ name }) => asText(name))))
    for await (const some of rows) {
      const lines = some.map((row) => lineOf(table.map(({ read, kind }) => cellOf(read(row), kind))))
      yield encoder.encode(lines.join(''))
    }
  },
}

function cellOf(value: Parameters<typeof cellText>[0], kind: Parameters<typeof cellText>[1]): string {
  const text = cellText(value, kind)
  return typeof value === 'string' ? asText(text) : text
}

function asText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}
