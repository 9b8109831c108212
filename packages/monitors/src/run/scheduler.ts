// Starts due checks. If engines share a store, one of them starts each.
import { elapsed, EngineError } from '@harvestman/ports'
import { faultText } from '@harvestman/toolbox/guarded'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'

import type { MonitorKit } from '../kit.ts'
import { checkIdOf } from '../ids.ts'
import type { Due } from '../records/indexes.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { beginCheck, nextTime, nextCheckTime, withCheckedTime, type Begun } from './begin.ts'
import type { CheckJobs } from './jobs.ts'
import { retentionTtl, queuedCheck } from './writer.ts'

export interface Scheduler {
  /** Starts the scheduler. Further calls have no effect. */
  start(): void
  /** Polls immediately. */
  poll(): void
  /** Resolves when it has stopped. Abort the signal of the kit first. */
  idle(): Promise<void>
}

const maxDue = 200
const minRest = 10
// Maximum number of unreadable monitors that are remembered as reported.
const maxReported = 10_000

/**
 * Creates a scheduler that polls at least once per `pollInterval` milliseconds. A poll that fails is reported as a
 * warning and repeated.
 */
export function makeScheduler(kit: MonitorKit, jobs: CheckJobs, pollInterval: number): Scheduler {
  let loop: Promise<void> | undefined
  let wake = new AbortController()
  const poll = (): void => wake.abort()
  const passUnreadable = makeUnreadablePass(kit)
  const checkUpcoming = makeUpcomingCheck(kit, jobs, pollInterval, passUnreadable)

  /** Starts all due checks. Returns the time when the next one is due. */
  const look = async (): Promise<number> => {
    const now = kit.clock.now()
    let next = Infinity
    await checkUpcoming(now)
    for (let last: Due | undefined; ;) {
      const dues = await kit.indexes.due(maxDue, last)
      const ready = dues.filter(({ at }) => at <= now)
      for (const due of ready) await passUnreadable(due.monitor, () => take(due, kit, jobs))
      next = dues.find(({ at }) => at > now)?.at ?? Infinity
      if (ready.length < maxDue) break
      last = dues.at(-1)
    }
    return next
  }

  const keep = async (): Promise<void> => {
    while (!kit.signal.aborted) {
      wake = new AbortController()
      let rest = pollInterval
      try {
        await jobs.resume()
        const next = await look()
        rest = Math.min(Math.max(next - kit.clock.now(), minRest), pollInterval)
      } catch (error) {
        if (!kit.signal.aborted)
          kit.warn(`The schedule of monitors could not be read, and is read again later: ${faultText(error)}`)
      }
      await kit.clock.sleep(rest, AbortSignal.any([kit.signal, wake.signal])).catch(() => undefined)
    }
  }

  return {
    start: () => void (loop ??= keep()),
    poll,
    idle: async () => loop,
  }
}

/**
 * Checks stored due times in the future against their schedules, one page of entries at a time and at most once per interval.
 * It adds the right entry. The wrong one is removed when its time comes. Open checks without a job are started again.
 */
function makeUpcomingCheck(
  kit: MonitorKit,
  jobs: CheckJobs,
  every: number,
  passUnreadable: UnreadablePass,
): (now: number) => Promise<void> {
  const { clock, indexes, monitors } = kit
  let checkedAt = -Infinity
  let last: Due | undefined
  return async (now) => {
    if (elapsed(clock) - checkedAt < every) return
    checkedAt = elapsed(clock)
    const dues = await indexes.due(maxDue, last ?? { monitor: '', at: now })
    last = dues.length < maxDue ? undefined : dues.at(-1)
    const read = async ({ monitor: id }: Due) => passUnreadable(id, () => monitors.get(id))
    const records = await monitors
      .getMany(dues.map(({ monitor }) => monitor))
      .catch((error: unknown) => (isUnreadable(error) ? Promise.all(dues.map(read)) : Promise.reject(error)))
    for (const [place, record] of records.entries()) {
      if (!record) continue
      // A store that was restored from a backup may have the check, but not its job.
      await jobs.start(record)
      if (nextCheckTime(withCheckedTime(record, now)) === dues[place]?.at) continue
      const checked = await monitors.update(record.id, (old) => {
        const changed = withCheckedTime(old, now)
        return changed === old ? undefined : changed
      })
      if (checked) await repairIndexes(checked, kit, jobs)
    }
  }
}

/**
 * Runs work on a monitor. A record that cannot be read must not stop the schedule of the other monitors: it is reported as a
 * warning, and again only after it was readable.
 */
type UnreadablePass = <T>(monitor: string, work: () => Promise<T>) => Promise<T | undefined>

function makeUnreadablePass({ warn }: Pick<MonitorKit, 'warn'>): UnreadablePass {
  const reported = recentlyUsed<string, true>(maxReported)
  return async (monitor, work) => {
    try {
      const done = await work()
      reported.delete(monitor)
      return done
    } catch (error) {
      if (!isUnreadable(error)) throw error
      if (!reported.get(monitor)) warn(`The monitor ${monitor} is not checked: ${faultText(error)}`)
      reported.set(monitor, true)
      return undefined
    }
  }
}

/** Returns whether an error means that a record is damaged, or was written by a newer version. */
function isUnreadable(error: unknown): boolean {
  if (!EngineError.is(error)) return false
  return error.code === 'newer_version' || (error.code === 'store_failed' && error.details?.['reason'] === 'damaged')
}

/** Handles a due time. Its index entry is removed last, so that another engine can repeat the work if this one stops. */
async function take(due: Due, kit: MonitorKit, jobs: CheckJobs): Promise<void> {
  const { monitors, indexes, clock } = kit
  const record = await monitors.get(due.monitor)
  const start = record && nextCheckTime(record)
  const now = clock.now()
  if (record && start === due.at) {
    const next = nextCheckTime({ ...record, nextRunAt: nextTime(record, Math.max(now, record.nextRunAt ?? 0)) })
    if (next !== undefined) await indexes.addDue({ monitor: record.id, at: next })
    let begun: Begun | undefined
    const kept = await monitors.update(record.id, (old) => {
      begun = beginCheck(old, due.at, now)
      return begun?.record
    })
    if (begun?.is === 'overlap') await noteOverlap(begun, kit)
    if (kept) await repairIndexes(kept, kit, jobs)
  } else if (record) await repairIndexes(record, kit, jobs)
  // Keep the entry if the monitor was changed meanwhile to be due at this very time.
  const left = await monitors.get(due.monitor)
  if (!left || nextCheckTime(left) !== due.at) await indexes.removeDue(due)
}

/**
 * Adds the index entry and starts the job that follow from a record. Nothing happens if they exist. Rejects if the store
 * fails.
 */
export async function repairIndexes(
  record: MonitorRecord,
  { indexes }: Pick<MonitorKit, 'indexes'>,
  jobs: CheckJobs,
): Promise<void> {
  const start = nextCheckTime(record)
  if (start !== undefined) await indexes.addDue({ monitor: record.id, at: start })
  await jobs.start(record)
}

async function noteOverlap({ record, scheduledFor }: Begun, { checks, clock }: MonitorKit): Promise<void> {
  const now = clock.now()
  const id = checkIdOf(record.id, scheduledFor)
  const times = { scheduledFor, createdAt: now, updatedAt: now, finishedAt: now }
  const queued = queuedCheck(record)
  if (!queued) return
  const passed = { ...queued, id, ...times, trigger: 'scheduled', missed: 0, status: 'skipped_overlap' } as const
  await checks.update(record.id, id, retentionTtl(record), (old) => old ?? { ...passed, estimatedCredits: null })
}
