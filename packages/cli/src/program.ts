import type { Plugin } from '@harvestman/core/plugin'

import { Command, CommanderError, suggestChoices, type OutputConfiguration } from './command-line.ts'
import { addManyPages, allowPrivate, config, setOption, type Guarded } from './many-pages.ts'
import { examples } from './examples.ts'
import { addKind } from './kind-commands.ts'
import { addMachineCommands } from './machine-commands.ts'
import { addPageOptions, more } from './page-options.ts'
import { withCommandFirst } from './command-first.ts'
import type { KnownKinds } from './kinds.ts'
import { ownVersion } from './own-version.ts'
import { previewOption } from './preview.ts'
import { serverOptions } from './server-options.ts'
import { exitCodes, type Shell } from './shell.ts'
import { addTeams } from './team-commands.ts'
import { explained } from './words.ts'

/**
 * Runs one command line and resolves to its exit code. Without arguments it runs `serve`. Errors of a command are printed, not
 * thrown; internal errors reject.
 */
export async function run(args: readonly string[], outer: Shell): Promise<number> {
  const argv = withCommandFirst(args)
  const plugins = [...(outer.plugins ?? [])]
  const shell = { ...outer, plugins }
  let code: number = exitCodes.done
  const guarded: Guarded = async (command) => {
    try {
      code = await command()
    } catch (error) {
      code = await report(error, shell)
    }
  }
  const loadKinds = async (): Promise<KnownKinds> => (await import('./kinds.ts')).knownKinds(argv, shell)
  const withKinds = (known: Omit<KnownKinds, 'failure'>): Command =>
    makeProgram(known, { argv, shell, guarded, fullProgram: async () => withKinds(await loadKinds()) })
  const own = withKinds({ kinds: [], addFeatures: () => undefined, plugins: [] })
  const known = answersAlone(own, argv) ? await helpOf(argv, shell) : await loadKinds()
  const program = known ? withKinds(known) : own
  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // The command may belong to a plugin that failed to load.
    if (error.code === 'commander.unknownCommand' && known?.failure !== undefined) await report(known.failure, shell)
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  }
}

async function report(error: unknown, shell: Shell): Promise<number> {
  return (await import('./failures.ts')).report(error, shell)
}

/** Loads the configured plugins for `--help`, because the help of our own commands lists plugin formats. */
async function helpOf(argv: readonly string[], shell: Shell): Promise<KnownKinds | undefined> {
  if (!argv.includes('--help') && !argv.includes('-h')) return undefined
  const { configuredPlugins } = await import('./kinds.ts')
  return { kinds: [], addFeatures: () => undefined, plugins: await configuredPlugins(argv, shell).catch(() => []) }
}

const versionFlags = '-V, --version'

/** Returns whether the command is already defined. Job kinds are loaded only for other commands. */
function answersAlone({ commands }: Command, [first = '']: readonly string[]): boolean {
  return versionFlags.split(', ').includes(first) || commands.some((command) => command.name() === first)
}

/** Removes the `error:` prefix of commander, since our own messages have none. */
function outputOf({ out, err }: Shell): OutputConfiguration {
  return { writeOut: out, writeErr: err, outputError: (text, write) => write(text.replace(/^error: /, '')) }
}

interface Doing {
  readonly argv: readonly string[]
  readonly shell: RunShell
  readonly guarded: Guarded
  /** Returns the CLI with all its commands. */
  readonly fullProgram: () => Promise<Command>
}

function makeProgram(
  { kinds, addFeatures, plugins }: Omit<KnownKinds, 'failure'>,
  { argv, shell, guarded, fullProgram }: Doing,
): Command {
  const program = new Command('harvestman')
    .description('Turns any URL into clean content. Without a command, starts the server.')
    .version(ownVersion(), versionFlags, 'print the version')
    .exitOverride()
    .configureOutput(outputOf(shell))
    .showHelpAfterError('(see harvestman --help)')
    .hook('preSubcommand', (_, command) => suggestChoices(command))
    .hook('preAction', (_, command) => startRecording(command, argv, shell))
  program.commandsGroup('Load pages:')
  addScrape(program, shell, guarded, plugins)
  addInteract(program, shell, guarded)
  addManyPages(program, shell, guarded, plugins)
  for (const part of kinds) addKind(part, program, shell, guarded)
  program.commandsGroup('Repeat and collect:')
  addChanges(program, shell, guarded)
  addReplay(program, shell, guarded)
  addFeatures(program, shell, guarded)
  program.commandsGroup('Run a server:')
  addServer(program, shell, guarded)
  for (const command of addTeams(program, shell, guarded)) command.option(...storeOption).option(...config)
  program.commandsGroup('This machine:')
  addMachineCommands(program, shell, guarded, fullProgram)
  // Commands with a price preview load pages, so they can be recorded.
  for (const command of program.commands.filter(({ options }) => options.some(({ long }) => long === '--preview')))
    command.option('--record <file>', 'record the run as WARC, in a file that ends with .warc.gz')
  for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
    command.exitOverride().configureOutput(outputOf(shell))
  return program
}

function addReplay(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('replay')
    .argument('<file>', 'the record, which ends with .warc.gz')
    .argument('[command...]', 'the command to run with its options, after --; default: the recorded one')
    .description('Replays what was recorded with --record, without network access.')
    .option('--patch', 'load what the record does not have, and add it')
    .addHelpText('before', examples.replay)
    .action((file, command, options) =>
      guarded(async () => (await import('./replay.ts')).replay(file, command, options, shell, run)),
    )
}

/** A shell whose plugins are added while the command line is parsed. */
interface RunShell extends Shell {
  readonly plugins: Plugin[]
}

/** Records the network traffic of the command if `--record` is set. */
async function startRecording(command: Command, argv: readonly string[], { plugins }: RunShell): Promise<void> {
  const { record: file } = command.opts<{ readonly record?: string }>()
  if (file === undefined) return
  const { recording } = await import('@harvestman/record')
  const place = argv.findIndex((one) => one === '--record' || one === `--record=${file}`)
  const rest = argv.toSpliced(place, argv[place] === '--record' ? 2 : 1)
  plugins.push(recording({ file, command: rest }))
}

function addChanges(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('changes')
    .argument('<url>', 'the page')
    .description('Prints the versions of a page, stored by scrapes with the format changeTracking.')
    .option('--tag <tag>', 'the history of the scrapes with this tag')
    .option('--look', 'scrape the page first, and compare it')
    .option('--diff', 'print the diff of the newest two versions')
    .option('--from <version>', 'compare this version')
    .option('--to <version>', 'with this one')
    .option('-j, --json', 'print JSON')
    .option('--store <address>', 'memory: or sqlite:<file>')
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
    .action((url, options) => guarded(async () => (await import('./changes.ts')).changes(url, options, shell)))
}

function addServer(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('serve')
    .description('Starts the HTTP API.')
    .option('-p, --port <port>', 'the port to listen on')
    .option('--host <address>', 'the address to listen on')
    .option(...storeOption)
    .option(...queueOption)
    .option('--work', 'also run jobs, when the store is a server that workers share')
    .option(...setOption)
    .option(...allowPrivate)
    .option(...config)
    .action((options) => guarded(async () => (await import('./serve.ts')).serve(options, shell)))
  program
    .command('work')
    .description('Runs the jobs of a shared store as a worker.')
    .option('-p, --port <port>', 'the port for health checks and metrics; default: any free one')
    .option('--host <address>', 'the address to listen on')
    .option(...storeOption)
    .option(...queueOption)
    .option(...setOption)
    .option(...allowPrivate)
    .option(...config)
    .action((options) => guarded(async () => (await import('./serve.ts')).work(options, shell)))
  program
    .command('copy')
    .description('Copies a store to another one: jobs, results, pages.')
    .requiredOption('--from <address>', 'sqlite:<file>, redis://… or postgres://…')
    .requiredOption('--to <address>', 'the target: an empty store, or the target of an earlier copy')
    .option('--replace', 'delete what the target already contains')
    .action((options) => guarded(async () => (await import('./copy.ts')).copy(options, shell)))
}

function addScrape(program: Command, shell: Shell, guarded: Guarded, plugins: readonly Plugin[]): void {
  const command = program
    .command('scrape')
    .argument('<url...>', 'the pages; also local files, or - for standard input')
    .description('Prints the content of pages, as Markdown by default.')
  addPageOptions(command, 'scrape', plugins)
    .option('--include <selector>', 'keep only the parts that match this CSS selector; repeatable', more)
    .option('--exclude <selector>', 'remove the parts that match this CSS selector; repeatable', more)
    .option('-j, --json', 'print the whole document as JSON')
    .option('-o, --output <file>', 'write to a file; a screenshot as an image')
    .option('--fail', `exit with ${exitCodes.badStatus} when the status is 400 or above`)
    .option(...previewOption)
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.scrape)
    .action((urls, options) => guarded(async () => (await import('./scrape.ts')).scrape(urls, options, shell)))
}

function addInteract(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('interact')
    .argument('<url>', 'the page')
    .description('Opens a page in a live browser, for a task in plain language, for code, or for commands you type.')
    .option('-p, --prompt <task>', 'let a language model carry out this task')
    .option('--code <file>', 'run the code in this file; - for standard input')
    .option('--language <name>', 'its language: node, python or bash; default: by the file extension')
    .option('--script <file>', 'replay an earlier task, without a model')
    .option('--save <file>', 'save the steps as such a script')
    .option('--secret <name@origin>', 'fill in this environment variable for {{name}}, on that origin only', more)
    .option('--allow <host>', 'another site that the task may visit; repeatable', more)
    .option('--timeout <s>', 'the time limit of the task or the code; default: 30 s for code, 300 s otherwise')
    .addOption(explained('--wait <ms>', 'scrape', 'waitFor'))
    .addOption(explained('--mobile', 'scrape', 'mobile'))
    .option('--actions <file>', 'a JSON file with a list of actions to run first')
    .option('-H, --header <line>', 'send this header: "Name: value"; repeatable', more)
    .option('--country <code>', 'the country to request the page from: US, DE…')
    .addOption(explained('--proxy <tier>', 'scrape', 'proxy'))
    .addOption(explained('--insecure', 'scrape', 'skipTlsVerification'))
    .option('-j, --json', 'print the whole result as JSON')
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.interact)
    .action((url, options) => guarded(async () => (await import('./interact.ts')).interact(url, options, shell)))
}

const storeOption = ['--store <address>', 'memory:, sqlite:<file>, redis://… or postgres://…'] as const
const queueOption = ['--queue <address>', 'redis://… or postgres://…; default: the server of the store'] as const
