// Operator commands: teams, their keys and their credits.
import type { Command } from './command-line.ts'
import type { Guarded } from './many-pages.ts'
import { more } from './page-options.ts'
import type { Shell } from './shell.ts'
import type { GrantFlags, KeyFlags, TeamFlags } from './teams.ts'

const json = ['-j, --json', 'one JSON object per line'] as const
const limits = [
  '--limits <json>',
  'its limits, as JSON: {"concurrency": 10, "requestsPerMinute": {"scrape": 100}}',
] as const

/**
 * Adds the operator commands to the CLI and returns them, so that the caller can add common options. The commands are
 * for teams, their keys and their credits.
 */
export function addTeams(program: Command, shell: Shell, guarded: Guarded): readonly Command[] {
  const teams = program.command('teams').description('Creates teams, and lists them.')
  return [
    teams
      .command('create')
      .argument('[team]', 'its id; default: a new one')
      .description('Creates a team, and prints its id.')
      .option('--name <name>', 'its display name')
      .option(...limits)
      .action((id, flags: TeamFlags) => guarded(async () => (await import('./teams.ts')).createTeam(id, flags, shell))),
    teams
      .command('list')
      .description('Lists the teams.')
      .option(...json)
      .action((flags: TeamFlags) => guarded(async () => (await import('./teams.ts')).listTeams(flags, shell))),
    ...addKeys(program, shell, guarded),
    ...addCredits(program, shell, guarded),
  ]
}

function addKeys(program: Command, shell: Shell, guarded: Guarded): readonly Command[] {
  const keys = program.command('keys').description('Creates, lists and revokes the keys of a team.')
  return [
    keys
      .command('create')
      .argument('<team>')
      .description('Creates a key and prints it. It is shown only once.')
      .option('--name <name>', 'its display name')
      .option('--group <name>', 'only this group of endpoints; repeatable', more)
      .option('--format <name>', 'only this format; repeatable', more)
      .option('--expires <time>', 'when it expires, such as 2027-01-31T00:00:00Z')
      .option(...limits)
      .action((team, flags: KeyFlags) =>
        guarded(async () => (await import('./teams.ts')).createKey(team, flags, shell)),
      ),
    keys
      .command('list')
      .argument('<team>')
      .description('Lists the keys of a team, without the keys themselves.')
      .option(...json)
      .action((team, flags: TeamFlags) =>
        guarded(async () => (await import('./teams.ts')).listKeys(team, flags, shell)),
      ),
    keys
      .command('revoke')
      .argument('<team>')
      .argument('<key>', 'its id, from the list')
      .description('Revokes a key. It stops working within a second.')
      .action((team, key, flags: TeamFlags) =>
        guarded(async () => (await import('./teams.ts')).revokeKey(team, key, flags, shell)),
      ),
  ]
}

function addCredits(program: Command, shell: Shell, guarded: Guarded): readonly Command[] {
  const credits = program.command('credits').description('Grants credits to a team, and shows its balance.')
  return [
    credits
      .command('grant')
      .argument('<team>')
      .argument('<credits>', 'how many')
      .option('--id <id>', 'the id of this grant; repeating it adds nothing')
      .description('Grants credits. From then on the team has a limit.')
      .action((team, amount, flags: GrantFlags) =>
        guarded(async () => (await import('./teams.ts')).grant(team, amount, flags, shell)),
      ),
    credits
      .command('show')
      .argument('<team>')
      .description('Shows the remaining and used credits of a team.')
      .option(...json)
      .action((team, flags: TeamFlags) =>
        guarded(async () => (await import('./teams.ts')).showCredits(team, flags, shell)),
      ),
  ]
}
