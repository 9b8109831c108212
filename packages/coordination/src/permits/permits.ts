import { EngineError, type Stop, elapsed } from '@harvestman/ports'
import { untilAborted } from '@harvestman/toolbox/until-aborted'
import { runWithoutOverlap } from '../records/run-without-overlap.ts'
import type { GroupCommit } from '../records/group-commit.ts'
import { watchKey } from '../records/watch.ts'
import {
  dividePermits,
  fairShare,
  countFree,
  noHolding,
  doOthersLackPermits,
  countWaiting,
  type Holdings,
  type Usage,
} from './division.ts'
import {
  groupLife,
  groupKey,
  groupWrites,
  enginesInGroup,
  dropDeadHoldings,
  readGroups,
  replacePool,
  type Group,
} from './groups.ts'
import {
  findDeadEngines,
  joinEngines,
  leaveEngines,
  makeHolder,
  membershipOf,
  type Holder,
  type HolderOptions,
  type Membership,
} from './holders.ts'

/**
 * A semaphore for all engines on a store: in each pool, at most as many tasks run at once as the pool has permits. An engine
 * acquires the permits it needs with one write, and releases them when it no longer needs them or others lack some. All of its
 * permits depend on one lease, so permits of a dead engine are released when the lease expires. A task that finds a permit of
 * this engine needs no call of the store, and an engine that is alone on its store never calls it.
 */
export interface Permits {
  /** Returns whether one more task may start here now. Changes nothing: the caller must count the task as running at once. */
  mayBegin(pool: string, limit: number, running: number, user: PermitUser): boolean
  /** Returns whether this engine has, or could acquire, a free permit. Changes nothing. */
  isFree(pool: string, limit: number, running: number): boolean
  /** Requests more permits for this engine. `wake` is called when there are more. */
  ask(pool: string, limit: number, user: PermitUser): void
  /** Reports that a task of the pool has ended, and is no longer counted in `running`. */
  ended(pool: string, running: number): void
  /** Returns whether one more task may wait for a permit: at most `queue` tasks wait, on all engines together. */
  mayWait(pool: string, terms: WaitTerms, user: PermitUser): Promise<boolean>
  close(): Promise<void>
}

/** The part of an engine that uses a kind of pools. */
export interface PermitUser {
  /** There are few pools: each is watched, so that permits that other engines lack are handed over at once. */
  readonly isWatched: boolean
  usage(pool: string): Usage
  /** Called when there may be a permit. */
  wake(pool: string): void
}

export interface WaitTerms {
  /** Number of permits of the pool. */
  readonly limit: number
  /** Maximum number of waiting tasks on all engines. */
  readonly queue: number
  readonly signal: AbortSignal
  /** Called when the task may wait; must count it as waiting at once. */
  readonly onQueued: () => void
}

/** `pollInterval` is in milliseconds; at this interval the engine also reads whether others lack permits. Default: one second. */
export type PermitsOptions = Omit<HolderOptions, 'changed' | 'publish' | 'lost' | 'pollInterval'> & {
  readonly pollInterval?: number
}

/** State of a pool on this engine. */
interface Pool {
  readonly name: string
  readonly group: string
  readonly user: PermitUser
  limit: number
  /** Holdings as last read or written. */
  holdings: Holdings | undefined
  has: number
  /** Maximum number of running tasks: less than `has` if other engines lack permits. */
  cap: number
  /** Number of pending writes, the number of the last completed write, and the time when one began. */
  writing: number
  lastWrite: number
  writtenAt: number
  /** Tasks that may wait but are not counted as waiting yet. */
  readonly joining: Set<object>
  listening: Promise<Stop> | undefined
}

interface Self extends PermitsOptions {
  readonly pollInterval: number
  readonly holder: Holder
  readonly commit: GroupCommit<Group>
  readonly pools: Map<string, Pool>
  /** Groups that must be read again. */
  readonly stale: Set<string>
  readonly readStale: () => void
  dead: ReadonlySet<string>
  writes: number
  isOver: boolean
}

const defaultPollInterval = 1_000
const closeWithin = 5_000

/** Permits of an engine whose store no other engine can use: it counts by itself. */
export const unshared: Permits = {
  mayBegin: () => true,
  isFree: () => true,
  ask: () => undefined,
  ended: () => undefined,
  mayWait: async (pool, { limit, queue, onQueued }, user) => {
    const isIn = user.usage(pool).wants < limit + queue
    if (isIn) onQueued()
    return isIn
  },
  close: async () => undefined,
}

/**
 * Opens the permits of this process; all processes on the store share them. While the store has been unavailable for longer
 * than the lease time, nothing may begin. `mayWait` rejects with the signal's reason, with `closed` after `close`, and if the
 * store fails. `close` takes 5 seconds at most and never rejects.
 */
export function openPermits({ pollInterval = defaultPollInterval, ...options }: PermitsOptions): Permits {
  const pools = new Map<string, Pool>()
  const tickOnce = runWithoutOverlap(() => tick(self))
  const readOnce = runWithoutOverlap(() => read(self, takeAll(self.stale), false))
  const timer = setInterval(() => void tickOnce().catch(() => undefined), pollInterval).unref()
  const self: Self = {
    ...{ ...options, pollInterval, pools, stale: new Set(), dead: new Set(), writes: 0, isOver: false },
    commit: groupWrites(options.store, () => self.dead),
    readStale: () => void readOnce().catch(() => undefined),
    holder: makeHolder({
      ...{ ...options, pollInterval },
      changed: () => pools.forEach(({ name, user }) => user.wake(name)),
      publish: async () => void (await Promise.all([...pools.values()].map((pool) => write(self, pool)))),
      lost: () => pools.forEach((pool) => Object.assign(pool, { has: 0, cap: 0, holdings: undefined })),
    }),
  }
  const membership = (): Membership => {
    const now = membershipOf(self.holder)
    if (now === 'out') joinEngines(self.holder)
    return now
  }
  return {
    mayBegin: (name, limit, running, user) => {
      const { cap } = poolOf(self, name, limit, user)
      const now = membership()
      return now === 'alone' || (now === 'member' && running < cap)
    },
    isFree: (name, limit, running) => {
      const pool = pools.get(name)
      if (!pool || membershipOf(self.holder) !== 'member' || running < pool.cap) return true
      return countFree(pool.holdings ?? {}, limit) > 0
    },
    ask: (name, limit, user) => {
      const pool = poolOf(self, name, limit, user)
      if (pool.writing === 0) settle(self, pool, { keeps: true, publishesNeed: true })
    },
    ended: (name, running) => {
      const pool = pools.get(name)
      if (pool && pool.has > running) ended(self, pool)
    },
    mayWait: async (name, terms, user) => {
      while (membership() === 'out') await untilAborted(refreshMembership(self), terms.signal)
      if (membership() === 'alone') return unshared.mayWait(name, terms, user)
      return mayWait(self, poolOf(self, name, terms.limit, user), terms)
    },
    close: async () => {
      clearInterval(timer)
      // If the store does not respond, the permits are free once the lease of this engine has expired.
      const enough = Promise.withResolvers<void>()
      const closeTimer = setTimeout(enough.resolve, closeWithin)
      await Promise.race([close(self).catch(() => undefined), enough.promise])
      clearTimeout(closeTimer)
    },
  }
}

function poolOf({ pools }: Self, name: string, limit: number, user: PermitUser): Pool {
  let pool = pools.get(name)
  if (!pool) {
    const nothing = { holdings: undefined, listening: undefined, joining: new Set<object>() }
    const none = { has: 0, cap: 0, writing: 0, lastWrite: 0, writtenAt: 0 }
    pool = { ...nothing, ...none, name, group: groupKey(name, user.isWatched), user, limit }
    pools.set(name, pool)
  }
  pool.limit = limit
  return pool
}

/** Adds this engine's claim to the holdings of the pool, plus `more` tasks that may wait. */
function claim({ holder }: Self, pool: Pool, holdings: Holdings, keeps: boolean, more = 0): Holdings {
  const { running, wants } = pool.user.usage(pool.name)
  const all = wants + pool.joining.size + more
  return dividePermits(holdings, { engine: holder.name, limit: pool.limit, running, wants: all, keeps })
}

/** Writes the holdings of a pool: acquires free permits up to the fair share, and releases unneeded ones. */
async function write(
  self: Self,
  pool: Pool,
  change = (holdings: Holdings) => claim(self, pool, holdings, true),
): Promise<void> {
  pool.writing += 1
  pool.writtenAt = elapsed(self.clock)
  try {
    const group = await self.commit.add(pool.group, (group) => {
      const holdings = change(group[pool.name] ?? {})
      // Permits that are being released start nothing from now on, even before the write is confirmed.
      pool.cap = Math.min(pool.cap, holdings[self.holder.name]?.has ?? 0)
      return replacePool(group, pool.name, holdings)
    })
    takeIn(self, pool, group[pool.name] ?? {})
  } finally {
    pool.writing -= 1
    pool.lastWrite = self.writes += 1
    if (self.stale.size > 0) self.readStale()
    listen(self, pool)
  }
}

/** Applies holdings that were written or read. With `fair`, at most that many tasks may start. */
function takeIn({ holder }: Self, pool: Pool, holdings: Holdings, fair?: number): void {
  const { has } = holdings[holder.name] ?? noHolding
  const [hadMore, before] = [has > pool.has, pool.cap]
  const isLacking = doOthersLackPermits(holdings, holder.name)
  pool.holdings = holdings
  pool.has = has
  pool.cap = Math.min(has, fair ?? (isLacking && !hadMore ? pool.cap : has))
  if (pool.cap > before) pool.user.wake(pool.name)
}

/** Writes the holdings of a pool if necessary. With `publishesNeed`, also if only the number of needed permits has changed. */
function settle(self: Self, pool: Pool, { keeps, publishesNeed }: { keeps: boolean; publishesNeed: boolean }): void {
  const { name } = self.holder
  if (self.isOver || membershipOf(self.holder) !== 'member') return
  if (pool.writing > 0) return readAgain(self, pool)
  const known = pool.holdings ?? {}
  const mine = known[name] ?? noHolding
  const next = claim(self, pool, known, keeps)[name] ?? noHolding
  const isPublished =
    next.wants === mine.wants || (Math.max(next.wants, mine.wants) <= mine.has && !doOthersLackPermits(known, name))
  const isFresh = mine.has === 0 || elapsed(self.clock) - pool.writtenAt < groupLife / 4
  if (pool.holdings && next.has === mine.has && (isPublished || !publishesNeed) && isFresh) return listen(self, pool)
  write(self, pool, (holdings) => claim(self, pool, holdings, keeps)).catch(() => undefined)
}

function ended(self: Self, pool: Pool): void {
  const isTight = pool.user.isWatched && countFree(pool.holdings ?? {}, pool.limit) <= 0
  if (pool.cap < pool.has || (isTight && pool.user.usage(pool.name).wants < pool.has))
    settle(self, pool, { keeps: false, publishesNeed: false })
}

async function mayWait(self: Self, pool: Pool, { queue, signal, onQueued }: WaitTerms): Promise<boolean> {
  const me = {}
  let isIn = false
  const change = (holdings: Holdings): Holdings => {
    pool.joining.delete(me)
    const next = claim(self, pool, holdings, true, 1)
    isIn = countWaiting(next) <= queue
    if (isIn) pool.joining.add(me)
    return isIn ? next : holdings
  }
  const join = async (): Promise<void> => {
    try {
      await write(self, pool, change)
    } finally {
      pool.joining.delete(me)
    }
    // Called without an `await` after the line above, so that the task is counted exactly once at every moment.
    if (isIn && !signal.aborted) onQueued()
  }
  await untilAborted(join(), signal)
  return isIn
}

/** Reads groups in one call, and checks whether other engines lack permits, or have released some that are needed here. */
async function read(self: Self, keys: readonly string[], isTick: boolean): Promise<void> {
  if (keys.length === 0) return
  const since = self.writes
  const groups = await readGroups(self.store, keys)
  if (isTick) await dropDeadEngines(self, groups)
  for (const pool of self.pools.values()) {
    const group = groups.get(pool.group)
    if (!group) continue
    // The read may be older than a pending write: the group is read again after all writes.
    const isOlder = pool.writing > 0 || pool.lastWrite > since
    if (!isOlder) applyHoldings(self, pool, dropDeadHoldings(group[pool.name], self.dead), isTick)
    else if (!isTick) readAgain(self, pool)
  }
}

function readAgain({ stale, readStale }: Self, { group, writing }: Pool): void {
  stale.add(group)
  if (writing === 0) readStale()
}

async function dropDeadEngines(self: Self, groups: ReadonlyMap<string, Group>): Promise<void> {
  self.dead = await findDeadEngines(self.holder, [...new Set([...groups.values()].flatMap(enginesInGroup))])
  for (const [key, group] of groups) {
    if (!enginesInGroup(group).some((name) => self.dead.has(name))) continue
    self.commit.add(key, (live) => live).catch(() => undefined)
  }
}

function applyHoldings(self: Self, pool: Pool, holdings: Holdings, isTick: boolean): void {
  const { name } = self.holder
  const isLacking = doOthersLackPermits(holdings, name)
  // Keep permits that are unused for only a moment.
  const keeps = !isTick && !isLacking
  const fair = isLacking ? fairShare(claim(self, pool, holdings, keeps), pool.limit, name) : Infinity
  takeIn(self, pool, holdings, fair)
  settle(self, pool, { keeps, publishesNeed: isTick })
}

/** Watches the group of a pool for changes by other engines, while that is useful. */
function listen(self: Self, pool: Pool): void {
  if (pool.listening || !isOfUse(self, pool)) return
  const onChange = (): void => readAgain(self, pool)
  pool.listening = watchKey(self.store, pool.group, onChange, { every: self.pollInterval })
  // The group may have changed before the watch began.
  void pool.listening.then(onChange)
}

function isOfUse({ isOver, holder }: Self, { name, user, has }: Pool): boolean {
  return !isOver && membershipOf(holder) === 'member' && (user.usage(name).wants > has || (user.isWatched && has > 0))
}

async function unlisten(pool: Pool): Promise<void> {
  const stop = await pool.listening
  pool.listening = undefined
  await stop?.()
}

/** Polls all pools with one call of the store, and the leases of their engines with another. */
async function tick(self: Self): Promise<void> {
  const { pools, holder } = self
  for (const pool of pools.values()) {
    if (pool.listening && !isOfUse(self, pool)) void unlisten(pool)
    const { running, wants } = pool.user.usage(pool.name)
    if (pool.has + pool.writing + running + wants > 0) continue
    pools.delete(pool.name)
    // It may have been refused before, with no need for a permit since. It gets no more wake-ups, so it must ask again.
    pool.user.wake(pool.name)
  }
  const keys = new Set([...pools.values()].map(({ group }) => group))
  if (membershipOf(holder) === 'member') await read(self, [...keys], true)
}

async function close(self: Self): Promise<void> {
  const pools = [...self.pools.values()]
  const held = membershipOf(self.holder) === 'member' ? pools : []
  self.isOver = true
  const nothing = { engine: self.holder.name, running: 0, wants: 0, keeps: false }
  const release = (pool: Pool) =>
    write(self, pool, (holdings) => dividePermits(holdings, { ...nothing, limit: pool.limit }))
  await Promise.allSettled(held.map(release))
  await Promise.all(pools.map(unlisten))
  await self.commit.idle()
  await leaveEngines(self.holder)
}

/** Refreshes the membership of an engine that is out, which may have to wait for the engine that was alone. */
async function refreshMembership({ holder, isOver }: Self): Promise<void> {
  if (isOver) throw new EngineError('closed', 'The engine was closed.')
  await holder.look()
  if (membershipOf(holder) === 'out') await new Promise((resolve) => setTimeout(resolve, holder.pollInterval))
}

function takeAll(names: Set<string>): readonly string[] {
  const all = [...names]
  names.clear()
  return all
}
