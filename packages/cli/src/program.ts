import { readFileSync } from 'node:fs'

import type { JobPart } from '@harvestman/core/plugin'

import { Command, CommanderError } from './command-line.ts'
import { addManyPages, allowPrivate, config, setOption, type Guarded } from './many-pages.ts'
import { examples } from './examples.ts'
import { addKind } from './kind-commands.ts'
import { addMachineCommands } from './machine-commands.ts'
import { addPageOptions, more } from './page-options.ts'
import type { KnownKinds } from './kinds.ts'
import { previewOption } from './preview.ts'
import { exitCodes, report, type Shell } from './shell.ts'
import { addTeams } from './team-commands.ts'
import { explained } from './words.ts'

/** Runs one command line and resolves to its exit code. */
export async function run(args: readonly string[], shell: Shell): Promise<number> {
  const given = args.length > 0 ? args : ['serve']
  let code: number = exitCodes.done
  const guarded: Guarded = async (command) => {
    try {
      code = await command()
    } catch (error) {
      code = report(error, shell)
    }
  }
  const loadKinds = async (): Promise<KnownKinds> => (await import('./kinds.ts')).knownKinds(given, shell)
  const withKinds = ({ kinds }: KnownKinds): Command =>
    makeProgram(kinds, { shell, guarded, whole: async () => withKinds(await loadKinds()) })
  const own = withKinds({ kinds: [] })
  const known = answersAlone(own, given) ? undefined : await loadKinds()
  const program = known ? withKinds(known) : own
  try {
    await program.parseAsync(given, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // It may be of a plugin that could not be loaded.
    if (error.code === 'commander.unknownCommand' && known?.failure !== undefined) report(known.failure, shell)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

const versionFlags = '-V, --version'

/** Whether the program has the command that is asked for. Kinds of jobs are loaded for the others alone. */
function answersAlone({ commands }: Command, [first = '']: readonly string[]): boolean {
  return versionFlags.split(', ').includes(first) || commands.some((command) => command.name() === first)
}

interface Doing {
  readonly shell: Shell
  readonly guarded: Guarded
  /** The program with all its commands. */
  readonly whole: () => Promise<Command>
}

function makeProgram(kinds: readonly JobPart[], { shell, guarded, whole }: Doing): Command {
  const program = new Command('harvestman')
    .description('A URL in, clean content out. Without a command, the server is started.')
    .version(ownVersion(), versionFlags, 'print the version')
    .exitOverride()
    .configureOutput({ writeOut: shell.out, writeErr: shell.err })
    .showHelpAfterError('(harvestman --help tells what there is)')
  addScrape(program, shell, guarded)
  addInteract(program, shell, guarded)
  addManyPages(program, shell, guarded)
  for (const part of kinds) addKind(part, program, shell, guarded)
  addChanges(program, shell, guarded)
  addServer(program, shell, guarded)
  addMachineCommands(program, shell, guarded, whole)
  for (const command of addTeams(program, shell, guarded)) command.option(...storeOption).option(...config)
  for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
    command.exitOverride().configureOutput({ writeOut: shell.out, writeErr: shell.err })
  return program
}

function addChanges(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('changes')
    .argument('<url>', 'the page')
    .description('Prints what a page was, as scrapes with the format changeTracking saw it.')
    .option('--tag <tag>', 'the history of the scrapes with this tag')
    .option('--look', 'scrape the page first, and compare it')
    .option('--diff', 'print how the newest two versions differ')
    .option('--from <version>', 'compare this version')
    .option('--to <version>', 'with this one')
    .option('-j, --json', 'print JSON')
    .option('--store <address>', 'memory: or sqlite:<file>')
    .option(...allowPrivate)
    .option(...config)
    .action((url, options) => guarded(async () => (await import('./changes.ts')).changes(url, options, shell)))
}

function addServer(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('serve')
    .description('Starts the web API.')
    .option('-p, --port <port>', 'the port to listen on')
    .option('--host <address>', 'the address to listen on')
    .option(...storeOption)
    .option(...queueOption)
    .option('--work', 'work on jobs too, where the store is a server that workers share')
    .option(...setOption)
    .option(...allowPrivate)
    .option(...config)
    .action((options) => guarded(async () => (await import('./serve.ts')).serve(options, shell)))
  program
    .command('work')
    .description('Works on the jobs of a server that other processes serve.')
    .option('-p, --port <port>', 'the port that tells of its health; any free one when absent')
    .option('--host <address>', 'the address to listen on')
    .option(...storeOption)
    .option(...queueOption)
    .option(...setOption)
    .option(...allowPrivate)
    .option(...config)
    .action((options) => guarded(async () => (await import('./serve.ts')).work(options, shell)))
  program
    .command('copy')
    .description('Copies all that one store keeps to another one: jobs, results, pages.')
    .requiredOption('--from <address>', 'sqlite:<file>, redis://… or postgres://…')
    .requiredOption('--to <address>', 'the same; empty, or the target of an earlier copy')
    .option('--replace', 'take away what the target holds of its own')
    .action((options) => guarded(async () => (await import('./copy.ts')).copy(options, shell)))
}

function addScrape(program: Command, shell: Shell, guarded: Guarded): void {
  const command = program
    .command('scrape')
    .argument('<url>', 'the page; also a file of this machine, or - for what is piped in')
    .description('Prints the content of a page, as Markdown unless told otherwise.')
  addPageOptions(command)
    .option('--include <selector>', 'only these parts of the page: a CSS selector; may be given again', more)
    .option('--exclude <selector>', 'without these parts of the page; may be given again', more)
    .option('-j, --json', 'print the whole document as JSON')
    .option('-o, --output <file>', 'write to a file; a screenshot as a picture')
    .option('--fail', `exit with ${exitCodes.badStatus} when the status is 400 or above`)
    .option(...previewOption)
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.scrape)
    .action((url, options) => guarded(async () => (await import('./scrape.ts')).scrape(url, options, shell)))
}

function addInteract(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('interact')
    .argument('<url>', 'the page')
    .description('Opens a page in a live browser: for a task in words, for code, or for what you type.')
    .option('-p, --prompt <task>', 'have a language model carry out this task')
    .option('--code <file>', 'run this code; - for what is piped in')
    .option('--language <name>', 'its language: node, python or bash; by the ending of the file when absent')
    .option('--script <file>', 'do again what an earlier task did, without a model')
    .option('--save <file>', 'keep what was done as such a script')
    .option('--secret <name@origin>', 'fill in this variable of the environment for {{name}}, there alone', more)
    .option('--allow <host>', 'another site that the task may visit; may be given again', more)
    .option('--timeout <s>', 'how long the task or the code may take: 30 s for code, 300 s otherwise')
    .addOption(explained('--wait <ms>', 'scrape', 'waitFor'))
    .addOption(explained('--mobile', 'scrape', 'mobile'))
    .option('--actions <file>', 'a JSON file with a list of actions that come first')
    .option('-H, --header <line>', 'send this header: "Name: value"; may be given again', more)
    .option('--country <code>', 'the country and languages that the page is asked for in: US, DE…')
    .addOption(explained('--proxy <tier>', 'scrape', 'proxy'))
    .addOption(explained('--insecure', 'scrape', 'skipTlsVerification'))
    .option('-j, --json', 'print all that came of the task or the code as JSON')
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.interact)
    .action((url, options) => guarded(async () => (await import('./interact.ts')).interact(url, options, shell)))
}

const storeOption = ['--store <address>', 'memory:, sqlite:<file>, redis://… or postgres://…'] as const
const queueOption = ['--queue <address>', 'redis://… or postgres://…; the server of the store when absent'] as const

/** The manifest lies beside `src` and `dist` alike. */
function ownVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
