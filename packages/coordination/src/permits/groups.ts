// Storage of the permits of pools: the pools of one group share a value, so one write updates many at once.
import type { Store, Value } from '@harvestman/ports'
import { hash64 } from '@harvestman/toolbox/hash64'
import { getMany } from '../records/get-many.ts'
import { makeGroupCommit, type GroupCommit } from '../records/group-commit.ts'
import { coordinationKeys } from '../keys.ts'
import { layout } from '../records/layout.ts'
import type { Holdings } from './division.ts'

/** Pools in one stored value, by name. */
export type Group = Readonly<Record<string, Holdings>>

/** Lifetime of a stored group in milliseconds; groups in use are written more often. */
export const groupLife = 86_400_000
const groupsOfMany = 4_096
const groupLayout = layout<{ readonly pools: Group }>(1, { pools: 'record' })

/**
 * Returns the store key of the group of a pool: one of its own with `isWatched`, otherwise one of 4,096 keys that all pools share.
 */
export function groupKey(pool: string, isWatched: boolean): string {
  if (isWatched) return coordinationKeys.permits(pool)
  const hash = { high: 0, low: 0 }
  hash64(pool, hash)
  return coordinationKeys.permits(String((hash.low >>> 0) % groupsOfMany))
}

/**
 * Creates the writer of groups, which removes the engines that are dead at each write. A write rejects if the store fails, or
 * with `newer_version` if a newer version wrote the group.
 */
export function groupWrites(store: Store, dead: () => ReadonlySet<string>): GroupCommit<Group> {
  return makeGroupCommit<Group>(async (key, change) => {
    const write = (old: Value | undefined): Value => groupLayout.seal({ pools: change(without(groupIn(old), dead())) })
    return groupIn(await store.update(key, write, { ttl: groupLife }))
  })
}

/**
 * Reads groups in one call, by key. An absent or damaged group is empty. Rejects if the store fails, or with `newer_version`
 * if a newer version wrote a group.
 */
export async function readGroups(store: Store, keys: readonly string[]): Promise<ReadonlyMap<string, Group>> {
  const values = await getMany(store, keys)
  return new Map(keys.map((key, index) => [key, groupIn(values[index])]))
}

/** Returns the engines that have or need permits in a group; an engine in several pools several times. */
export function enginesInGroup(group: Group): string[] {
  return Object.values(group).flatMap((holdings) => Object.keys(holdings))
}

/** Returns the group with other holdings for one pool. A pool without holdings is removed. */
export function replacePool(group: Group, name: string, holdings: Holdings): Group {
  const { [name]: _, ...others } = group
  return Object.keys(holdings).length === 0 ? others : { ...others, [name]: holdings }
}

/** Returns the holdings of engines that are not dead. */
export function dropDeadHoldings(holdings: Holdings = {}, dead: ReadonlySet<string>): Holdings {
  return Object.fromEntries(Object.entries(holdings).filter(([name]) => !dead.has(name)))
}

function without(group: Group, dead: ReadonlySet<string>): Group {
  if (!enginesInGroup(group).some((engine) => dead.has(engine))) return group
  return Object.entries(group).reduce(
    (all, [name, holdings]) => replacePool(all, name, dropDeadHoldings(holdings, dead)),
    group,
  )
}

/** Reads a group. A damaged one counts as empty: each engine writes its holdings again. */
function groupIn(kept: Value | undefined): Group {
  return groupLayout.openWhole('The permits of a pool', kept)?.pools ?? {}
}
