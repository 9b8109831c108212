// The commands about one page over time, and about this machine: its settings, its page, its documentation.
import { Argument, type Command } from './command-line.ts'
import { completion, completionShells } from './completion.ts'
import { examples } from './examples.ts'
import { allowPrivate, config, setOption, type Guarded } from './many-pages.ts'
import type { Shell } from './shell.ts'

/** Adds the commands to the program. */
export function addMachineCommands(
  program: Command,
  shell: Shell,
  guarded: Guarded,
  whole: () => Promise<Command>,
): void {
  program
    .command('watch')
    .argument('<url>', 'the page')
    .description('Looks at a page again and again, and prints what changed.')
    .option('--every <time>', 'how long to wait between looks: 30s, 10m, 2h or 1d; 10m when absent')
    .option('--tag <tag>', 'keep a history of its own under this name')
    .option('--run <command>', 'run this command at each change; it reads the change as JSON')
    .option('--webhook <url>', 'post each change to this address, as JSON')
    .option('--times <n>', 'look so many times, then end')
    .option('-j, --json', 'print each look as a line of JSON')
    .option('--store <address>', 'memory: or sqlite:<file>; that of the server when absent')
    .option(...allowPrivate)
    .option(...config)
    .addHelpText('before', examples.watch)
    .action((url, options) => guarded(async () => (await import('./watch.ts')).watch(url, options, shell)))
  program
    .command('open')
    .description('Shows the web page of the server, and starts one where none runs.')
    .option('--print', 'print the address only')
    .option('-p, --port <port>', 'the port of the server')
    .option(...config)
    .action((options) => guarded(async () => (await import('./open.ts')).open(options, shell)))
  program
    .command('init')
    .argument('[file]', 'the file; harvestman.jsonc when absent, which commands in the same folder read')
    .description('Writes a config file with every setting as a comment.')
    .option('--print', 'print it instead')
    .option('--force', 'write over a file that is there')
    .action((file, options) => guarded(async () => (await import('./init.ts')).init(file, options, shell)))
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(completionShells))
    .description('Prints what a shell needs to complete commands and options.')
    .addHelpText('before', examples.completion)
    .action((name) => guarded(async () => completion(name, await whole(), shell)))
  program
    .command('docs')
    .description('Serves the documentation of this version to this machine, without a network.')
    .option('-p, --port <port>', 'the port to listen on; 3003 when absent')
    .option('--folder <folder>', 'where the site was built; its usual place when absent')
    .action((options) => guarded(async () => (await import('./docs.ts')).docs(options, shell)))
  program
    .command('doctor')
    .description('Tells what this machine can do, what is missing, and how to get it.')
    .option('-j, --json', 'print the findings as JSON')
    .option(...setOption)
    .option(...config)
    .action((options) => guarded(async () => (await import('./doctor.ts')).doctor(options, shell)))
}
