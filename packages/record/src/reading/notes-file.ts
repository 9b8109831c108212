import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import { isRecord } from '@harvestman/ports'

import { errorCode } from '@harvestman/toolbox/error-message'
import { parseJson } from '@harvestman/toolbox/parse-json'
import type { Note } from '../notes.ts'

/**
 * Reads the notes of a record. Skips invalid lines, such as a truncated last one. Returns an empty list if there is no such
 * file, and rejects with the error of the file system if it cannot be read.
 */
export async function readNotes(path: string): Promise<readonly Note[]> {
  const notes: Note[] = []
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
      notes.push(...notesIn(line))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  return notes
}

/** Parses lines of notes. Skips invalid lines. */
export function notesIn(text: string): Note[] {
  return text.split('\n').flatMap((line) => {
    const note = parseJson(line)
    // Cast: these lines are written by this package. Notes of unknown kinds are never looked up.
    return isRecord(note) && typeof note['is'] === 'string' ? [note as Note] : []
  })
}
