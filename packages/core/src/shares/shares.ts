import { type Clock, EngineError, type Store } from '@harvestman/ports'
import { elapsed } from '@harvestman/ports/adapters'
import { enginesIn, groupLife, groupOf, openGroups } from './groups.ts'
import { openMembership } from './membership.ts'
import { makeNewcomers, type Newcomers, type Wish } from './newcomers.ts'
import {
  fairShare,
  freeIn,
  othersLack,
  restake,
  withoutStake,
  type PoolUse,
  type Stake,
  type Stakes,
} from './stakes.ts'

/**
 * A pool is something of which only so much goes on at once, of all engines on a store together: it has so many places.
 * An engine borrows as many as it has use for, in one write, and has them until it needs them no more or others lack some.
 * So a page asks nothing of the store; and an engine that is alone on its store asks nothing for any pool.
 */
export interface Shares {
  /** Whether one more may begin here now, when so many run here. It holds nothing: what begins must count as running at once. */
  mayBegin(pool: string, most: number, running: number, user: ShareUser): boolean
  /** Whether there is a place that this engine has or could have. Asking changes nothing. */
  isFree(pool: string, most: number, running: number): boolean
  /** More is wanted of a pool than this engine has. `wake` is called when there is more. */
  want(pool: string, most: number, user: ShareUser): void
  /** Something of the pool has ended, and is not counted as running any more. */
  ended(pool: string, running: number): void
  /** Has one more wait for a place, unless so many wait already, of all engines. Resolves when that is known. */
  mayWait(pool: string, waits: WaitTerms, user: ShareUser): Promise<void>
  close(): Promise<void>
}

/** The part of an engine that uses a kind of pools. */
export interface ShareUser {
  /** There are few of them: each is watched for what others lack, so that places change hands at once. */
  readonly isFew: boolean
  usage(pool: string): PoolUse
  /** There may be a place. */
  wake(pool: string): void
}

export interface WaitTerms extends Wish {
  /** The places of the pool. */
  readonly most: number
}

export interface SharesOptions {
  readonly store: Store
  readonly clock: Clock
  /** The name of this engine. */
  readonly engine: string
  /** Milliseconds after which the places of an engine that is silent are free. */
  readonly leaseTime: number
  /** Says of an engine that it is gone for good, so that its silence need not be waited for. */
  readonly isGone?: (engine: string) => boolean
  /** How often an engine looks whether others lack what it has, in milliseconds. */
  readonly lookEvery?: number
}

/** A pool as this engine knows it. */
interface Known {
  readonly name: string
  readonly group: string
  readonly user: ShareUser
  readonly line: Newcomers
  most: number
  has: number
  /** No more begin than this: less than it has when others lack some. */
  cap: number
  /** What it wanted when that was looked at before: what is not used for a moment is kept. */
  before: number
  isAsking: boolean
  writtenAt: number
}

type Change = (stakes: Stakes, known: Known) => Stakes

const noStake: Stake = { has: 0, wants: 0, turn: 0 }
const closeWithin = 5_000

// oxlint-disable-next-line max-lines-per-function -- short steps that share what this engine has
export function openShares(options: SharesOptions): Shares {
  const { store, clock, engine, leaseTime, isGone = () => false, lookEvery = 1_000 } = options
  const pools = new Map<string, Known>()
  const inGroup = new Map<string, Set<Known>>()
  let dead: ReadonlySet<string> = new Set()
  let isOver = false

  const wakeAll = (): void => {
    for (const known of pools.values()) {
      known.user.wake(known.name)
      if (known.line.size > 0) ask(known)
    }
  }
  const membership = openMembership({
    ...{ store, clock, engine, leaseTime, lookEvery, isGone },
    changed: wakeAll,
    publish: async () => void (await Promise.all([...pools.values()].map((known) => write(known, begunIn)))),
    lost: () => {
      for (const known of pools.values()) known.has = known.cap = 0
    },
    failed: (error) => {
      for (const { line } of pools.values()) line.refuseAll(error)
    },
  })
  const groups = openGroups({
    store,
    lookEvery,
    dead: () => dead,
    came: (group, value, how) => {
      for (const known of inGroup.get(group) ?? []) takeIn(known, value[known.name] ?? {}, how)
    },
  })
  const knownOf = (name: string, most: number, user: ShareUser): Known => {
    let known = pools.get(name)
    if (!known) {
      const nothing = { has: 0, cap: 0, before: 0, isAsking: false, writtenAt: 0 }
      known = { name, group: groupOf(name, user.isFew), user, most, line: makeNewcomers(), ...nothing }
      pools.set(name, known)
      inGroup.set(known.group, (inGroup.get(known.group) ?? new Set()).add(known))
    }
    known.most = most
    return known
  }

  const growIn: Change = (stakes, { name, user, most, line }) => {
    const { wants, running } = user.usage(name)
    const terms = { engine: membership.name, most, floor: running, gives: false }
    return line.admit(wants, (wants) => restake(stakes, { ...terms, wants }))
  }
  const giveIn: Change = (stakes, { name, user, most, before }) => {
    const { wants, running } = user.usage(name)
    const floor = othersLack(stakes, membership.name) ? running : Math.max(running, before)
    return restake(stakes, { engine: membership.name, most, wants, floor, gives: true })
  }
  const begunIn: Change = (stakes, { name, user, most }) => {
    const { wants, running } = user.usage(name)
    const own = { has: Math.min(running, most), wants, turn: 0 }
    const others = withoutStake(stakes, membership.name)
    return running === 0 && wants === 0 ? others : { ...others, [membership.name]: own }
  }
  const leaveIn: Change = (stakes) => withoutStake(stakes, membership.name)
  const write = (known: Known, change: Change): Promise<void> => {
    known.writtenAt = elapsed(clock)
    return groups.change(known.group, known.name, (stakes) => change(stakes, known))
  }
  const give = (known: Known): void => void write(known, giveIn).catch(() => undefined)

  /** What is kept of a pool: what this engine has of it, and whether others lack some. */
  const takeIn = (known: Known, stakes: Stakes, how: 'written' | 'heard' | 'looked'): void => {
    const mine = stakes[membership.name] ?? noStake
    const isLacking = othersLack(stakes, membership.name)
    const [{ has: had, cap: before }, { has }] = [known, mine]
    known.has = has
    if (has !== had || !isLacking) known.cap = has
    if (how !== 'written' && membership.standing === 'among') lookAt(known, stakes, how)
    if (known.cap > before) known.user.wake(known.name)
  }
  /** Takes what has become free, and gives what others lack. */
  const lookAt = (known: Known, stakes: Stakes, how: 'heard' | 'looked'): void => {
    const mine = stakes[membership.name] ?? noStake
    const next = giveIn(stakes, known)[membership.name] ?? noStake
    if (othersLack(stakes, membership.name)) {
      known.cap = Math.min(known.has, fairShare({ ...stakes, [membership.name]: next }, known.most, membership.name))
    }
    const isOther = next.has !== mine.has || (how === 'looked' && next.wants !== mine.wants)
    if (how === 'looked') known.before = known.user.usage(known.name).wants
    if (isOther || (mine.has > 0 && elapsed(clock) - known.writtenAt > groupLife / 4)) give(known)
  }

  /** Whether asking would change nothing: as much is wanted as others know already, and nothing is free. */
  const isAsked = (known: Known): boolean => {
    const stakes = groups.known(known.group, known.name)
    const mine = stakes?.[membership.name]
    if (!stakes || !mine || known.line.size > 0) return false
    const next = growIn(stakes, known)[membership.name]
    return next?.has === mine.has && next.wants === mine.wants
  }
  const ask = (known: Known): void => {
    if (membership.standing === 'alone') return known.line.settleHere(known.user.usage(known.name), known.most)
    if (known.isAsking || isOver || membership.standing !== 'among') return
    if (isAsked(known)) return groups.listen(known.group)
    known.isAsking = true
    known.line.begin()
    write(known, growIn)
      .then(known.line.settle, known.line.fail)
      .finally(() => {
        known.isAsking = false
        if (known.line.size > 0) ask(known)
        if (needsWatch(known)) groups.listen(known.group)
      })
  }
  const needsWatch = ({ name, user, has }: Known): boolean =>
    !isOver && membership.standing === 'among' && (user.usage(name).wants > has || (user.isFew && has > 0))

  const forget = (known: Known): void => {
    pools.delete(known.name)
    const others = inGroup.get(known.group)
    others?.delete(known)
    if (others?.size === 0) inGroup.delete(known.group)
  }
  const isIdle = ({ name, user, has, line, isAsking }: Known): boolean => {
    const { running, wants } = user.usage(name)
    return has === 0 && running === 0 && wants === 0 && line.size === 0 && !isAsking
  }
  const forgetIdle = (): void => {
    const idle = [...pools.values()].filter(isIdle)
    idle.forEach(forget)
    const known = [...pools.values()]
    groups.listenTo(new Set(known.filter(needsWatch).map(({ group }) => group)))
    groups.keep(new Set(known.map(({ group }) => group)))
    // One that was refused may have had no use for a place since. It is told of none any more, so it asks again when it has.
    for (const { name, user } of idle) user.wake(name)
  }
  /** One call of the store for all pools, however many there are, and one for the leases of the engines in them. */
  const tick = async (): Promise<void> => {
    forgetIdle()
    const used = [...inGroup.keys()]
    if (membership.standing !== 'among' || used.length === 0) return
    const engines = new Map<string, readonly string[]>()
    await groups.look(used, (group, value) => void engines.set(group, enginesIn(value)))
    dead = await membership.dead([...new Set([...engines.values()].flat())])
    const left = used.filter((group) => engines.get(group)?.some((name) => dead.has(name)))
    await Promise.all(left.map(groups.clear))
  }
  let ticking: Promise<void> | undefined
  const timer = setInterval(() => {
    ticking ??= tick()
      .catch(() => undefined)
      .finally(() => (ticking = undefined))
  }, lookEvery).unref()
  const giveAllBack = async (): Promise<void> => {
    await ticking
    const known = membership.standing === 'among' ? [...pools.values()] : []
    await Promise.allSettled(known.map((one) => write(one, leaveIn)))
    await groups.close()
    await membership.leave()
  }

  return {
    mayBegin: (name, most, running, user) => {
      const known = knownOf(name, most, user)
      const { standing } = membership
      if (standing === 'out') membership.join()
      return standing === 'alone' || (standing === 'among' && running < known.cap)
    },
    isFree: (name, most, running) => {
      const known = pools.get(name)
      if (!known || membership.standing !== 'among' || running < known.cap) return true
      return freeIn(groups.known(known.group, name) ?? {}, most) > 0
    },
    want: (name, most, user) => ask(knownOf(name, most, user)),
    ended: (name, running) => {
      const known = pools.get(name)
      if (!known || membership.standing !== 'among' || known.has <= running) return
      const stakes = groups.known(known.group, name) ?? {}
      const isTight = known.user.isFew && freeIn(stakes, known.most) <= 0
      if (isTight) known.before = 0
      if (known.cap < known.has || (isTight && known.user.usage(name).wants < known.has)) give(known)
    },
    mayWait: (name, { most, ...wish }, user) => {
      const known = knownOf(name, most, user)
      const verdict = known.line.join(wish)
      if (membership.standing === 'out') membership.join()
      ask(known)
      return verdict
    },
    close: async () => {
      isOver = true
      clearInterval(timer)
      const closed = new EngineError('closed', 'The engine was closed.')
      for (const { line } of pools.values()) line.refuseAll(closed)
      // What a store that does not answer is not given back is free when the lease of this engine is over.
      const enough = Promise.withResolvers<void>()
      const patience = setTimeout(enough.resolve, closeWithin)
      await Promise.race([giveAllBack().catch(() => undefined), enough.promise])
      clearTimeout(patience)
    },
  }
}
