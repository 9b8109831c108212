// Notes inside of a WARC file, for a record that is one file.
import { randomUUID } from 'node:crypto'

import { printRecord } from './fields.ts'

/** What a record of notes is about. */
export const notesAddress = 'urn:harvestman:notes'

/** Prints lines of notes as a record. */
export function notesRecord(lines: Uint8Array, at: number): Buffer {
  return printRecord(
    [
      ['WARC-Type', 'metadata'],
      ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
      ['WARC-Target-URI', notesAddress],
      ['WARC-Date', new Date(at).toISOString()],
      ['Content-Type', 'application/x-ndjson'],
    ],
    [lines],
  )
}
