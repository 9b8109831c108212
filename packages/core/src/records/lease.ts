import type { Clock } from '../ports/clock.ts'
import type { KeepOptions, Store } from '../ports/store.ts'
import type { Json } from '../ports/value.ts'

/** The right to work on something alone, for a while. */
export interface Lease {
  /** Larger than that of every lease given for this key before. Write with it, so that a late writer is seen as stale. */
  readonly token: number
  /** Starts the ttl again. False when somebody else has it now, or it ran out: then stop working. */
  renew(): Promise<boolean>
  /** Gives it back. Does nothing when somebody else has it now. */
  release(): Promise<void>
}

export interface LeaseOptions {
  /** Who holds it, for people to read. */
  readonly owner: string
  readonly ttl: number
  readonly clock: Clock
}

interface Held {
  readonly owner: string
  readonly token: number
  readonly until: number
}

// The number must outlive the lease, or the next one would start again from 1 and pass for an older one.
const numberKeptFor = 86_400_000

/** Gives the lease, or nothing while somebody holds it. The same owner twice is two askers. */
export async function lease(store: Store, key: string, options: LeaseOptions): Promise<Lease | undefined> {
  const { owner, ttl, clock } = options
  const keep = { ttl: ttl + numberKeptFor }
  const change = async (next: (held: Held | undefined, now: number) => Held | undefined) => {
    let isChanged = false
    const held = await store.update(
      key,
      (old) => {
        const changed = next(old as Held | undefined, clock.now())
        isChanged = changed !== undefined
        return changed === undefined ? old : { ...changed }
      },
      keep,
    )
    return isChanged ? (held as Held | undefined) : undefined
  }

  const taken = await change((held, now) =>
    held && now < held.until ? undefined : { owner, token: (held?.token ?? 0) + 1, until: now + ttl },
  )
  if (!taken) return undefined
  const { token } = taken
  const isMine = (held: Held | undefined, now: number): held is Held => held?.token === token && now < held.until
  return {
    token,
    async renew() {
      const renewed = await change((held, now) => (isMine(held, now) ? { ...held, until: now + ttl } : undefined))
      return renewed !== undefined
    },
    async release() {
      await change((held, now) => (isMine(held, now) ? { ...held, until: now } : undefined))
    },
  }
}

interface Fenced {
  readonly token: number
  readonly value: Json
}

/**
 * Writes for the holder of a token, and refuses, in the same step, one whose lease has passed to somebody who has
 * written since. Resolves to whether it was written.
 */
export async function writeFenced(
  store: Store,
  key: string,
  { token, value }: Fenced,
  keep?: KeepOptions,
): Promise<boolean> {
  let isStale = false
  await store.update(
    key,
    (old) => {
      isStale = old !== undefined && (old as unknown as Fenced).token > token
      return isStale ? old : { token, value }
    },
    keep,
  )
  return !isStale
}

/** Reads what `writeFenced` keeps. */
export async function readFenced(store: Store, key: string): Promise<Json | undefined> {
  const kept = (await store.get(key)) as Fenced | undefined
  return kept?.value
}
