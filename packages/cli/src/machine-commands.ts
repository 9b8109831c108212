// Commands about watching a page, remote servers, settings, the web page and the documentation.
import type { ToolSetName } from '@harvestman/tools/mcp'
import { Argument, Option, type Command } from './command-line.ts'
import { completion, completionShells } from './completion.ts'
import { examples } from './examples.ts'
import { allowPrivate, config, setOption, type Guarded } from './many-pages.ts'
import { serverOptions } from './server-options.ts'
import type { Shell } from './shell.ts'

/** Adds the commands to the CLI. `fullProgram` returns the CLI with all commands, for completion scripts. */
export function addMachineCommands(
  program: Command,
  shell: Shell,
  guarded: Guarded,
  fullProgram: () => Promise<Command>,
): void {
  program
    .command('watch')
    .argument('<url>', 'the page')
    .description('Watches a page, and prints what changed.')
    .option('--every <time>', 'the interval: 30s, 10m, 2h or 1d; default: 10m')
    .option('--tag <tag>', 'keep a separate history under this name')
    .option('--run <command>', 'run this command at each change, with the change as JSON on stdin')
    .option('--webhook <url>', 'post each change to this URL, as JSON')
    .option('--times <n>', 'stop after this many scrapes')
    .option('-j, --json', 'print each scrape as a line of JSON')
    .option('--store <address>', 'memory: or sqlite:<file>; default: the store of the server')
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.watch)
    .action((url, options) => guarded(async () => (await import('./watch.ts')).watch(url, options, shell)))
  addMcp(program, shell, guarded)
  addServers(program, shell, guarded)
  program
    .command('open')
    .description('Opens the web page of the server, and starts a server if none runs.')
    .option('--print', 'print the URL only')
    .option('-p, --port <port>', 'the port of the server')
    .option(...config)
    .action((options) => guarded(async () => (await import('./open.ts')).open(options, shell)))
  program
    .command('init')
    .argument('[file]', 'the file; default: harvestman.jsonc, which commands in the same folder read')
    .description('Writes a config file with every setting as a comment.')
    .option('--print', 'print it instead')
    .option('--force', 'overwrite an existing file')
    .action((file, options) => guarded(async () => (await import('./init.ts')).init(file, options, shell)))
  addBotKey(program, shell, guarded)
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .description('Prints the completion script for a shell.')
    .option(...config)
    .addHelpText('before', examples.completion)
    .action((name) => guarded(async () => completion(name, await fullProgram(), shell)))
  program
    .command('docs')
    .description('Serves the documentation of this version on this machine, offline.')
    .option('-p, --port <port>', 'the port to listen on; default: 3003')
    .option('--folder <folder>', 'the folder of the built site')
    .action((options) => guarded(async () => (await import('./docs.ts')).docs(options, shell)))
  program
    .command('doctor')
    .description('Shows what this machine can do, what is missing, and how to get it.')
    .option('-j, --json', 'print the findings as JSON')
    .option(...setOption)
    .option(...config)
    .action((options) => guarded(async () => (await import('./doctor.ts')).doctor(options, shell)))
}

/** The names of the sets of tools. The type requires all of them, because help must not load the tools. */
const toolSets: Readonly<Record<ToolSetName, true>> = { web: true, retrieval: true }

function addMcp(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('mcp')
    .description('Gives tools to a model: a Model Context Protocol server on stdin and stdout.')
    .option('--files <folder>', 'let the tool parse read the files in this folder')
    .addOption(
      new Option('--tools <sets...>', 'web loads pages, retrieval searches scraped ones').choices(
        Object.keys(toolSets),
      ),
    )
    .option('--store <address>', 'memory:, sqlite:<file>, redis://… or postgres://…')
    .option(...serverOptions[0])
    .option(...serverOptions[1])
    .option(...allowPrivate)
    .option(...setOption)
    .option(...config)
    .addHelpText('before', examples.mcp)
    .action((options) => guarded(async () => (await import('./mcp.ts')).mcp(options, shell)))
}

function addBotKey(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('bot-key')
    .description('Creates a key that signs requests to sites: the value of HARVESTMAN_BOT_KEYS.')
    .action(() => guarded(async () => (await import('./bot-key.ts')).botKey(shell)))
}

function addServers(program: Command, shell: Shell, guarded: Guarded): void {
  program
    .command('login')
    .argument('<url>', 'the URL of the server')
    .description('Stores a server and its key. Commands use it from then on.')
    .option('--key <key>', 'the API key; - reads it from standard input')
    .option('--name <name>', 'a name for the server; default: its host')
    .addHelpText('before', examples.login)
    .action((url, options) => guarded(async () => (await import('./login.ts')).login(url, options, shell)))
  program
    .command('logout')
    .argument('[name]', 'the server; default: the one in use')
    .description('Forgets a server and its key.')
    .action((name) => guarded(async () => (await import('./login.ts')).logout(name, shell)))
  program
    .command('servers')
    .argument('[name]', 'use this server for commands; `local` runs them here')
    .description('Lists the stored servers, or changes the one that commands use.')
    .action((name) => guarded(async () => (await import('./login.ts')).servers(name, shell)))
}
