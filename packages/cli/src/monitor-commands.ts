// The commands about monitors: pages that are checked on a schedule.
import type { Command } from './command-line.ts'
import { addPlace, allowPrivate, config, type Guarded } from './many-pages.ts'
import type { MonitorFlags } from './monitors.ts'
import { examples } from './examples.ts'
import type { Shell } from './shell.ts'

const changes = {
  pause: 'Pauses a monitor.',
  resume: 'Resumes a monitor.',
  delete: 'Deletes a monitor and its checks.',
} as const

/** Adds the commands to the program. */
export function addMonitors(program: Command, shell: Shell, guarded: Guarded): void {
  const monitors = program
    .command('monitors')
    .description('Checks pages on a schedule: creates, lists and runs monitors.')
    .addHelpText('before', examples.monitors)
  const creating = monitors
    .command('create')
    .argument('<urls...>', 'the pages')
    .description('Creates a monitor of pages, and prints its id.')
    .option('--name <name>', 'its display name; default: the first page')
    .option('--schedule <words>', 'such as "every 30 minutes", hourly or "daily at 9:00"; default: daily')
    .option('--webhook <url>', 'post what each check finds to this URL')
    .action((urls, flags: MonitorFlags) =>
      guarded(async () => (await import('./monitors.ts')).createMonitor(urls, flags, shell)),
    )
  const listing = monitors
    .command('list')
    .description('Lists the monitors with their last check.')
    .option('-j, --json', 'one JSON object per line')
    .action((flags: MonitorFlags) => guarded(async () => (await import('./monitors.ts')).listMonitors(flags, shell)))
  const running = monitors
    .command('run')
    .argument('<id>', 'the monitor')
    .description('Checks a monitor now, and prints what changed.')
    .option('-j, --json', 'one JSON object per page')
    .action((id, flags: MonitorFlags) =>
      guarded(async () => (await import('./monitors.ts')).runMonitor(id, flags, shell)),
    )
  const showing = monitors
    .command('show')
    .argument('<id>', 'the monitor')
    .description('Prints what the last check found.')
    .option('-j, --json', 'one JSON object per page')
    .action((id, flags: MonitorFlags) =>
      guarded(async () => (await import('./monitors.ts')).showMonitor(id, flags, shell)),
    )
  const changing = (['pause', 'resume', 'delete'] as const).map((how) =>
    monitors
      .command(how)
      .argument('<id>', 'the monitor')
      .description(changes[how])
      .action((id, flags: MonitorFlags) =>
        guarded(async () => (await import('./monitors.ts')).changeMonitor(id, how, flags, shell)),
      ),
  )
  for (const command of [creating, listing, running, showing, ...changing])
    addPlace(command)
      .option(...allowPrivate)
      .option(...config)
}
