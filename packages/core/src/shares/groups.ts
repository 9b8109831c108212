import { hash64 } from '../lib/hash64.ts'
import type { Stop, Store, Value } from '@harvestman/ports'
import { makeGroupCommit } from '../records/group-commit.ts'
import { layout } from '../records/layout.ts'
import { watchKey } from '../records/watch.ts'
import type { Stakes } from './stakes.ts'
import { getMany } from '../records/get-many.ts'

/** Pools that are kept in one value, by name: so what is asked of many of them at once is one write. */
export type Group = Readonly<Record<string, Stakes>>

/** The groups of all pools, in the store. */
export interface Groups {
  /** What is known of a pool since its group was read or written last. */
  known(group: string, pool: string): Stakes | undefined
  /** Changes the stakes in one pool. */
  change(group: string, pool: string, change: (stakes: Stakes) => Stakes): Promise<void>
  /** Reads groups again, in one call, and shows what is kept, also of engines whose stakes are void. */
  look(groups: readonly string[], seen: (group: string, value: Group) => void): Promise<void>
  /** Hears of what others write, until `listenTo` leaves the group out. */
  listen(group: string): void
  /** Listens to no others than these. */
  listenTo(groups: ReadonlySet<string>): void
  /** Knows nothing of other groups than these any more. */
  keep(groups: ReadonlySet<string>): void
  /** Leaves these engines out of a group. */
  clear(group: string): Promise<void>
  close(): Promise<void>
}

export interface GroupsOptions {
  readonly store: Store
  /** Engines whose stakes are void. */
  readonly dead: () => ReadonlySet<string>
  readonly lookEvery: number
  /** The group was written by this engine, or read: because others wrote it, or by `look`. */
  readonly came: (group: string, value: Group, how: 'written' | 'heard' | 'looked') => void
}

const groupsOfMany = 4_096
// What is in use is written more often.
export const groupLife = 86_400_000
const groupLayout = layout<{ readonly pools: Group }>(1)

// oxlint-disable-next-line max-lines-per-function -- short steps that share what is known of the groups
export function openGroups({ store, dead, lookEvery, came }: GroupsOptions): Groups {
  const read = new Map<string, Group>()
  const watched = new Map<string, Promise<Stop>>()
  /** Groups that are being read, and whether they were written meanwhile. */
  const reading = new Map<string, boolean>()

  const take = (group: string, value: Group, how: 'written' | 'heard' | 'looked'): void => {
    read.set(group, value)
    came(group, value, how)
  }
  const commit = makeGroupCommit<Group>(async (key, change) => {
    const write = (old: Value | undefined): Value => groupLayout.seal({ pools: change(without(groupIn(old), dead())) })
    return groupIn(await store.update(key, write, { ttl: groupLife }))
  })
  const readAgain = async (group: string): Promise<void> => {
    do {
      reading.set(group, false)
      take(group, without(groupIn(await store.get(group)), dead()), 'heard')
    } while (reading.get(group) === true)
  }
  const heard = (group: string): void => {
    if (reading.has(group)) return void reading.set(group, true)
    void readAgain(group)
      .catch(() => undefined)
      .finally(() => reading.delete(group))
  }
  const unlisten = async (group: string): Promise<void> => {
    const stop = watched.get(group)
    watched.delete(group)
    await (
      await stop
    )?.()
  }
  return {
    known: (group, pool) => {
      const value = read.get(group)
      return value && (value[pool] ?? {})
    },
    change: async (group, pool, change) =>
      take(group, await commit.add(group, (pools) => withPool(pools, pool, change(pools[pool] ?? {}))), 'written'),
    look: async (groups, seen) => {
      const values = await getMany(store, groups)
      for (const [index, group] of groups.entries()) {
        const value = groupIn(values[index])
        seen(group, value)
        take(group, without(value, dead()), 'looked')
      }
    },
    listen: (group) => {
      if (watched.has(group)) return
      const stop = watchKey(store, group, () => heard(group), { every: lookEvery })
      watched.set(group, stop)
      // What was written before it was watched.
      void stop.then(() => heard(group))
    },
    listenTo: (groups) => {
      for (const group of watched.keys()) if (!groups.has(group)) void unlisten(group)
    },
    keep: (groups) => {
      for (const group of read.keys()) if (!groups.has(group)) read.delete(group)
    },
    clear: async (group) => take(group, await commit.add(group, (pools) => pools), 'written'),
    close: async () => {
      await Promise.all([...watched.keys()].map(unlisten))
      await commit.idle()
    },
  }
}

/** The key of a group: few pools have a value each, and many have one together. */
export function groupOf(pool: string, isFew: boolean): string {
  if (isFew) return `shares/${pool}`
  const hash = { high: 0, low: 0 }
  hash64(pool, hash)
  return `shares/${(hash.low >>> 0) % groupsOfMany}`
}

export function enginesIn(group: Group): string[] {
  return Object.values(group).flatMap((stakes) => Object.keys(stakes))
}

function groupIn(kept: Value | undefined): Group {
  return groupLayout.open('The places of a pool', kept)?.pools ?? {}
}

function withPool(group: Group, name: string, stakes: Stakes): Group {
  const { [name]: _, ...others } = group
  return Object.keys(stakes).length === 0 ? others : { ...others, [name]: stakes }
}

function without(group: Group, dead: ReadonlySet<string>): Group {
  if (!enginesIn(group).some((engine) => dead.has(engine))) return group
  const live = (stakes: Stakes): Stakes =>
    Object.fromEntries(Object.entries(stakes).filter(([name]) => !dead.has(name)))
  const pools = Object.entries(group).map(([name, stakes]) => [name, live(stakes)] as const)
  return Object.fromEntries(pools.filter(([, stakes]) => Object.keys(stakes).length > 0))
}
