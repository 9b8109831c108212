// The commands about records: what requests with `record: true` had from outside.
import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import type { RecordFlags } from './records.ts'
import type { Shell } from './shell.ts'

const commands = () => import('./records.ts')

/** Adds the commands to the program. */
export function addRecords(program: Command, shell: Shell, guarded: Guarded): void {
  const records = program
    .command('records')
    .description('Saves and deletes the records of requests.')
    .addHelpText('before', examples.records)
  const saving = records
    .command('save')
    .argument('<id>', 'the id of a scrape, map, search, job or live browser')
    .description('Saves the record of a request as a .warc.gz file.')
    .option('-o, --output <file>', 'write to this file; default: <id>.warc.gz')
    .action((id, flags: RecordFlags) => guarded(async () => (await commands()).saveRecord(id, flags, shell)))
  const deleting = records
    .command('delete')
    .argument('<id>', 'the id of a scrape, map, search, job or live browser')
    .description('Deletes the record of a request.')
    .action((id, flags: RecordFlags) => guarded(async () => (await commands()).deleteRecord(id, flags, shell)))
  for (const command of [saving, deleting])
    addPlace(command)
      .option(...config)
      .option(...allowPrivate)
}
