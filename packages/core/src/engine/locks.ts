import { heartbeat, isOwnerGone, lease, leaseWatch, type Lease } from '@harvestman/coordination'
import type { Clock, Store } from '@harvestman/ports'
import type { FeatureKit } from '../plugin/feature.ts'

/** TTL of a lock in milliseconds. Its owner is considered dead if it does not renew the lock in this time. */
const lockTime = 30_000
/** Interval in milliseconds for retrying a failed release. */
const releaseEvery = 1_000

interface LocksOptions {
  readonly store: Store
  /** Name of this engine. */
  readonly owner: string
  readonly clock: Clock
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}

/**
 * Creates the function that locks keys for an engine. It does not wait: it resolves to the function that releases the lock, or
 * to `undefined` if the key is already locked, by this engine or another, and rejects if the store fails. If a release fails,
 * because the store is unavailable, it rejects and is retried in the background. Until it succeeds, this engine can take the
 * lock again, and others must wait for the TTL of 30 seconds. A holder that could not renew its lock for so long is not
 * notified of the loss.
 */
export function makeLocks({ store, owner, clock, signal }: LocksOptions): FeatureKit['lock'] {
  const watch = leaseWatch(clock)
  const held = new Set<string>()
  // A lock with our own name that is not in `held` is one that could not be released.
  const isDead = (other: string): boolean => other === owner || isOwnerGone(other)
  const releaseLater = async (taken: Lease): Promise<void> => {
    for (let waited = 0; waited < lockTime && !signal.aborted; waited += releaseEvery) {
      await clock.sleep(releaseEvery, signal)
      const isReleased = await taken.release().then(
        () => true,
        () => false,
      )
      if (isReleased) return
    }
  }
  return async (key) => {
    if (held.has(key)) return undefined
    held.add(key)
    const taken = await lease(store, key, { owner, ttl: lockTime, watch, isDead }).catch((error: unknown) => {
      held.delete(key)
      throw error
    })
    if (!taken) {
      held.delete(key)
      return undefined
    }
    const stopBeating = heartbeat(() => taken.renew(), lockTime / 3)
    return async () => {
      stopBeating()
      try {
        await taken.release()
      } catch (error) {
        void releaseLater(taken).catch(() => undefined)
        throw error
      } finally {
        held.delete(key)
      }
    }
  }
}
