import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

import { isRecord } from '@harvestman/ports'

import { errorCode, parseJson } from '@harvestman/ports/adapters'
import type { Note } from '../notes.ts'

/** Reads the lines beside a record; none where there is no such file. A last line that was cut is left out. */
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

/** Reads lines of notes. What is none is left out. */
export function notesIn(text: string): Note[] {
  return text.split('\n').flatMap((line) => {
    const note = parseJson(line)
    // Cast: these lines are ours; what is not is met by nothing that asks.
    return isRecord(note) && typeof note['is'] === 'string' ? [note as unknown as Note] : []
  })
}
