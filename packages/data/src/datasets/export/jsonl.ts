import type { ExportFormat } from './format.ts'

const encoder = new TextEncoder()

/** JSON Lines: one row per line, with its history. */
export const jsonl: ExportFormat = {
  mediaType: 'application/x-ndjson',
  async *write(rows) {
    for await (const some of rows) yield encoder.encode(some.map((row) => `${JSON.stringify(row)}\n`).join(''))
  },
}
