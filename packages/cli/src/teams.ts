// Teams, their keys and their credits, on the store that the server uses.
import { EngineError } from '@harvestman/core'

import type { Command } from './command-line.ts'
import { withEngine, type EngineFlags } from './follow.ts'
import { more } from './page-options.ts'
import { exitCodes, type Shell } from './shell.ts'

export interface TeamFlags extends EngineFlags {
  readonly json?: boolean
  readonly name?: string
  readonly limits?: string
}

export interface KeyFlags extends TeamFlags {
  readonly group?: readonly string[]
  readonly format?: readonly string[]
  readonly expires?: string
}

interface GrantFlags extends TeamFlags {
  readonly id?: string
}

type Guarded = (work: () => Promise<number>) => Promise<void>

const json = ['-j, --json', 'one JSON object a line'] as const
const limits = [
  '--limits <json>',
  'what it may use, as JSON: {"concurrency": 10, "requestsPerMinute": {"scrape": 100}}',
] as const

/** Adds the commands for operators to the program; their common options are added by the caller. */
export function addTeams(program: Command, shell: Shell, guarded: Guarded): readonly Command[] {
  const teams = program.command('teams').description('Creates teams, and lists them.')
  return [
    teams
      .command('create')
      .argument('[team]', 'its id; a new one when absent')
      .description('Creates a team, and prints its id.')
      .option('--name <name>', 'what people call it')
      .option(...limits)
      .action((id, flags: TeamFlags) => guarded(() => createTeam(id, flags, shell))),
    teams
      .command('list')
      .description('Lists the teams.')
      .option(...json)
      .action((flags: TeamFlags) => guarded(() => listTeams(flags, shell))),
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
      .description('Makes a key and prints it. It is shown here, and never again.')
      .option('--name <name>', 'what people call it')
      .option('--group <name>', 'only this group of endpoints; may be given again', more)
      .option('--format <name>', 'only this format; may be given again', more)
      .option('--expires <time>', 'when it ends, such as 2027-01-31T00:00:00Z')
      .option(...limits)
      .action((team, flags: KeyFlags) => guarded(() => createKey(team, flags, shell))),
    keys
      .command('list')
      .argument('<team>')
      .description('Lists the keys of a team, without their texts.')
      .option(...json)
      .action((team, flags: TeamFlags) => guarded(() => listKeys(team, flags, shell))),
    keys
      .command('revoke')
      .argument('<team>')
      .argument('<key>', 'its id, as the list gives it')
      .description('Revokes a key. Within a second it works nowhere.')
      .action((team, key, flags: TeamFlags) => guarded(() => revokeKey(team, key, flags, shell))),
  ]
}

function addCredits(program: Command, shell: Shell, guarded: Guarded): readonly Command[] {
  const credits = program.command('credits').description('Grants credits to a team, and tells what it has.')
  return [
    credits
      .command('grant')
      .argument('<team>')
      .argument('<credits>', 'how many')
      .option('--id <id>', 'names this grant: the same again adds nothing')
      .description('Grants credits. From then on the team has a bound.')
      .action((team, amount, flags: GrantFlags) => guarded(() => grant(team, amount, flags, shell))),
    credits
      .command('show')
      .argument('<team>')
      .description('Tells what a team has left, and what it has used.')
      .option(...json)
      .action((team, flags: TeamFlags) => guarded(() => showCredits(team, flags, shell))),
  ]
}

function createTeam(id: string | undefined, flags: TeamFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ teams }) => {
    const { name, limits } = flags
    const asked = { ...(id !== undefined && { id }), ...(name !== undefined && { name }), ...parsed(limits) }
    shell.out(`${(await teams.create(asked)).id}\n`)
    return exitCodes.done
  })
}

function listTeams(flags: TeamFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ teams }) => {
    for (const team of await teams.list()) {
      const { id, createdAt, name = '' } = team
      shell.out(flags.json ? `${JSON.stringify(team)}\n` : `${line([id, createdAt, name])}\n`)
    }
    return exitCodes.done
  })
}

function createKey(team: string, flags: KeyFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ teams }) => {
    const { name, group, format, expires, limits } = flags
    const scopes = { ...(group && { groups: group }), ...(format && { formats: format }) }
    const asked = {
      ...(name !== undefined && { name }),
      ...((group || format) && { scopes }),
      ...(expires !== undefined && { expiresAt: expires }),
      ...parsed(limits),
    }
    const { key, info } = await teams.createKey(team, asked as Parameters<typeof teams.createKey>[1])
    shell.out(`${key}\n`)
    shell.err(`Its id is ${info.id}. Keep its text: it is not shown again.\n`)
    return exitCodes.done
  })
}

function listKeys(team: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ teams }) => {
    for (const key of await teams.listKeys(team)) {
      const { id, prefix, lastUsedAt = 'never used', revokedAt, name = '' } = key
      const words = [id, prefix, lastUsedAt, revokedAt === undefined ? 'good' : 'revoked', name]
      shell.out(flags.json ? `${JSON.stringify(key)}\n` : `${line(words)}\n`)
    }
    return exitCodes.done
  })
}

function revokeKey(team: string, key: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ teams }) => {
    if (!(await teams.revokeKey(team, key)))
      throw new EngineError(
        'not_found',
        `The team ${team} has no key ${key} that is good. See: harvestman keys list ${team}`,
      )
    shell.err(`Revoked. Within a second it works nowhere.\n`)
    return exitCodes.done
  })
}

function grant(team: string, amount: string, flags: GrantFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async ({ ledger }) => {
    const credits = Number(amount)
    if (!Number.isInteger(credits) || credits < 1 || credits > 1_000_000_000)
      throw new EngineError('invalid_request', `credits: ${amount} is not a whole number from 1 to 1000000000.`)
    const id = flags.id ?? crypto.randomUUID()
    const { credits: left } = await ledger.grant({ team, credits, id })
    shell.out(`${left}\n`)
    return exitCodes.done
  })
}

function showCredits(team: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withEngine(flags, shell, async (engine) => {
    const account = await engine.usage({ team })
    const { credits, granted, held, used } = account
    const left = credits === undefined ? 'no bound' : `${credits} of ${granted} left, ${held} held`
    shell.out(flags.json ? `${JSON.stringify(account)}\n` : `${left}, ${used} used\n`)
    return exitCodes.done
  })
}

function parsed(limits: string | undefined): object {
  if (limits === undefined) return {}
  try {
    return { limits: JSON.parse(limits) as unknown }
  } catch (cause) {
    throw new EngineError('invalid_request', 'limits: this is not JSON.', { cause })
  }
}

function line(words: readonly string[]): string {
  return words.filter((word) => word !== '').join('  ')
}
