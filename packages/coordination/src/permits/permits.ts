import { EngineError, type Stop } from '@harvestman/ports'
import { elapsed, untilAborted } from '@harvestman/ports/adapters'
import { rerun } from '../records/rerun.ts'
import type { GroupCommit } from '../records/group-commit.ts'
import { watchKey } from '../records/watch.ts'
import { divide, fairShare, freeIn, noHolding, othersLack, waitingIn, type Holdings, type Usage } from './division.ts'
import { groupLife, groupOf, groupWrites, holdersIn, liveIn, readGroups, withPool, type Group } from './groups.ts'
import {
  findDead,
  join,
  leave,
  makeHolder,
  membershipOf,
  type Holder,
  type HolderOptions,
  type Membership,
} from './holders.ts'

/**
 * A semaphore for all engines on a store: of each pool, at most as many go on at once as it has permits. An engine holds as
 * many as it has use for, which it takes in one write, until it needs them no more or others lack some; and it holds them
 * under one lease, so those of an engine that died are free when that is over. A page that finds a permit here asks nothing
 * of the store, and an engine that is alone on its store asks nothing for any pool.
 */
export interface Permits {
  /** Returns whether one more may begin here now. Takes nothing: what begins must count as running at once. */
  mayBegin(pool: string, limit: number, running: number, user: PermitUser): boolean
  /** Returns whether there is a permit that this engine has or could have. Asking changes nothing. */
  isFree(pool: string, limit: number, running: number): boolean
  /** Asks for more than this engine has. `wake` is called when there is more. */
  ask(pool: string, limit: number, user: PermitUser): void
  /** Something of the pool has ended, and is not counted as running any more. */
  ended(pool: string, running: number): void
  /** Returns whether one more may wait for a permit: no more than `queue` do, of all engines. */
  mayWait(pool: string, terms: WaitTerms, user: PermitUser): Promise<boolean>
  close(): Promise<void>
}

/** The part of an engine that uses a kind of pools. */
export interface PermitUser {
  /** There are few of them: each is watched for what others lack, so that permits change hands at once. */
  readonly isFew: boolean
  usage(pool: string): Usage
  /** There may be a permit. */
  wake(pool: string): void
}

export interface WaitTerms {
  /** The permits of the pool. */
  readonly limit: number
  /** Most waiters in all. */
  readonly queue: number
  readonly signal: AbortSignal
  /** Is called when this one may wait, and must count it among those that do at once. */
  readonly stand: () => void
}

/** `lookEvery` is also how often an engine looks whether others lack what it has; a second when absent. */
export type PermitsOptions = Omit<HolderOptions, 'changed' | 'publish' | 'lost' | 'lookEvery'> & {
  readonly lookEvery?: number
}

/** A pool as this engine knows it. */
interface Pool {
  readonly name: string
  readonly group: string
  readonly user: PermitUser
  limit: number
  /** Holdings as they were read or written last. */
  holdings: Holdings | undefined
  has: number
  /** No more begin than this: less than it has when others lack some. */
  cap: number
  /** Its writes that are under way, the number of the last one that was not, and when one began. */
  writing: number
  lastWrite: number
  writtenAt: number
  /** Waiters that may wait, and are not yet counted as waiting. */
  readonly joining: Set<object>
  listening: Promise<Stop> | undefined
}

interface Self extends PermitsOptions {
  readonly lookEvery: number
  readonly holder: Holder
  readonly commit: GroupCommit<Group>
  readonly pools: Map<string, Pool>
  /** Groups to be read again. */
  readonly stale: Set<string>
  readonly readStale: () => void
  dead: ReadonlySet<string>
  writes: number
  isOver: boolean
}

const usualLook = 1_000
const closeWithin = 5_000

/** Permits of an engine whose store no other engine can have: it counts by itself. */
export const unshared: Permits = {
  mayBegin: () => true,
  isFree: () => true,
  ask: () => undefined,
  ended: () => undefined,
  mayWait: async (pool, { limit, queue, stand }, user) => {
    const isIn = user.usage(pool).wants < limit + queue
    if (isIn) stand()
    return isIn
  },
  close: async () => undefined,
}

/** Opens the permits of this process; all processes on the store count as one. */
export function openPermits({ lookEvery = usualLook, ...options }: PermitsOptions): Permits {
  const pools = new Map<string, Pool>()
  const tickOnce = rerun(() => tick(self))
  const readOnce = rerun(() => read(self, takeAll(self.stale), false))
  const timer = setInterval(() => void tickOnce().catch(() => undefined), lookEvery).unref()
  const self: Self = {
    ...{ ...options, lookEvery, pools, stale: new Set(), dead: new Set(), writes: 0, isOver: false },
    commit: groupWrites(options.store, () => self.dead),
    readStale: () => void readOnce().catch(() => undefined),
    holder: makeHolder({
      ...{ ...options, lookEvery },
      changed: () => pools.forEach(({ name, user }) => user.wake(name)),
      publish: async () => void (await Promise.all([...pools.values()].map((pool) => write(self, pool)))),
      lost: () => pools.forEach((pool) => Object.assign(pool, { has: 0, cap: 0, holdings: undefined })),
    }),
  }
  const membership = (): Membership => {
    const now = membershipOf(self.holder)
    if (now === 'out') join(self.holder)
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
      return freeIn(pool.holdings ?? {}, limit) > 0
    },
    ask: (name, limit, user) => {
      const pool = poolOf(self, name, limit, user)
      if (pool.writing === 0) settle(self, pool, { keeps: true, tells: true })
    },
    ended: (name, running) => {
      const pool = pools.get(name)
      if (pool && pool.has > running) ended(self, pool)
    },
    mayWait: async (name, terms, user) => {
      while (membership() === 'out') await untilAborted(lookSoon(self), terms.signal)
      if (membership() === 'alone') return unshared.mayWait(name, terms, user)
      return mayWait(self, poolOf(self, name, terms.limit, user), terms)
    },
    close: async () => {
      clearInterval(timer)
      // Permits that a silent store is not given back are free when the lease of this engine is over.
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
    pool = { ...nothing, ...none, name, group: groupOf(name, user.isFew), user, limit }
    pools.set(name, pool)
  }
  pool.limit = limit
  return pool
}

/** The holdings with what this engine has use for, itself and for so many that may wait besides. */
function claim({ holder }: Self, pool: Pool, holdings: Holdings, keeps: boolean, more = 0): Holdings {
  const { running, wants } = pool.user.usage(pool.name)
  const all = wants + pool.joining.size + more
  return divide(holdings, { engine: holder.name, limit: pool.limit, running, wants: all, keeps })
}

/** Takes what is free and fair of a pool, and gives back what is not and need not be kept. */
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
      // Permits that are given back begin nothing from now on, and not only when that is known.
      pool.cap = Math.min(pool.cap, holdings[self.holder.name]?.has ?? 0)
      return withPool(group, pool.name, holdings)
    })
    takeIn(self, pool, group[pool.name] ?? {})
  } finally {
    pool.writing -= 1
    pool.lastWrite = self.writes += 1
    if (self.stale.size > 0) self.readStale()
    listen(self, pool)
  }
}

/** Takes in the holdings of a pool, as they were written, or as they were read, when no more may begin than `fair`. */
function takeIn({ holder }: Self, pool: Pool, holdings: Holdings, fair?: number): void {
  const { has } = holdings[holder.name] ?? noHolding
  const [hadMore, before] = [has > pool.has, pool.cap]
  const isLacking = othersLack(holdings, holder.name)
  pool.holdings = holdings
  pool.has = has
  pool.cap = Math.min(has, fair ?? (isLacking && !hadMore ? pool.cap : has))
  if (pool.cap > before) pool.user.wake(pool.name)
}

/** Writes what has to be written of a pool: when `tells`, also that more or less is wanted and nothing else is new. */
function settle(self: Self, pool: Pool, { keeps, tells }: { keeps: boolean; tells: boolean }): void {
  const { name } = self.holder
  if (self.isOver || membershipOf(self.holder) !== 'member') return
  if (pool.writing > 0) return readAgain(self, pool)
  const known = pool.holdings ?? {}
  const mine = known[name] ?? noHolding
  const next = claim(self, pool, known, keeps)[name] ?? noHolding
  const isTold = next.wants === mine.wants || (Math.max(next.wants, mine.wants) <= mine.has && !othersLack(known, name))
  const isKept = mine.has === 0 || elapsed(self.clock) - pool.writtenAt < groupLife / 4
  if (pool.holdings && next.has === mine.has && (isTold || !tells) && isKept) return listen(self, pool)
  write(self, pool, (holdings) => claim(self, pool, holdings, keeps)).catch(() => undefined)
}

function ended(self: Self, pool: Pool): void {
  const isTight = pool.user.isFew && freeIn(pool.holdings ?? {}, pool.limit) <= 0
  if (pool.cap < pool.has || (isTight && pool.user.usage(pool.name).wants < pool.has))
    settle(self, pool, { keeps: false, tells: false })
}

async function mayWait(self: Self, pool: Pool, { queue, signal, stand }: WaitTerms): Promise<boolean> {
  const me = {}
  let isIn = false
  const change = (holdings: Holdings): Holdings => {
    pool.joining.delete(me)
    const next = claim(self, pool, holdings, true, 1)
    isIn = waitingIn(next) <= queue
    if (isIn) pool.joining.add(me)
    return isIn ? next : holdings
  }
  const join = async (): Promise<void> => {
    try {
      await write(self, pool, change)
    } finally {
      pool.joining.delete(me)
    }
    // Done in one step with the line above, so that it counts once at every moment.
    if (isIn && !signal.aborted) stand()
  }
  await untilAborted(join(), signal)
  return isIn
}

/** Reads groups, in one call, and looks whether others lack what is held here, or have given back what is wanted. */
async function read(self: Self, keys: readonly string[], isTick: boolean): Promise<void> {
  if (keys.length === 0) return
  const since = self.writes
  const groups = await readGroups(self.store, keys)
  if (isTick) await seeToDead(self, groups)
  for (const pool of self.pools.values()) {
    const group = groups.get(pool.group)
    if (!group) continue
    // A read may be older than what was written: the group is read again, when all is written.
    const isOlder = pool.writing > 0 || pool.lastWrite > since
    if (!isOlder) lookAt(self, pool, liveIn(group[pool.name], self.dead), isTick)
    else if (!isTick) readAgain(self, pool)
  }
}

function readAgain({ stale, readStale }: Self, { group, writing }: Pool): void {
  stale.add(group)
  if (writing === 0) readStale()
}

async function seeToDead(self: Self, groups: ReadonlyMap<string, Group>): Promise<void> {
  self.dead = await findDead(self.holder, [...new Set([...groups.values()].flatMap(holdersIn))])
  for (const [key, group] of groups) {
    if (!holdersIn(group).some((name) => self.dead.has(name))) continue
    self.commit.add(key, (live) => live).catch(() => undefined)
  }
}

function lookAt(self: Self, pool: Pool, holdings: Holdings, isTick: boolean): void {
  const { name } = self.holder
  const isLacking = othersLack(holdings, name)
  // Permits that are not used for a moment are kept.
  const keeps = !isTick && !isLacking
  const fair = isLacking ? fairShare(claim(self, pool, holdings, keeps), pool.limit, name) : Infinity
  takeIn(self, pool, holdings, fair)
  settle(self, pool, { keeps, tells: isTick })
}

/** Hears of what others write to a pool, while that is of use. */
function listen(self: Self, pool: Pool): void {
  if (pool.listening || !isOfUse(self, pool)) return
  const heard = (): void => readAgain(self, pool)
  pool.listening = watchKey(self.store, pool.group, heard, { every: self.lookEvery })
  // It may have been written before it was watched.
  void pool.listening.then(heard)
}

function isOfUse({ isOver, holder }: Self, { name, user, has }: Pool): boolean {
  return !isOver && membershipOf(holder) === 'member' && (user.usage(name).wants > has || (user.isFew && has > 0))
}

async function unlisten(pool: Pool): Promise<void> {
  const stop = await pool.listening
  pool.listening = undefined
  await stop?.()
}

/** One call of the store for all pools, however many there are, and one for the leases of the engines in them. */
async function tick(self: Self): Promise<void> {
  const { pools, holder } = self
  for (const pool of pools.values()) {
    if (pool.listening && !isOfUse(self, pool)) void unlisten(pool)
    const { running, wants } = pool.user.usage(pool.name)
    if (pool.has + pool.writing + running + wants > 0) continue
    pools.delete(pool.name)
    // One that was refused may have had no use for a permit since. It is told of none any more, so it asks again when it has.
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
  const giveBack = (pool: Pool) => write(self, pool, (holdings) => divide(holdings, { ...nothing, limit: pool.limit }))
  await Promise.allSettled(held.map(giveBack))
  await Promise.all(pools.map(unlisten))
  await self.commit.idle()
  await leave(self.holder)
}

/** An engine that is out looks at once, and waits for the one that is alone. */
async function lookSoon({ holder, isOver }: Self): Promise<void> {
  if (isOver) throw new EngineError('closed', 'The engine was closed.')
  await holder.look()
  if (membershipOf(holder) === 'out') await new Promise((resolve) => setTimeout(resolve, holder.lookEvery))
}

function takeAll(names: Set<string>): readonly string[] {
  const all = [...names]
  names.clear()
  return all
}
