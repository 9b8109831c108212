// Manages teams, keys and credits in the store of the server.
import { EngineError } from '@harvestman/ports'

import { withOwnEngine, type EngineFlags } from './follow.ts'
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

export interface GrantFlags extends TeamFlags {
  readonly id?: string
}

/** Creates a team and prints its id. Resolves to the exit code, as all commands here do. Rejects if the id is taken. */
export function createTeam(id: string | undefined, flags: TeamFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ teams }) => {
    const { name, limits } = flags
    const request = { ...(id !== undefined && { id }), ...(name !== undefined && { name }), ...parsed(limits) }
    shell.out(`${(await teams.create(request)).id}\n`)
    return exitCodes.done
  })
}

/**
 * Prints the teams, one per line. Without teams, prints no line. Resolves to the exit code. Rejects if the store cannot be
 * read.
 */
export function listTeams(flags: TeamFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ teams }) => {
    for (const team of await teams.list()) {
      const { id, createdAt, name = '' } = team
      shell.out(flags.json ? `${JSON.stringify(team)}\n` : `${line([id, createdAt, name])}\n`)
    }
    return exitCodes.done
  })
}

/** Creates a key of a team and prints it. It is not shown again. Resolves to the exit code. Rejects for an unknown team. */
export function createKey(team: string, flags: KeyFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ teams }) => {
    const { name, group, format, expires, limits } = flags
    const scopes = { ...(group && { groups: group }), ...(format && { formats: format }) }
    const request = {
      ...(name !== undefined && { name }),
      ...((group || format) && { scopes }),
      ...(expires !== undefined && { expiresAt: expires }),
      ...parsed(limits),
    }
    const { key, info } = await teams.createKey(team, request as Parameters<typeof teams.createKey>[1])
    shell.out(`${key}\n`)
    shell.err(`Its id is ${info.id}. Save the key now: it is not shown again.\n`)
    return exitCodes.done
  })
}

/** Prints the keys of a team without their secrets, one per line. Resolves to the exit code. Rejects for an unknown team. */
export function listKeys(team: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ teams }) => {
    for (const key of await teams.listKeys(team)) {
      const { id, prefix, lastUsedAt = 'never used', revokedAt, name = '' } = key
      const words = [id, prefix, lastUsedAt, revokedAt === undefined ? 'good' : 'revoked', name]
      shell.out(flags.json ? `${JSON.stringify(key)}\n` : `${line(words)}\n`)
    }
    return exitCodes.done
  })
}

/** Revokes a key of a team by its id. Resolves to the exit code. Rejects if the team has no valid key with this id. */
export function revokeKey(team: string, key: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ teams }) => {
    if (!(await teams.revokeKey(team, key)))
      throw new EngineError(
        'not_found',
        `The team ${team} has no valid key ${key}. List its keys: harvestman keys list ${team}`,
      )
    shell.err(`Revoked. It stops working within a second.\n`)
    return exitCodes.done
  })
}

/**
 * Adds credits to a team and prints the balance. With the same `--id` they are added once only. Resolves to the exit code.
 * Rejects unless the amount is an integer from 1 to 1,000,000,000.
 */
export function grant(team: string, amount: string, flags: GrantFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async ({ ledger }) => {
    const credits = Number(amount)
    if (!Number.isInteger(credits) || credits < 1 || credits > 1_000_000_000)
      throw new EngineError('invalid_request', `credits must be an integer from 1 to 1000000000, but is ${amount}.`)
    const id = flags.id ?? crypto.randomUUID()
    const { credits: left } = await ledger.grant({ team, credits, id })
    shell.out(`${left}\n`)
    return exitCodes.done
  })
}

/**
 * Prints the credits of a team: left, reserved and used. Resolves to the exit code. Rejects if the store cannot be read.
 */
export function showCredits(team: string, flags: TeamFlags, shell: Shell): Promise<number> {
  return withOwnEngine(flags, shell, async (engine) => {
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
    throw new EngineError('invalid_request', 'limits must be JSON. Quote it for your shell.', { cause })
  }
}

function line(words: readonly string[]): string {
  return words.filter((word) => word !== '').join('  ')
}
