import { EngineError } from '@harvestman/ports'

import { filesOf } from '../options.ts'
import { readNotes } from '../reading/notes-file.ts'

/**
 * Returns the command line whose run was recorded. Rejects with `invalid_request` if there is no such record, or it was not
 * made by a command.
 */
export async function readCommand(file: string): Promise<readonly string[]> {
  const notes = await readNotes(filesOf(file).rest)
  const begun = notes.find((note) => note.is === 'begun')
  if (begun?.command) return begun.command
  throw new EngineError(
    'invalid_request',
    `${file} was not recorded by a command. Pass the command to run: harvestman replay ${file} scrape https://example.com/`,
  )
}
