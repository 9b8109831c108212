import type { Store } from '@harvestman/ports'
import {
  damagedRecord,
  heartbeat,
  lease,
  type LeaseWatch,
  openLog,
  isOtherProcess,
  isOwnerGone,
} from '@harvestman/coordination'
import { readCheckpoint } from '../log/checkpoint.ts'
import { factsOf, type Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { jobKey, openJobStorage, type StorageKit } from '../log/storage.ts'
import type { LeasedJob } from '../run/leased-job.ts'
import { startRestorer } from '../start.ts'

/** The exclusive right to work on a job. */
export interface JobLease extends LeasedJob {
  /** Writes the start of the job again, if the store has lost it. */
  restore(signal: AbortSignal): Promise<void>
  /** Releases the lease. */
  release(): Promise<void>
}

const releaseWithin = 5_000

/** Returns the store key of the lease of a job. */
export function leaseKey(id: string): string {
  return `${jobKey(id)}/lease`
}

/**
 * Returns a function that reports whether a lease holder is dead. If the store belongs to this process, any holder in another
 * process is.
 */
export function isDeadIn({ reach }: Pick<Store, 'reach'>): (owner: string) => boolean {
  return (owner) => isOwnerGone(owner) || (reach === 'process' && isOtherProcess(owner))
}

export interface LeaseJobOptions {
  readonly watch: LeaseWatch
  /** Called after each successful renewal: the store responds, and no other engine has the job. */
  readonly renewed: () => void
}

/**
 * Leases a job. Returns `undefined` if another engine has it or if it was never opened. Rejects with a damaged-record error if
 * the start of its log is lost.
 */
export async function leaseJob(
  id: string,
  kit: JobKit,
  { watch, renewed }: LeaseJobOptions,
): Promise<JobLease | undefined> {
  const { owner, leaseTime: ttl, clock, store } = kit
  // Known once the log has been read.
  let expiresAt = Infinity
  const life = (): number => expiresAt - clock.now()
  // This engine requests a lease only for a job that it does not run. A lease in its own name is left over from an earlier run.
  const isDead = (other: string): boolean => other === owner || isDeadIn(store)(other)
  const held = await lease(store, leaseKey(id), { owner, ttl, watch, life, isDead })
  if (!held) return undefined
  const lost = new AbortController()
  // If the store cannot be reached, the lease may still be valid; the log itself rejects writes of a stale holder.
  const stopBeating = heartbeat(async () => {
    if (await held.renew()) renewed()
    else lost.abort()
  }, ttl / 3)
  const release = async (): Promise<void> => {
    stopBeating()
    // An unresponsive store must not keep the engine from closing: a lease expires without renewals.
    const enough = Promise.withResolvers<void>()
    const timer = setTimeout(enough.resolve, releaseWithin)
    await Promise.race([held.release().catch(() => undefined), enough.promise])
    clearTimeout(timer)
  }
  try {
    const first = await openLog(store, jobKey(id), () => ({}), { vault: kit.vault }).read(0)
    const facts = first ? factsOf(first) : []
    const [fact] = facts
    if (fact?.is === 'opened') {
      const { opening } = fact
      expiresAt = opening.expiresAt
      const by = `${owner}#${held.token}-${held.id}`
      return {
        opening,
        storage: openJobStorage(kit.storeOf(opening.team), opening, { ...writesOf(opening, kit), history: by }),
        by,
        lost: lost.signal,
        restore: startRestorer(opening, facts, kit),
        release,
      }
    }
    if (await readCheckpoint(store, id)) throw damagedRecord(`the log of the job ${id}`)
  } catch (error) {
    await release()
    throw error
  }
  await release()
  return undefined
}

/** Documents with zero data retention stay in the store, where they expire. Files in a bucket might not. */
function writesOf(opening: Opening, { kinds, clock, segments, bodies, vault }: JobKit): StorageKit {
  const kind = kinds.find(({ name }) => name === opening.kind)
  return { clock, segments, vault, ...(kind?.pages?.(opening).zeroDataRetention !== true && { bodies }) }
}
