// The commands about scripts: what was done in a live browser, run again without a model.
import type { Command } from './command-line.ts'
import { examples } from './examples.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import type { ScriptFlags } from './scripts.ts'
import type { Shell } from './shell.ts'

const commands = () => import('./scripts.ts')
const valueOf = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

/** Adds the commands to the program. */
export function addScripts(program: Command, shell: Shell, guarded: Guarded): void {
  const scripts = program
    .command('scripts')
    .description('Runs what was done in a live browser once more, with other values and without a model.')
    .addHelpText('before', examples.scripts)
  const listing = scripts
    .command('list')
    .description('Lists the scripts with their versions.')
    .option('-j, --json', 'one JSON object per line')
    .action((flags: ScriptFlags) => guarded(async () => (await commands()).listScripts(flags, shell)))
  const showing = scripts
    .command('show')
    .argument('<name>', 'the script')
    .description('Prints a script as JSON, to be read and edited.')
    .action((name, flags: ScriptFlags) => guarded(async () => (await commands()).showScript(name, flags, shell)))
  const history = scripts
    .command('history')
    .argument('<name>', 'the script')
    .description('Prints the versions and repairs of a script.')
    .action((name, flags: ScriptFlags) => guarded(async () => (await commands()).showHistory(name, flags, shell)))
  const saving = scripts
    .command('save')
    .argument('<name>', 'lowercase letters, digits, - and _')
    .argument('<file>', 'the script as JSON')
    .description('Keeps a script. A name that is taken gets a new version.')
    .action((name, file: string, flags: ScriptFlags) =>
      guarded(async () => (await commands()).saveScript(name, file, flags, shell)),
    )
  const running = scripts
    .command('run')
    .argument('<name>', 'the script')
    .description('Runs a script in a live browser.')
    .option('-p, --param <name=value>', 'a parameter; repeat it for each', valueOf)
    .option('--no-repair', 'stop at a step that no longer fits')
    .option('-j, --json', 'the result as JSON')
    .action((name, flags: ScriptFlags) => guarded(async () => (await commands()).runScript(name, flags, shell)))
  const deleting = scripts
    .command('delete')
    .argument('<name>', 'the script')
    .description('Deletes a script with its history.')
    .action((name, flags: ScriptFlags) => guarded(async () => (await commands()).deleteScript(name, flags, shell)))
  for (const command of [listing, showing, history, saving, running, deleting])
    addPlace(command)
      .option(...config)
      .option(...allowPrivate)
}
