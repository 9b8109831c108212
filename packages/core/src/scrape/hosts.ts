import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import type { Clock, Store, Value } from '@harvestman/ports'
import { storeKeys } from '../keys.ts'
import type { Block } from '../plugin/parts.ts'

/** A known host: the step that its pages need, or that no step helps against its blocks. */
export interface KnownHost {
  readonly host: string
  /** When to start with the first step again, in milliseconds since 1970. */
  readonly until: number
  /** Step that got past a block. Absent if the pages need scripts. */
  readonly step?: HostStep | undefined
  /** Why the first step was blocked. */
  readonly reason?: string | undefined
}

/** Loader and proxy tier that returned a page. */
export interface HostStep {
  readonly loader: string
  readonly tier: 'basic' | 'enhanced'
}

/** Steps of a plan: its loaders, through each of its tiers. */
export interface HostSteps {
  readonly loaders: readonly string[]
  readonly tiers: readonly HostStep['tier'][]
}

/** A block that none of these steps got past. */
export interface HopelessBlock extends HostSteps {
  /** When to try again, in milliseconds since 1970. */
  readonly until: number
}

/**
 * Remembers which hosts show no content without a browser, and which step gets past their blocks, so that their next pages
 * start there. Steps are skipped only if all of them were blocked on several pages in succession.
 *
 * Each team has its own memory, because it reveals which hosts the team has visited.
 */
export interface HostMemory {
  find(host: string, team: string): Promise<KnownHost | undefined>
  /** Records that HTTP returned a shell of this host and the browser rendered it. */
  sawShell(host: string, team: string): Promise<void>
  /** Records that this step returned a page after the first one was blocked for this reason. */
  sawPassage(host: string, team: string, step: HostStep, reason: string): Promise<void>
  /** Records that every one of these steps was blocked, the first one by this signal. After several, the steps are skipped. */
  sawWall(host: string, team: string, signal: Block['signal'], steps: HostSteps): Promise<void>
  /** Returns the record that none of these steps gets past a block with this signal, if any. */
  findHopeless(
    host: string,
    team: string,
    signal: Block['signal'],
    steps: HostSteps,
  ): Promise<HopelessBlock | undefined>
  /** Records that HTTP returned a page of this host that needs no scripts. */
  sawPage(host: string, team: string): Promise<void>
  forget(host: string, team: string): Promise<void>
}

interface Lasting {
  readonly until: number
  /** Milliseconds for which the last record was valid. */
  readonly rest: number
}

interface HostRecord extends Lasting {
  readonly step?: HostStep
  readonly reason?: string
  readonly hopeless?: Readonly<Partial<Record<Block['signal'], Lasting & HostSteps>>>
}

const firstRest = 3_600_000
/** Pages that are blocked at every step before the steps are skipped: a single one may be forbidden to everyone. */
const hopelessAfter = 2
const hostsWatched = 10_000
// Milliseconds for which a value is cached in memory: every page of a host needs it.
const believedFor = 5_000

/**
 * Creates a host memory in a store. Records are valid for up to `longest` milliseconds; 0 disables the memory, so no host is
 * known. Calls reject if the store fails.
 */
export function makeHostMemory(store: Store, clock: Clock, longest: number): HostMemory {
  if (longest <= 0) return forgetful
  // Number of good pages without scripts, by host. One shell or block among many pages is no reason to change the loader.
  const good = recentlyUsed<string, number>(hostsWatched)
  const doubted = recentlyUsed<string, true>(hostsWatched)
  const { read, renew, drop } = recordsIn(store, clock, longest)
  /** Stores how pages of a host start. Pages loaded at the same moment count as one finding. */
  const learn = async (key: string, lesson: Pick<HostRecord, 'step' | 'reason'>): Promise<void> => {
    const count = good.get(key) ?? 0
    if (count > 0) return good.set(key, count - 1)
    doubted.delete(key)
    await renew(key, (record, now) => {
      if (record && isResting(record, now) && isSameStep(record, lesson)) return record
      return { ...lesson, ...lasting(record, now, longest), ...(record?.hopeless && { hopeless: record.hopeless }) }
    })
  }
  const walls = watchWalls({ read, renew, drop }, clock, longest)
  return {
    find: async (host, team) => {
      const key = keyOf(host, team)
      const record = await read(key)
      if (!record || record.rest === 0) return undefined
      const { until, step, reason } = record
      if (isResting(record, clock.now())) return { host, until, ...(step && { step, reason }) }
      // The record has expired, so the next page decides whether it still applies.
      doubted.set(key, true)
      return undefined
    },
    sawShell: async (host, team) => learn(keyOf(host, team), {}),
    sawPassage: async (host, team, step, reason) => {
      walls.forget(keyOf(host, team))
      await learn(keyOf(host, team), { step, reason })
    },
    sawWall: async (host, team, signal, steps) => walls.saw(keyOf(host, team), signal, steps),
    findHopeless: async (host, team, signal, steps) => walls.find(keyOf(host, team), signal, steps),
    sawPage: async (host, team) => {
      const key = keyOf(host, team)
      good.set(key, Math.min(5, (good.get(key) ?? 0) + 1))
      walls.forget(key)
      if (!doubted.get(key)) return
      doubted.delete(key)
      await drop(key)
    },
    forget: async (host, team) => {
      const key = keyOf(host, team)
      good.delete(key)
      walls.forget(key)
      await drop(key)
    },
  }
}

function keyOf(host: string, team: string): string {
  return storeKeys.host(JSON.stringify([team, host]))
}

interface HostRecords {
  read(key: string): Promise<HostRecord | undefined>
  renew(key: string, change: (record: HostRecord | undefined, now: number) => HostRecord): Promise<void>
  drop(key: string): Promise<void>
}

function recordsIn(store: Store, clock: Clock, longest: number): HostRecords {
  const found = recentlyUsed<string, { readonly record: HostRecord | undefined; readonly at: number }>(hostsWatched)
  return {
    read: async (key) => {
      const known = found.get(key)
      const age = clock.now() - (known?.at ?? 0)
      if (known && age >= 0 && age < believedFor) return known.record
      const record = asRecord(await store.get(key))
      found.set(key, { record, at: clock.now() })
      return record
    },
    renew: async (key, change) => {
      // Cast: a record is JSON, but an interface has no index signature.
      const again = (old: Value | undefined): Value => change(asRecord(old), clock.now()) as unknown as Value
      await store.update(key, again, { ttl: 2 * longest })
      found.delete(key)
    },
    drop: async (key) => {
      await store.delete(key)
      found.delete(key)
    },
  }
}

/** Remembers the blocks that no step gets past. */
function watchWalls({ read, renew }: HostRecords, clock: Clock, longest: number) {
  // Number of pages that were blocked at every step, by signal and steps.
  const lost = recentlyUsed<string, Map<string, number>>(hostsWatched)
  return {
    saw: async (key: string, signal: Block['signal'], { loaders, tiers }: HostSteps): Promise<void> => {
      const counts = lost.get(key) ?? new Map<string, number>()
      const what = JSON.stringify([signal, loaders.toSorted(), tiers])
      const count = (counts.get(what) ?? 0) + 1
      lost.set(key, counts.set(what, count))
      if (count < hopelessAfter) return
      await renew(key, (record = { until: 0, rest: 0 }, now) => {
        const last = record.hopeless?.[signal]
        if (last && isResting(last, now) && covers(last, { loaders, tiers })) return record
        const hopeless = { ...record.hopeless, [signal]: { loaders, tiers, ...lasting(last, now, longest) } }
        return { ...record, hopeless }
      })
    },
    find: async (key: string, signal: Block['signal'], steps: HostSteps): Promise<HopelessBlock | undefined> => {
      const last = (await read(key))?.hopeless?.[signal]
      return last && isResting(last, clock.now()) && covers(last, steps) ? last : undefined
    },
    forget: (key: string): void => lost.delete(key),
  }
}

function covers({ loaders, tiers }: HostSteps, steps: HostSteps): boolean {
  return steps.loaders.every((one) => loaders.includes(one)) && steps.tiers.every((one) => tiers.includes(one))
}

const nothing = async (): Promise<undefined> => undefined
const forgetful: HostMemory = {
  find: nothing,
  sawShell: nothing,
  sawPassage: nothing,
  sawWall: nothing,
  findHopeless: nothing,
  sawPage: nothing,
  forget: nothing,
}

function lasting(last: Lasting | undefined, now: number, longest: number): Lasting {
  const rest = Math.min(longest, last && last.rest > 0 ? last.rest * 2 : firstRest)
  return { until: now + rest, rest }
}

function isSameStep({ step: one }: Pick<HostRecord, 'step'>, { step: other }: Pick<HostRecord, 'step'>): boolean {
  return one?.loader === other?.loader && one?.tier === other?.tier
}

/** Returns whether the record is still valid. A time too far in the future was written by a clock that was ahead. */
function isResting({ until, rest }: Lasting, now: number): boolean {
  return now < until && until <= now + rest
}

function asRecord(value: unknown): HostRecord | undefined {
  if (typeof value !== 'object' || value === null || !('until' in value) || !('rest' in value)) return undefined
  return value as HostRecord
}
