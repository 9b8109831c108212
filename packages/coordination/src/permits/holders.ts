// The engines that share a store. The first is alone: it need not ask the store for anything. When another comes, the one that
// is alone writes down what it has begun, and from then on both ask. Each holds a lease for as long as it lives, so what an
// engine had that died is free again when its lease is over.
import type { Clock, Stop, Store, Value } from '@harvestman/ports'
import { elapsed } from '@harvestman/ports/adapters'
import { heartbeat } from '../records/heartbeat.ts'
import { rerun } from '../records/rerun.ts'
import { coordinationKeys } from '../keys.ts'
import { layout } from '../records/layout.ts'
import { areHeld, lease, leaseWatch, type Lease, type LeaseOptions } from '../records/lease.ts'
import { watchKey } from '../records/watch.ts'

/** Membership: `out` while others do not know that an engine is alive; `alone` without, `member` with others. */
export type Membership = 'out' | 'alone' | 'member'

export interface HolderOptions {
  readonly store: Store
  readonly clock: Clock
  /** The name of this engine. */
  readonly engine: string
  /** Milliseconds of silence after which an engine is dead, and what it held is free. */
  readonly leaseTime: number
  /** Says of an engine that it is gone for good, so that its silence need not be waited for. */
  readonly isGone?: (engine: string) => boolean
  /** Milliseconds between two looks of an engine at the list of engines, where the store tells nothing of it. */
  readonly lookEvery: number
  /** It may begin what it could not, or must ask for what it need not. */
  readonly changed: () => void
  /** Writes down what this engine has begun while it was alone. */
  readonly publish: () => Promise<void>
  /** Others took this engine for dead, and have what it had. */
  readonly lost: () => void
}

/** This engine among the others. */
export interface Holder extends HolderOptions {
  readonly terms: Pick<LeaseOptions, 'ttl' | 'watch' | 'isGone'>
  /** Another one after it was taken for dead. */
  name: string
  timesLost: number
  lease: Lease | undefined
  /** Membership by the list of engines. */
  listed: Membership
  /** Time at which others learned last that it is alive. */
  shownAt: number
  /** The last look did not come to its end. */
  isUnsure: boolean
  isOver: boolean
  /** Shows that it is alive. */
  readonly beat: () => Promise<void>
  /** Finds out how it stands. */
  readonly look: () => Promise<void>
  stop: Stop | undefined
}

interface Members {
  readonly engines: readonly string[]
  /** True when the first of them asks nothing of the store. */
  readonly isAlone: boolean
}

const key = coordinationKeys.engines()
const membersLayout = layout<Members>(1, { engines: 'list' })
/** Others that an engine sees to, so that what is read does not grow with the square of their number. */
const seenTo = 16

export function makeHolder(options: HolderOptions): Holder {
  // Records under its own name, not known to be written, are its own to take again.
  const isGone = (other: string): boolean => other === self.name || options.isGone?.(other) === true
  const self: Holder = {
    ...options,
    terms: { ttl: options.leaseTime, watch: leaseWatch(options.clock), isGone },
    ...{ name: options.engine, timesLost: 0, lease: undefined, listed: 'out', isUnsure: true, isOver: false },
    shownAt: Number.NEGATIVE_INFINITY,
    stop: undefined,
    beat: rerun(() => beat(self)),
    look: rerun(() => look(self)),
  }
  return self
}

/** It also changes by time alone: who was silent for too long may be dead to others. */
export function membershipOf(self: Holder): Membership {
  return isSilent(self) ? 'out' : self.listed
}

function isSilent({ clock, leaseTime, shownAt }: Holder): boolean {
  return elapsed(clock) - shownAt >= leaseTime
}

/** Comes in, if it has not. */
export function join(self: Holder): void {
  if (self.stop || self.isOver) return
  const stopBeating = heartbeat(self.beat, self.leaseTime / 3)
  const hear = (): void => void self.look().catch(() => undefined)
  const ticking = setInterval(() => {
    if (self.isUnsure || membershipOf(self) === 'out') hear()
  }, self.lookEvery).unref()
  const watching = watchKey(self.store, key, hear, { every: self.lookEvery })
  void watching.then(hear)
  self.stop = async () => {
    stopBeating()
    clearInterval(ticking)
    await watching.then((stop) => stop())
    await self.look()
  }
}

export async function leave(self: Holder): Promise<void> {
  self.isOver = true
  if (!self.stop) return
  await self.stop().catch(() => undefined)
  const without = (old: Members): Members => ({ ...old, engines: old.engines.filter((one) => one !== self.name) })
  await update(self, without).catch(() => undefined)
  await self.lease?.release().catch(() => undefined)
}

async function beat(self: Holder): Promise<void> {
  // Before it is written, so that it never believes longer than the others do.
  const at = elapsed(self.clock)
  const held = self.lease
  self.lease ??= await lease(self.store, leaseKey(self.name), { ...self.terms, owner: self.name })
  if (!self.lease) return
  if (held && !(await held.renew())) return lose(self)
  const before = membershipOf(self)
  self.shownAt = at
  if (before !== membershipOf(self)) self.changed()
}

/** Others took it for dead. Its old name is dead to them for good. */
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
  const gone = await findDead(self, followersOf(name, found.engines))
  const isRight = gone.size === 0 && found.engines.includes(name) && (found.engines.length > 1 || found.isAlone)
  const { engines, isAlone } = isRight ? found : await update(self, (old) => entered(old, name, gone))
  if (!isAlone) return stand(self, 'member')
  // An engine that comes later waits for the one that is alone.
  if (engines[0] !== name) return stand(self, 'out')
  if (engines.length === 1) return stand(self, 'alone')
  stand(self, 'member')
  await self.publish()
  await update(self, (old) => (old.engines[0] === name ? { ...old, isAlone: old.engines.length === 1 } : old))
  self.look().catch(() => undefined)
}

function stand(self: Holder, listed: Membership): void {
  const before = membershipOf(self)
  self.listed = listed
  if (before !== membershipOf(self)) self.changed()
}

async function update({ store }: Holder, change: (members: Members) => Members): Promise<Members> {
  return open(await store.update(key, (old) => membersLayout.seal(change(open(old)))))
}

/** A list that was damaged is made anew: all that live enter it again when they look. */
function open(kept: Value | undefined): Members {
  const found = membersLayout.openWhole('The list of engines', kept)
  return found?.engines.every((one) => typeof one === 'string') ? found : { engines: [], isAlone: false }
}

/** An engine that is by itself is alone. One that was alone and is dead leaves nothing that others would have to wait for. */
function entered({ engines, isAlone }: Members, name: string, gone: ReadonlySet<string>): Members {
  const live = engines.filter((other) => !gone.has(other))
  const all = live.includes(name) ? live : [...live, name]
  return { engines: all, isAlone: all.length === 1 || (isAlone && all[0] === engines[0]) }
}

/** Engines after one in the list, which begins again at its end: each is seen to by as many as it sees to. */
export function followersOf(name: string, engines: readonly string[]): readonly string[] {
  const next = engines.indexOf(name) + 1
  return [...engines.slice(next), ...engines.slice(0, next)].filter((other) => other !== name).slice(0, seenTo)
}

/** Finds the dead among these engines: what they had may be given to others. */
export async function findDead(self: Holder, engines: readonly string[]): Promise<ReadonlySet<string>> {
  const { store, name, terms } = self
  const others = engines.filter((other) => other !== name)
  const live = await areHeld(store, others.map(leaseKey), terms)
  const silent = others.filter((_, index) => live[index] !== true)
  // Taken from it, so that it learns of it when it was only slow.
  const take = async (other: string) => (await lease(store, leaseKey(other), { ...terms, owner: name }))?.release()
  await Promise.all(silent.map(take))
  return new Set(silent)
}

function leaseKey(engine: string): string {
  return coordinationKeys.engine(engine)
}
