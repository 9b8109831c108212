// Records of this machine, or of a server.
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { EngineError } from '@harvestman/ports'
import { privateFile } from '@harvestman/ports/adapters'

import type { CommandEngine } from './command-engine.ts'
import { withEngine, type EngineFlags } from './follow.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface RecordFlags extends EngineFlags {
  readonly output?: string
}

export async function saveRecord(id: string, flags: RecordFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ records }) => {
    const { output = `${id.replaceAll(/[^\w-]/g, '_')}.warc.gz` } = flags
    const record = await kept(records).get(id)
    await pipeline(record.read(), createWriteStream(output, { mode: privateFile }))
    shell.err(`The record is saved in ${output}. Replay it: harvestman replay ${output} -- scrape <url>\n`)
    return exitCodes.done
  })
}

export async function deleteRecord(id: string, flags: RecordFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ records }) => {
    await kept(records).delete(id)
    shell.err(`The record ${id} is deleted.\n`)
    return exitCodes.done
  })
}

function kept(records: CommandEngine['records']): NonNullable<CommandEngine['records']> {
  if (records) return records
  throw new EngineError('not_configured', 'No records are kept here. Set HARVESTMAN_RECORDS=true, and record again.')
}
