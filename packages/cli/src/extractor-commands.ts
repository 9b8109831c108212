// The commands about learned extractors.
import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import type { ExtractorFlags } from './extractors.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import type { Shell } from './shell.ts'

const commands = () => import('./extractors.ts')

/** Adds the commands to the program. */
export function addExtractors(program: Command, shell: Shell, guarded: Guarded): void {
  const extractors = program
    .command('extractors')
    .description('Shows, edits and deletes what was learned about the pages of sites.')
    .addHelpText('before', examples.extractors)
  const listing = extractors
    .command('list')
    .description('Lists the extractors with their sites and fields.')
    .option('-j, --json', 'one JSON object per line')
    .action((flags: ExtractorFlags) => guarded(async () => (await commands()).listExtractors(flags, shell)))
  const showing = extractors
    .command('show')
    .argument('<id>', 'the extractor')
    .description('Prints the program of an extractor.')
    .action((id, flags: ExtractorFlags) => guarded(async () => (await commands()).showExtractor(id, flags, shell)))
  const versions = extractors
    .command('versions')
    .argument('<id>', 'the extractor')
    .description('Prints the last versions of an extractor, one JSON object per line.')
    .action((id, flags: ExtractorFlags) => guarded(async () => (await commands()).listVersions(id, flags, shell)))
  const editing = extractors
    .command('edit')
    .argument('<id>', 'the extractor')
    .argument('<file>', 'its new program as JSON')
    .description('Gives an extractor another program.')
    .action((id, file: string, flags: ExtractorFlags) =>
      guarded(async () => (await commands()).editExtractor(id, file, flags, shell)),
    )
  const deleting = extractors
    .command('delete')
    .argument('<id>', 'the extractor')
    .description('Forgets an extractor. Its pages are asked about again.')
    .action((id, flags: ExtractorFlags) => guarded(async () => (await commands()).deleteExtractor(id, flags, shell)))
  for (const command of [listing, showing, versions, editing, deleting])
    addPlace(command)
      .option(...config)
      .option(...allowPrivate)
}
