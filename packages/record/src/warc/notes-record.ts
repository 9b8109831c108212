// Notes inside a WARC file, for a record that is a single file.
import { randomUUID } from 'node:crypto'

import { printRecord } from './fields.ts'

/** Target URI of a record of notes. */
export const notesUri = 'urn:harvestman:notes'

/** Creates a WARC record from lines of notes. `at` is in milliseconds since 1970. */
export function notesRecord(lines: Uint8Array, at: number): Buffer {
  return printRecord(
    [
      ['WARC-Type', 'metadata'],
      ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
      ['WARC-Target-URI', notesUri],
      ['WARC-Date', new Date(at).toISOString()],
      ['Content-Type', 'application/x-ndjson'],
    ],
    [lines],
  )
}
