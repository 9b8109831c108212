import type { Clock, KeepOptions, Store, Value } from '@harvestman/ports'
import { jobIn, jobKey } from './log/storage.ts'

/**
 * Limits the memory that stored jobs use, if jobs are stored in memory. Above the limit, ended jobs are deleted in the order
 * in which they ended. If only running jobs are left, the largest one is ended; its results remain until the memory is needed.
 */
export interface JobMemory {
  /** The store, wrapped to count what jobs write. */
  readonly store: Store
  /** Registers a running job. `end` ends it with the given reason. */
  began(id: string, end: (why: string) => void): void
  /** Marks a job as ended: from now on it may be deleted. */
  ended(id: string): void
}

export interface JobMemoryOptions {
  readonly most: number
  readonly clock: Clock
  /** Called for each job deleted before it expired. */
  readonly forgot: (job: { readonly bytes: number }) => void
}

interface Counted {
  /** Bytes by key. */
  readonly sizes: Map<string, number>
  bytes: number
  until: number
  /** Ends the job; set while it runs. */
  end?: ((why: string) => void) | undefined
  hasEnded: boolean
}

/**
 * Creates a memory limit of `most` bytes for the jobs in a store. Beyond it, expired and ended jobs are deleted, in the order
 * in which they ended; if that is not enough, the largest running job is ended with the reason.
 */
export function makeJobMemory(store: Store, options: JobMemoryOptions): JobMemory {
  const { most, clock } = options
  // In the order in which the jobs ended. A running job keeps the position at which it was added.
  const counted: CountedJobs = { jobs: new Map(), total: 0 }
  const { jobs } = counted

  /** Keeps the job that is written: an ended one continues when work has been added to it. */
  const makeRoom = (written: string): void => {
    forgetEnded(counted, written, store, options)
    if (counted.total <= most) return
    const [largest] = [...jobs.values()].filter(({ end }) => end).toSorted((one, other) => other.bytes - one.bytes)
    const end = largest?.end
    // Its running visits are still stored; they must not cause another job to be ended.
    if (largest) largest.end = undefined
    end?.(whyFull(most))
  }
  const jobOf = (id: string): Counted => {
    const known = jobs.get(id)
    if (known) return known
    const made: Counted = { sizes: new Map(), bytes: 0, until: Infinity, hasEnded: false }
    jobs.set(id, made)
    return made
  }
  const count = (key: string, value: Value | undefined, { ttl = Infinity }: KeepOptions = {}): void => {
    const id = jobIn(key)
    if (id === undefined || !(value instanceof Uint8Array)) return
    const job = jobOf(id)
    const more = value.byteLength - (job.sizes.get(key) ?? 0)
    job.sizes.set(key, value.byteLength)
    job.until = Math.max(job.until === Infinity ? 0 : job.until, clock.now() + ttl)
    job.bytes += more
    counted.total += more
    if (more > 0) makeRoom(id)
  }

  return {
    store: counting(store, count),
    began: (id, end) => {
      Object.assign(jobOf(id), { end, hasEnded: false })
      makeRoom(id)
    },
    ended: (id) => {
      const job = jobs.get(id)
      if (!job) return
      Object.assign(job, { end: undefined, hasEnded: true })
      jobs.delete(id)
      jobs.set(id, job)
    },
  }
}

interface CountedJobs {
  readonly jobs: Map<string, Counted>
  /** Total bytes of all jobs. */
  total: number
}

/** Deletes expired jobs and then ended ones, except `written`, until the total is below the limit. */
function forgetEnded(counted: CountedJobs, written: string, store: Store, options: JobMemoryOptions): void {
  const { most, clock, forgot } = options
  const now = clock.now()
  for (const [id, job] of counted.jobs) {
    if (counted.total <= most) return
    if (id === written || (job.until > now && !job.hasEnded)) continue
    counted.jobs.delete(id)
    counted.total -= job.bytes
    if (job.until <= now) continue
    forgot(job)
    // The checkpoint goes first: without it, no reader finds the job.
    for (const key of [jobKey(id), ...job.sizes.keys()]) store.delete(key).catch(() => undefined)
  }
}

function counting(store: Store, count: (key: string, value: Value | undefined, options?: KeepOptions) => void): Store {
  return {
    ...store,
    set: async (key, value, options) => {
      await store.set(key, value, options)
      count(key, value, options)
    },
    update: async (key, change, options) => {
      const value = await store.update(key, change, options)
      count(key, value, options)
      return value
    },
  }
}

function whyFull(most: number): string {
  return `The jobs in memory exceed ${Math.round(most / 1e6)} MB, and this job is the largest. Its results stay until others need the memory. Use a store on disk, or raise keep.jobBytes.`
}
