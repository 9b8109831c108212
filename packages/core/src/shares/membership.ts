import { elapsed } from '@harvestman/ports/adapters'
import { heartbeat } from '../lib/heartbeat.ts'
import type { Clock, Stop, Store } from '@harvestman/ports'
import { layout } from '../records/layout.ts'
import { areHeld, lease, leaseWatch, type Lease } from '../records/lease.ts'
import { watchKey } from '../records/watch.ts'
import { makeStanding, type Standing } from './standing.ts'

/**
 * Which engines share a store. The first is alone: it need not ask the store for anything. When another comes, the one
 * that is alone writes down what it has begun, and from then on both ask. Each holds a lease for as long as it lives, so
 * what an engine had that died is free again when its lease is over.
 */
export interface Membership {
  /** The name of this engine, another one after it was taken for dead. */
  readonly name: string
  readonly standing: Standing
  /** Comes in, if this has not been asked before. */
  join(): void
  /** Those of these engines that are dead: what they had may be given to others. */
  dead(engines: readonly string[]): Promise<ReadonlySet<string>>
  leave(): Promise<void>
}

export interface MembershipOptions {
  readonly store: Store
  readonly clock: Clock
  readonly engine: string
  /** Milliseconds of silence after which an engine is dead. */
  readonly leaseTime: number
  readonly lookEvery: number
  readonly isGone: (engine: string) => boolean
  /** The standing is another one; also when that is so because time has passed. */
  readonly changed: () => void
  /** Writes down what this engine has begun while it was alone. */
  readonly publish: () => Promise<void>
  /** Others took this engine for dead, and have what it had. */
  readonly lost: () => void
  /** The store could not be asked. It will be, again and again. */
  readonly failed: (error: unknown) => void
}

interface Members {
  readonly engines: readonly string[]
  /** Whether the first of them asks nothing of the store. */
  readonly isAlone: boolean
}

const key = 'engines'
const membersLayout = layout<Members>(1)
const noMembers: Members = { engines: [], isAlone: false }
/** Others that an engine sees to, so that what is read does not grow with the square of their number. */
const seenTo = 16

// oxlint-disable-next-line max-lines-per-function -- short steps that share how this engine stands
export function openMembership(options: MembershipOptions): Membership {
  const { store, clock, engine, leaseTime: ttl, lookEvery, changed, publish, lost, failed } = options
  const watch = leaseWatch(clock)
  const standing = makeStanding({ clock, silentAfter: ttl, changed })
  let times = 0
  let name = engine
  let held: Lease | undefined
  let beating: Promise<void> | undefined
  let looking: Promise<void> | undefined
  let isAskedAgain = false
  /** The last look did not come to its end. */
  let isUnsure = false
  let stop: Stop | undefined
  let isOver = false

  // What was written under its own name, and not known to be, is its own to take again.
  const isGone = (other: string): boolean => other === name || options.isGone(other)
  const beatOnce = async (): Promise<void> => {
    // Before it is written, so that it never believes longer than the others do.
    const at = elapsed(clock)
    const known = held
    held ??= await lease(store, presenceKey(name), { owner: name, ttl, watch, isGone })
    if (!held) return
    if (!known || (await known.renew())) return standing.show(at)
    // Its old name is dead to the others for good.
    held = undefined
    times += 1
    name = `${engine}/${times}`
    lost()
    standing.list('out')
    look()
  }
  const beat = (): Promise<void> => (beating ??= beatOnce().finally(() => (beating = undefined)))
  const dead: Membership['dead'] = async (engines) => {
    const others = engines.filter((other) => other !== name)
    const live = others.length > 0 ? await areHeld(store, others.map(presenceKey), { watch, isGone }) : []
    const silent = others.filter((_, index) => live[index] !== true)
    // Taken from it, so that it learns of it when it was only slow.
    await Promise.all(
      silent.map(async (other) =>
        (await lease(store, presenceKey(other), { owner: name, ttl, watch, isGone }))?.release(),
      ),
    )
    return new Set(silent)
  }
  const update = async (change: (members: Members) => Members): Promise<Members> => {
    const written = await store.update(key, (old) => membersLayout.seal(change(open(old))))
    return open(written)
  }
  const lookOnce = async (): Promise<void> => {
    if (!held || standing.now === 'out') await beat()
    if (!held) return
    let members = open(await store.get(key))
    const gone = await dead(followersOf(name, members.engines))
    if (needsChange(members, name, gone)) members = await update((old) => joined(old, name, gone))
    const isFirst = members.engines[0] === name
    if (!members.isAlone || !isFirst) return standing.list(members.isAlone ? 'waiting' : 'among')
    if (members.engines.length === 1) return standing.list('alone')
    standing.list('among')
    await publish()
    await update((old) => (old.engines[0] === name ? { ...old, isAlone: old.engines.length === 1 } : old))
    isAskedAgain = true
  }
  const lookUntilDone = async (): Promise<void> => {
    isUnsure = true
    do {
      isAskedAgain = false
      await lookOnce()
    } while (isAskedAgain)
    isUnsure = false
  }
  const look = (): void => {
    if (isOver) return
    isAskedAgain = true
    looking ??= lookUntilDone()
      .catch(failed)
      .finally(() => (looking = undefined))
  }
  const begin = (): Stop => {
    const stopBeating = heartbeat(beat, ttl / 3)
    const ticking = setInterval(() => {
      const { now } = standing
      if (isUnsure || now === 'out' || now === 'waiting') look()
    }, lookEvery).unref()
    const watching: Promise<Stop> = watchKey(store, key, look, { every: lookEvery })
    void watching.then(look)
    return async () => {
      stopBeating()
      clearInterval(ticking)
      await (
        await watching
      )()
    }
  }

  return {
    get name() {
      return name
    },
    get standing() {
      return standing.now
    },
    join: () => {
      if (!isOver) stop ??= begin()
    },
    dead,
    leave: async () => {
      isOver = true
      if (!stop) return
      await stop()
      await looking
      const without = (old: Members): Members => ({ ...old, engines: old.engines.filter((one) => one !== name) })
      await update(without).catch(() => undefined)
      await held?.release().catch(() => undefined)
    },
  }
}

function open(kept: Parameters<typeof membersLayout.open>[1]): Members {
  return membersLayout.open('The list of engines', kept) ?? noMembers
}

/** Those after an engine in the list, which begins again at its end: each is seen to by as many as it sees to. */
export function followersOf(name: string, engines: readonly string[]): readonly string[] {
  const next = engines.indexOf(name) + 1
  return [...engines.slice(next), ...engines.slice(0, next)].filter((other) => other !== name).slice(0, seenTo)
}

function needsChange({ engines, isAlone }: Members, name: string, gone: ReadonlySet<string>): boolean {
  return gone.size > 0 || !engines.includes(name) || (engines.length === 1 && !isAlone)
}

/** An engine that is by itself is alone. One that was alone and is dead leaves nothing that others would have to wait for. */
function joined({ engines, isAlone }: Members, name: string, gone: ReadonlySet<string>): Members {
  const live = engines.filter((other) => !gone.has(other))
  const all = live.includes(name) ? live : [...live, name]
  return { engines: all, isAlone: all.length === 1 || (isAlone && all[0] === engines[0]) }
}

function presenceKey(engine: string): string {
  return `engine/${engine}`
}
