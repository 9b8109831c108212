// The commands about datasets: rows with a key and a history.
import type { Command } from './command-line.ts'
import type { DatasetFlags } from './datasets.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import { examples } from './examples.ts'
import type { Shell } from './shell.ts'

const commands = () => import('./datasets.ts')

/** Adds the commands to the program. */
export function addDatasets(program: Command, shell: Shell, guarded: Guarded): void {
  const datasets = program
    .command('datasets')
    .description('Keeps rows with a key and a history: adds, queries and exports them.')
    .addHelpText('before', examples.datasets)
  const creating = datasets
    .command('create')
    .argument('<name>', 'lowercase letters, digits, - and _')
    .description('Creates a dataset.')
    .option('--by <columns>', 'the columns that identify a row, separated by commas; default: all')
    .option('--schema <file>', 'a JSON Schema that each row must fit')
    .action((name, flags: DatasetFlags) => guarded(async () => (await commands()).createDataset(name, flags, shell)))
  const listing = datasets
    .command('list')
    .description('Lists the datasets with their columns and rows.')
    .option('-j, --json', 'one JSON object per line')
    .action((flags: DatasetFlags) => guarded(async () => (await commands()).listDatasets(flags, shell)))
  const adding = datasets
    .command('add')
    .argument('<name>', 'the dataset')
    .argument('[file]', 'rows as JSON lines; default: standard input')
    .description('Adds rows, and updates those with the same key.')
    .option('--job <id>', 'add the rows in the documents of this crawl or batch instead')
    .option('--from <field>', 'the field of the documents that has the rows; default: json')
    .action((name, file: string | undefined, flags: DatasetFlags) =>
      guarded(async () => (await commands()).addRows(name, file, flags, shell)),
    )
  const querying = datasets
    .command('query')
    .argument('<name>', 'the dataset')
    .argument('<sql>', 'one SELECT over the table rows')
    .description('Answers a SELECT of SQLite over the rows.')
    .option('-j, --json', 'one JSON object per row')
    .option('--limit <count>', 'the most rows; default: 1000')
    .action((name, sql, flags: DatasetFlags) =>
      guarded(async () => (await commands()).queryDataset(name, sql, flags, shell)),
    )
  const exporting = datasets
    .command('export')
    .argument('<name>', 'the dataset')
    .description('Prints the dataset, or writes it to a file.')
    .option('--format <format>', 'jsonl, csv or parquet; default: by the name of the file, or jsonl')
    .option('-o, --output <file>', 'write to this file')
    .action((name, flags: DatasetFlags) => guarded(async () => (await commands()).exportDataset(name, flags, shell)))
  const deleting = datasets
    .command('delete')
    .argument('<name>', 'the dataset')
    .description('Deletes a dataset with its rows.')
    .action((name, flags: DatasetFlags) => guarded(async () => (await commands()).deleteDataset(name, flags, shell)))
  for (const command of [creating, listing, adding, querying, exporting, deleting])
    addPlace(command)
      .option(...config)
      .option(...allowPrivate)
}
