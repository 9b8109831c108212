import { randomUUID } from 'node:crypto'

import { elapsed, type Clock, type Store } from '@harvestman/ports'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { layout } from './layout.ts'
import { getMany } from './get-many.ts'

/** The exclusive right to work on something, for a limited time. */
export interface Lease {
  /** Larger than the token of every earlier lease of this key, unless the store was restored to an earlier state. */
  readonly token: number
  /** Random and globally unique. */
  readonly id: string
  /**
   * Shows that the holder is alive; must be called well within the ttl. Resolves to false if another holder has the lease now:
   * then stop working.
   */
  renew(): Promise<boolean>
  /** Releases the lease, unless another holder has it now. */
  release(): Promise<void>
}

export interface LeaseOptions {
  /** The holder, in a readable form. */
  readonly owner: string
  /** Milliseconds without a renewal after which the lease expires. */
  readonly ttl: number
  /** The caller's measurements of leases that others hold. */
  readonly watch: LeaseWatch
  /** Milliseconds until the subject of the lease expires: the lease is not stored for longer. */
  readonly life?: () => number
  /** Returns whether an owner is known to be dead, so that its lease need not expire first. */
  readonly isDead?: (owner: string) => boolean
  /** Called at a renewal if another caller has requested the lease. */
  readonly requested?: (by: string) => void
}

/**
 * Measures how long the holder of a lease has been silent. Holders write a counter instead of a time, and each observer
 * measures by its own clock how long the counter is unchanged. So a wrong or changed clock, of the holder or an observer, never
 * takes a lease from a live holder. Only observed time counts: while the store is unavailable, no engine can show that it is
 * alive, and no other can see it.
 */
export interface LeaseWatch {
  /**
   * Returns the milliseconds since this mark was first seen for the key, without gaps between two polls longer than
   * `looksWithin`.
   */
  silence(key: string, mark: string, looksWithin: number): number
  forget(key: string): void
}

/** Maximum polling interval, as a fraction of the lease's ttl. */
const looksWithin = 1 / 2
// If an entry was evicted, the observer only waits for the full ttl again.
const maxWatched = 10_000

/**
 * Creates a watch, which measures for how many milliseconds the owners of leases have been silent. One per observer,
 * for all its leases.
 */
export function leaseWatch(clock: Clock): LeaseWatch {
  const seen = recentlyUsed<string, { readonly mark: string; at: number; silent: number }>(maxWatched)
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
  /** Random, because a restored store may issue a token twice. */
  readonly id: string
  readonly ttl: number
  /** Changes with each renewal. */
  readonly beat: number
  readonly isFree?: boolean
  /** Caller that requests the lease from its holder. */
  readonly asker?: string
}

const heldLayout = layout<Held>(1, { owner: 'text', token: 'number', id: 'text', ttl: 'number', beat: 'number' })

// Milliseconds. The token must outlive the lease, or the next one would start from 1 again and look like an older one.
const numberKeptFor = 86_400_000

/**
 * Acquires a lease. Resolves to `undefined` if it is taken. Two calls with the same owner compete like different owners. Never
 * waits for the current owner. Rejects if the store fails, or with `newer_version` if a newer version wrote the lease; so do
 * `renew` and `release`.
 */
export async function lease(store: Store, key: string, options: LeaseOptions): Promise<Lease | undefined> {
  const { owner, ttl, watch, life = () => Infinity, isDead = () => false, requested = () => undefined } = options
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
  const isOpen = (held: Held): boolean => isOpenTo(held, key, { watch, isDead })

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
      if (by !== undefined) requested(by)
      return renewed !== undefined
    },
    async release() {
      await change((held) => (isMine(held) ? { ...held, isFree: true } : undefined))
    },
  }
}

/**
 * Returns for each key, in order, whether its lease has an owner that is not known to be silent or dead. Rejects if the store
 * fails or a newer version wrote a lease.
 */
export async function areHeld(
  store: Store,
  keys: readonly string[],
  { watch, isDead = () => false }: Pick<LeaseOptions, 'watch' | 'isDead'>,
): Promise<readonly boolean[]> {
  if (keys.length === 0) return []
  const values = await getMany(store, keys)
  return values.map((value, index) => {
    const key = keys[index] ?? ''
    const held = heldLayout.openWhole(`The lease "${key}"`, value)
    return held !== undefined && !isOpenTo(held, key, { watch, isDead })
  })
}

/**
 * Asks the holder of a lease to release it. The holder is notified at its next renewal, and may refuse. Has no effect if nobody
 * holds the lease. Rejects if the store fails, or if a newer version wrote the lease.
 */
export async function requestRelease(store: Store, key: string, requester: string): Promise<void> {
  await store.update(key, (old) => {
    const held = heldLayout.openWhole(`The lease "${key}"`, old)
    return held && held.isFree !== true ? heldLayout.seal({ ...held, asker: requester }) : old
  })
}

function isOpenTo(held: Held, key: string, { watch, isDead }: Required<Pick<LeaseOptions, 'watch' | 'isDead'>>) {
  if (held.isFree === true || isDead(held.owner)) return true
  return watch.silence(key, `${held.id ?? held.token} ${held.beat}`, held.ttl * looksWithin) >= held.ttl
}
