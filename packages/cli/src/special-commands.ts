// Commands of our own features that call more than one endpoint.
import type { Command } from './command-line.ts'
import type { DatasetFlags } from './datasets.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import type { Shell } from './shell.ts'

/** Additional commands by feature name. */
export const specialCommands: Readonly<
  Record<string, ((parent: Command, shell: Shell, guarded: Guarded) => void) | undefined>
> = { datasets: addRows }

/** Adds the command that adds rows from a file, from standard input, or from the documents of a job. */
function addRows(parent: Command, shell: Shell, guarded: Guarded): void {
  const command = parent
    .command('add')
    .argument('<name>', 'the dataset')
    .argument('[file]', 'rows as JSON lines; default: standard input')
    .description('Adds rows, and updates those with the same key.')
    .option('--job <id>', 'add the rows in the documents of this crawl or batch instead')
    .option('--from <field>', 'the field of the documents that has the rows; default: json')
    .action((name, file: string | undefined, flags: DatasetFlags) =>
      guarded(async () => (await import('./datasets.ts')).addRows(name, file, flags, shell)),
    )
  addPlace(command)
    .option(...config)
    .option(...allowPrivate)
}
