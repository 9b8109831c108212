import { heartbeat, isOwnerGone, lease, leaseWatch, type Lease } from '@harvestman/coordination'
import type { Clock, Store } from '@harvestman/ports'
import type { FeatureKit } from '../plugin/feature.ts'

/** Milliseconds that the holder of a lock may be silent before it is taken for gone. */
const lockTime = 30_000
/** Milliseconds until a lock that could not be released is released again. */
const releaseEvery = 1_000

interface LocksOptions {
  readonly store: Store
  /** The name of this engine. */
  readonly owner: string
  readonly clock: Clock
  /** Aborted when the engine is closed. */
  readonly signal: AbortSignal
}

/**
 * Returns the locks of an engine. A lock that the store did not release, because it was away, is released when it is back;
 * until then this engine can take it again, and others have to wait until its holder counts as silent.
 */
export function makeLocks({ store, owner, clock, signal }: LocksOptions): FeatureKit['lock'] {
  const watch = leaseWatch(clock)
  const held = new Set<string>()
  // A lock under our name that nobody here holds was not released.
  const isGone = (other: string): boolean => other === owner || isOwnerGone(other)
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
    const taken = await lease(store, key, { owner, ttl: lockTime, watch, isGone }).catch((error: unknown) => {
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
