import { randomUUID } from 'node:crypto'

import type { TeamLimits } from '@harvestman/core'
import { addToList, check, layout } from '@harvestman/core/plugin'
import { type Clock, EngineError, type Store } from '@harvestman/ports'

import { hostingKeys } from '../keys.ts'
import { checkGroups } from './groups.ts'
import { makeKeys, type KnownKey, type TeamKey } from './team-keys.ts'
import { knownLimits } from './known-limits.ts'
import type { Team } from './team.ts'
import { newTeamSchema, teamLimitsSchema, type NewKey, type NewTeam } from './words.ts'

/** The teams of an engine and their keys, stored in its store. Without this plugin, an engine has one team without limits. */
export interface Teams {
  create(team?: NewTeam): Promise<Team>
  list(): Promise<readonly Team[]>
  /** Rejects with `not_found` if there is no such team. */
  get(id: string): Promise<Team>
  setLimits(id: string, limits: TeamLimits): Promise<Team>
  /** Returns the stored limits of a team, at most a second old, or `undefined` if it has no record. */
  limitsOf(id: string): Promise<TeamLimits | undefined>
  /** Creates a key. This is the only time that the key itself is returned; only its hash is stored. */
  createKey(team: string, options?: NewKey): Promise<{ readonly key: string; readonly info: TeamKey }>
  listKeys(team: string): Promise<readonly TeamKey[]>
  /** Resolves to true if this call revoked the key. It stops working everywhere within a second. */
  revokeKey(team: string, id: string): Promise<boolean>
  /** Returns the owner and permissions of a key, or `undefined` if it is unknown, revoked or expired. */
  verify(key: string): Promise<KnownKey | undefined>
}

const records = layout<Team>(1, { id: 'text' })
const teamIds = hostingKeys.teamIds()

export interface TeamsOptions {
  /** Returns whether the team may continue with its last known limits while its record cannot be read. */
  readonly goesOn?: (team: string) => boolean
  /** The existing endpoint groups. */
  readonly groups: readonly string[]
}

/**
 * Creates the functions for the teams in a store and their keys. `goesOn` decides which teams keep their last known limits
 * while the store cannot be read; by default, none does. `get`, `setLimits`, `createKey` and `listKeys` reject with
 * `not_found` for an unknown team, `create` with `conflict` for an id that exists, and invalid input with `invalid_request`.
 */
export function makeTeams(store: Store, clock: Clock, { goesOn = () => false, groups }: TeamsOptions): Teams {
  const rights = checkGroups(groups)
  const find = async (id: string): Promise<Team | undefined> => records.open('The team', await store.get(keyOf(id)))
  const get = async (id: string): Promise<Team> => {
    const team = await find(id)
    if (team) return team
    throw new EngineError('not_found', `The team ${id} does not exist. Create it first.`)
  }
  const keys = makeKeys(store, clock, find, rights)
  const known = knownLimits({ find, clock, goesOn })
  return {
    create: async (input = {}) => {
      const { id = randomUUID(), name, limits = {} } = rights.team(check(newTeamSchema, input))
      const team: Team = { id, limits, createdAt: new Date(clock.now()).toISOString(), ...(name && { name }) }
      await store.update(keyOf(id), (old) => {
        if (old !== undefined) throw new EngineError('conflict', `The team ${id} already exists. Choose another id.`)
        return records.seal(team)
      })
      known.forget(id)
      await addToList(store, teamIds, [id])
      return team
    },
    list: async () => {
      const ids = ((await store.get(teamIds)) as readonly string[] | undefined) ?? []
      const teams = await Promise.all([...new Set(ids)].map(find))
      return teams.filter((team): team is Team => team !== undefined)
    },
    get,
    setLimits: async (id, input) => {
      const { limits } = rights.team({ limits: check(teamLimitsSchema, input) })
      const team = { ...(await get(id)), limits }
      await store.update(keyOf(id), (old) => (old === undefined ? old : records.seal(team)))
      known.forget(id)
      return team
    },
    createKey: async (team, options) => keys.create(await get(team), options),
    listKeys: async (team) => keys.list((await get(team)).id),
    revokeKey: keys.revoke,
    limitsOf: known.of,
    verify: keys.verify,
  }
}

function keyOf(id: string): string {
  return hostingKeys.team(JSON.stringify(id))
}
