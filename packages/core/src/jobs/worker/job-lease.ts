import type { Store } from '@harvestman/ports'
import {
  damagedRecord,
  heartbeat,
  lease,
  type LeaseWatch,
  openLog,
  isElsewhere,
  isOwnerGone,
} from '@harvestman/coordination'
import { readCheckpoint } from '../log/checkpoint.ts'
import { factsOf, type Opening } from '../log/facts.ts'
import type { JobKit } from '../kit.ts'
import { jobKey, openJobStorage, type StorageKit } from '../log/storage.ts'
import type { LeasedJob } from '../run/leased-job.ts'
import { startRestorer } from '../start.ts'

/** The right to work on a job, until another engine has it. */
export interface JobLease extends LeasedJob {
  /** Writes the start of the job again, if the store has lost it. */
  restore(signal: AbortSignal): Promise<void>
  /** Gives it back. */
  release(): Promise<void>
}

const releaseWithin = 5_000

export function leaseKey(id: string): string {
  return `${jobKey(id)}/lease`
}

/** Says of a holder whether it is gone. No other process can hold what is in the store of this one. */
export function isGoneFrom({ reach }: Pick<Store, 'reach'>): (owner: string) => boolean {
  return (owner) => isOwnerGone(owner) || (reach === 'process' && isElsewhere(owner))
}

export interface LeaseJobOptions {
  readonly watch: LeaseWatch
  /** Called at each renewal: the store is there, and no other engine has the job. */
  readonly renewed: () => void
}

/** Leases a job. Gives nothing while another engine works on it, or when it was never opened. */
export async function leaseJob(
  id: string,
  kit: JobKit,
  { watch, renewed }: LeaseJobOptions,
): Promise<JobLease | undefined> {
  const { owner, leaseTime: ttl, clock, store } = kit
  // Known as soon as the log is read.
  let expiresAt = Infinity
  const life = (): number => expiresAt - clock.now()
  // An engine that asks for a job does not work on it: what it holds is of a run before, and could not be given back.
  const isGone = (other: string): boolean => other === owner || isGoneFrom(store)(other)
  const held = await lease(store, leaseKey(id), { owner, ttl, watch, life, isGone })
  if (!held) return undefined
  const lost = new AbortController()
  // A store that cannot be asked says nothing about the lease, and what is written is fenced by the log itself.
  const stopBeating = heartbeat(async () => {
    if (await held.renew()) renewed()
    else lost.abort()
  }, ttl / 3)
  const release = async (): Promise<void> => {
    stopBeating()
    // A store that does not answer does not keep the engine from closing: a lease whose holder is silent can be had again.
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

/** Documents that may not be retained stay in the store, which forgets them by itself; a bucket of files may not. */
function writesOf(opening: Opening, { kinds, clock, segments, bodies, vault }: JobKit): StorageKit {
  const kind = kinds.find(({ name }) => name === opening.kind)
  return { clock, segments, vault, ...(kind?.pages?.(opening).zeroDataRetention !== true && { bodies }) }
}
