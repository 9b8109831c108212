import { randomUUID } from 'node:crypto'

import { elapsed, recentlyUsed } from '@harvestman/ports/adapters'
import type { Clock, Store } from '@harvestman/ports'
import { layout } from './layout.ts'
import { getMany } from './get-many.ts'

/** The right to work on something alone, for a while. */
export interface Lease {
  /** Larger than that of every lease given for this key before, unless the store was put back to an earlier state. */
  readonly token: number
  /** Random, so that no other lease ever has it. */
  readonly id: string
  /** Shows that the holder is alive, to be called well within the ttl. False when another holder has it now: then stop working. */
  renew(): Promise<boolean>
  /** Gives it back. Does nothing when another holder has it now. */
  release(): Promise<void>
}

export interface LeaseOptions {
  /** The holder, for people to read. */
  readonly owner: string
  /** Milliseconds that a holder may be silent. */
  readonly ttl: number
  /** Watch of this asker over leases that others hold. */
  readonly watch: LeaseWatch
  /** Milliseconds left of the life of what the lease is about: it is not kept for longer. */
  readonly life?: () => number
  /** Says of an owner that it will never come back, so that its silence need not be waited for. */
  readonly isGone?: (owner: string) => boolean
  /** Is told at a renewal that another one asks for it. */
  readonly asked?: (by: string) => void
}

/**
 * Remembers for how long the holder of a lease has been silent. Holders write a beat and no time, and each asker measures
 * by its own clock for how long a beat stays the same: so neither the clock of a holder nor that of an asker, wrong or
 * set forth and back, takes a lease from a holder who is alive. And it counts what it has watched: while the store was
 * away no engine can show that it is alive, and no other can see it.
 */
export interface LeaseWatch {
  /** Milliseconds since this mark was first seen for the key, without what lies further apart than two looks may. */
  silence(key: string, mark: string, looksWithin: number): number
  forget(key: string): void
}

/** The part of the time of a lease that may lie between two looks at it. */
const looksWithin = 1 / 2
// A forgotten lease is only waited for again.
const mostWatched = 10_000

/** One for each asker, for all its leases. */
export function leaseWatch(clock: Clock): LeaseWatch {
  const seen = recentlyUsed<string, { readonly mark: string; at: number; silent: number }>(mostWatched)
  return {
    silence: (key, mark, within) => {
      const now = elapsed(clock)
      const known = seen.get(key)
      if (known?.mark === mark) {
        known.silent += Math.min(now - known.at, within)
        known.at = now
        return known.silent
      }
      seen.set(key, { mark, at: now, silent: 0 })
      return 0
    },
    forget: (key) => seen.delete(key),
  }
}

interface Held {
  readonly owner: string
  readonly token: number
  /** Random: a store that was put back to an earlier state gives a token twice. */
  readonly id: string
  readonly ttl: number
  /** Another one each time the holder shows that it is alive. */
  readonly beat: number
  readonly isFree?: boolean
  /** Asks the holder to give it back. */
  readonly asker?: string
}

const heldLayout = layout<Held>(1, { owner: 'text', token: 'number', id: 'text', ttl: 'number', beat: 'number' })

// The number must outlive the lease, or the next one would start again from 1 and pass for an older one.
const numberKeptFor = 86_400_000

/** Gives the lease, or nothing while it is held. The same owner twice is two askers. */
export async function lease(store: Store, key: string, options: LeaseOptions): Promise<Lease | undefined> {
  const { owner, ttl, watch, life = () => Infinity, isGone = () => false, asked = () => undefined } = options
  const change = async (next: (held: Held | undefined) => Held | undefined) => {
    let isChanged = false
    const held = await store.update(
      key,
      (old) => {
        const changed = next(heldLayout.openWhole(`The lease "${key}"`, old))
        isChanged = changed !== undefined
        return changed === undefined ? old : heldLayout.seal(changed)
      },
      { ttl: Math.max(Math.min(ttl + numberKeptFor, life()), 1) },
    )
    return isChanged ? (held as Held | undefined) : undefined
  }
  const isOpen = (held: Held): boolean => isOpenTo(held, key, { watch, isGone })

  const id = randomUUID().slice(-12)
  const taken = await change((held) =>
    held && !isOpen(held) ? undefined : { owner, token: (held?.token ?? 0) + 1, id, ttl, beat: 0 },
  )
  if (!taken) return undefined
  watch.forget(key)
  const { token } = taken
  const isMine = (held: Held | undefined): held is Held => held?.id === id && held.isFree !== true
  return {
    ...{ token, id },
    async renew() {
      let by: string | undefined
      const renewed = await change((held) => {
        if (!isMine(held)) return undefined
        const { asker, ...rest } = held
        by = asker
        return { ...rest, beat: held.beat + 1 }
      })
      if (by !== undefined) asked(by)
      return renewed !== undefined
    },
    async release() {
      await change((held) => (isMine(held) ? { ...held, isFree: true } : undefined))
    },
  }
}

/** For each key whether its lease is held by an owner who is not known to be silent or gone. */
export async function areHeld(
  store: Store,
  keys: readonly string[],
  { watch, isGone = () => false }: Pick<LeaseOptions, 'watch' | 'isGone'>,
): Promise<readonly boolean[]> {
  if (keys.length === 0) return []
  const kept = await getMany(store, keys)
  return kept.map((value, index) => {
    const key = keys[index] ?? ''
    const held = heldLayout.openWhole(`The lease "${key}"`, value)
    return held !== undefined && !isOpenTo(held, key, { watch, isGone })
  })
}

/** Asks the holder of a lease to give it back: it hears of it at its next renewal, and may have a reason not to. */
export async function askFor(store: Store, key: string, asker: string): Promise<void> {
  await store.update(key, (old) => {
    const held = heldLayout.openWhole(`The lease "${key}"`, old)
    return held && held.isFree !== true ? heldLayout.seal({ ...held, asker }) : old
  })
}

function isOpenTo(held: Held, key: string, { watch, isGone }: Required<Pick<LeaseOptions, 'watch' | 'isGone'>>) {
  if (held.isFree === true || isGone(held.owner)) return true
  return watch.silence(key, `${held.id ?? held.token} ${held.beat}`, held.ttl * looksWithin) >= held.ttl
}
