// Membership of the engines that share a store. The first engine is alone and does not need the store. When another one joins,
// the first publishes its running work, and from then on both use the store. Each engine holds a lease while it lives, so the
// permits of a dead engine are free once its lease has expired.
import { type Clock, type Stop, type Store, type Value, elapsed } from '@harvestman/ports'
import { heartbeat } from '../records/heartbeat.ts'
import { runWithoutOverlap } from '../records/run-without-overlap.ts'
import { coordinationKeys } from '../keys.ts'
import { layout } from '../records/layout.ts'
import { areHeld, lease, leaseWatch, type Lease, type LeaseOptions } from '../records/lease.ts'
import { watchKey } from '../records/watch.ts'

/**
 * Membership: `out` while other engines do not know that this one is alive; `alone` without other engines, `member` with
 * others.
 */
export type Membership = 'out' | 'alone' | 'member'

export interface HolderOptions {
  readonly store: Store
  readonly clock: Clock
  /** The name of this engine. */
  readonly engine: string
  /** Milliseconds without a heartbeat after which an engine counts as dead, and its permits are free. */
  readonly leaseTime: number
  /** Returns whether an engine is known to be dead, so that its lease need not expire first. */
  readonly isDead?: (engine: string) => boolean
  /** Polling interval in milliseconds for the list of engines, where the store has no change notifications. */
  readonly pollInterval: number
  /** Called when the membership has changed: tasks may start now, or need the store from now on. */
  readonly changed: () => void
  /** Publishes the work that this engine has started while it was alone. */
  readonly publish: () => Promise<void>
  /** Called when other engines have declared this one dead and taken its permits. */
  readonly lost: () => void
}

/** This engine among the others. */
export interface Holder extends HolderOptions {
  readonly terms: Pick<LeaseOptions, 'ttl' | 'watch' | 'isDead'>
  /** Changes after others have declared the engine dead. */
  name: string
  timesLost: number
  lease: Lease | undefined
  /** Membership according to the list of engines. */
  listed: Membership
  /** Time of the last heartbeat that reached the store. */
  shownAt: number
  /** The last refresh did not complete. */
  isUnsure: boolean
  isOver: boolean
  /** Sends a heartbeat. */
  readonly beat: () => Promise<void>
  /** Refreshes this engine's membership. */
  readonly look: () => Promise<void>
  stop: Stop | undefined
}

interface Members {
  readonly engines: readonly string[]
  /** True if the first engine does not use the store. */
  readonly isAlone: boolean
}

const key = coordinationKeys.engines()
const membersLayout = layout<Members>(1, { engines: 'list' })
/** Number of other engines that each engine monitors, so that reads do not grow with the square of the number of engines. */
const maxMonitored = 16

/** Creates this engine's membership among the engines on the store. It has no effect until `joinEngines` is called. */
export function makeHolder(options: HolderOptions): Holder {
  // Leases under its own name may be its own, from writes whose result was lost, so it may take them again.
  const isDead = (other: string): boolean => other === self.name || options.isDead?.(other) === true
  const self: Holder = {
    ...options,
    terms: { ttl: options.leaseTime, watch: leaseWatch(options.clock), isDead },
    ...{ name: options.engine, timesLost: 0, lease: undefined, listed: 'out', isUnsure: true, isOver: false },
    shownAt: Number.NEGATIVE_INFINITY,
    stop: undefined,
    beat: runWithoutOverlap(() => beat(self)),
    look: runWithoutOverlap(() => look(self)),
  }
  return self
}

/** Returns the membership. It also changes by time alone: an engine without a heartbeat for its lease time is `out`. */
export function membershipOf(self: Holder): Membership {
  return isSilent(self) ? 'out' : self.listed
}

function isSilent({ clock, leaseTime, shownAt }: Holder): boolean {
  return elapsed(clock) - shownAt >= leaseTime
}

/**
 * Joins the engines on the store, unless it has already joined. Returns at once and does not throw: store failures are retried
 * at the next poll. Does nothing after `leaveEngines`.
 */
export function joinEngines(self: Holder): void {
  if (self.stop || self.isOver) return
  const stopBeating = heartbeat(self.beat, self.leaseTime / 3)
  const hear = (): void => void self.look().catch(() => undefined)
  const ticking = setInterval(() => {
    if (self.isUnsure || membershipOf(self) === 'out') hear()
  }, self.pollInterval).unref()
  const watching = watchKey(self.store, key, hear, { every: self.pollInterval })
  void watching.then(hear)
  self.stop = async () => {
    stopBeating()
    clearInterval(ticking)
    await watching.then((stop) => stop())
    await self.look()
  }
}

/** Removes this engine from the list of engines and releases its lease. Never rejects; it cannot join again. */
export async function leaveEngines(self: Holder): Promise<void> {
  self.isOver = true
  if (!self.stop) return
  await self.stop().catch(() => undefined)
  const without = (old: Members): Members => ({ ...old, engines: old.engines.filter((one) => one !== self.name) })
  await update(self, without).catch(() => undefined)
  await self.lease?.release().catch(() => undefined)
}

async function beat(self: Holder): Promise<void> {
  // Taken before the write, so that this engine never believes longer than the others that it is alive.
  const at = elapsed(self.clock)
  const held = self.lease
  self.lease ??= await lease(self.store, leaseKey(self.name), { ...self.terms, owner: self.name })
  if (!self.lease) return
  if (held && !(await held.renew())) return lose(self)
  const before = membershipOf(self)
  self.shownAt = at
  if (before !== membershipOf(self)) self.changed()
}

/** Handles that others have declared this engine dead. Its old name is never used again. */
function lose(self: Holder): void {
  self.timesLost += 1
  Object.assign(self, { lease: undefined, name: `${self.engine}/${self.timesLost}`, listed: 'out' })
  self.lost()
  self.look().catch(() => undefined)
}

async function look(self: Holder): Promise<void> {
  if (self.isOver) return
  self.isUnsure = true
  if (!self.lease || isSilent(self)) await self.beat()
  if (self.lease) await findPlace(self, open(await self.store.get(key)))
  self.isUnsure = false
}

async function findPlace(self: Holder, found: Members): Promise<void> {
  const { name } = self
  const dead = await findDeadEngines(self, monitoredEngines(name, found.engines))
  const isRight = dead.size === 0 && found.engines.includes(name) && (found.engines.length > 1 || found.isAlone)
  const { engines, isAlone } = isRight ? found : await update(self, (old) => entered(old, name, dead))
  if (!isAlone) return setMembership(self, 'member')
  // The first engine works alone until it has published its running work. Engines that joined later wait for that.
  if (engines[0] !== name) return setMembership(self, 'out')
  if (engines.length === 1) return setMembership(self, 'alone')
  setMembership(self, 'member')
  await self.publish()
  await update(self, (old) => (old.engines[0] === name ? { ...old, isAlone: old.engines.length === 1 } : old))
  self.look().catch(() => undefined)
}

function setMembership(self: Holder, listed: Membership): void {
  const before = membershipOf(self)
  self.listed = listed
  if (before !== membershipOf(self)) self.changed()
}

async function update({ store }: Holder, change: (members: Members) => Members): Promise<Members> {
  return open(await store.update(key, (old) => membersLayout.seal(change(open(old)))))
}

/** Reads the list of engines. A damaged list is rebuilt: all live engines enter it again when they refresh. */
function open(kept: Value | undefined): Members {
  const found = membersLayout.openWhole('The list of engines', kept)
  return found?.engines.every((one) => typeof one === 'string') ? found : { engines: [], isAlone: false }
}

/**
 * Adds an engine to the list. A single engine is alone. If the engine that was alone is dead, the others need not wait for it.
 */
function entered({ engines, isAlone }: Members, name: string, dead: ReadonlySet<string>): Members {
  const live = engines.filter((other) => !dead.has(other))
  const all = live.includes(name) ? live : [...live, name]
  return { engines: all, isAlone: all.length === 1 || (isAlone && all[0] === engines[0]) }
}

/**
 * Returns up to 16 engines after this one in the list, wrapping around. Each engine monitors the ones after it. A name that is
 * not in the list gets the first ones.
 */
export function monitoredEngines(name: string, engines: readonly string[]): readonly string[] {
  const next = engines.indexOf(name) + 1
  return [...engines.slice(next), ...engines.slice(0, next)].filter((other) => other !== name).slice(0, maxMonitored)
}

/**
 * Returns those of the engines that are dead, never this one: their permits may be given to others. Takes and releases
 * the lease of each, so that an engine that was only slow notices that others have declared it dead. Rejects if the
 * store fails.
 */
export async function findDeadEngines(self: Holder, engines: readonly string[]): Promise<ReadonlySet<string>> {
  const { store, name, terms } = self
  const others = engines.filter((other) => other !== name)
  const live = await areHeld(store, others.map(leaseKey), terms)
  const silent = others.filter((_, index) => live[index] !== true)
  // Its lease is taken, so that an engine that was only slow notices.
  const take = async (other: string) => (await lease(store, leaseKey(other), { ...terms, owner: name }))?.release()
  await Promise.all(silent.map(take))
  return new Set(silent)
}

function leaseKey(engine: string): string {
  return coordinationKeys.engine(engine)
}
