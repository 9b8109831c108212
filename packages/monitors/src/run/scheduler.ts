// Starts due checks, runs open checks and sends notifications of ended ones. If engines share a store, one of them does each.
import { elapsed, faultText } from '@harvestman/ports/adapters'

import type { MonitorKit } from '../kit.ts'
import { checkIdOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'
import { isOver, type CheckRecord } from '../records/check.ts'
import type { Due } from '../records/indexes.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { begin, nextTime, startOf, withCheckedTime, type Begun } from './begin.ts'
import { LeftCheck } from './fault.ts'
import { makeOpenWork } from './open-work.ts'
import { runCheck } from './run-check.ts'
import { keepOf, queuedCheck } from './writer.ts'

/** Options of the scheduler. */
export interface SchedulerOptions {
  /** Maximum polling interval in milliseconds. */
  readonly lookEvery: number
  /** Maximum number of concurrent checks per engine. */
  readonly checksAtOnce: number
  /** Called when a check has ended. */
  readonly ended: (check: CheckRecord) => void
  /** Sends the notifications of an ended check. */
  readonly post: (monitor: string, check: string) => Promise<void>
}

export interface Scheduler {
  /** Starts the scheduler. Further calls have no effect. */
  start(): void
  /** Polls immediately. */
  stir(): void
  /** Resolves when nothing is running any more. Abort the signal of the kit first. */
  idle(): Promise<void>
}

const mostDue = 200
const mostOpen = 1_000
/** Maximum number of checks whose notifications are sent concurrently. */
const postsAtOnce = 256
/** Number of consecutive failures after which the next attempt ends the check as failed. */
const maxFailures = 8
const shortestRest = 10

export function makeScheduler(kit: MonitorKit, options: SchedulerOptions): Scheduler {
  const { lookEvery } = options
  const work = makeWork(kit, options, () => stir())
  let loop: Promise<void> | undefined
  let wake = new AbortController()
  const stir = (): void => wake.abort()
  const checkUpcoming = makeUpcomingCheck(kit, lookEvery)

  /** Starts all due checks. Returns the time when the next one is due. */
  const look = async (): Promise<number> => {
    const now = kit.clock.now()
    let next = Infinity
    await checkUpcoming(now)
    for (;;) {
      const dues = await kit.indexes.due(mostDue)
      const ready = dues.filter(({ at }) => at <= now)
      for (const due of ready) await take(due, kit)
      next = dues.find(({ at }) => at > now)?.at ?? Infinity
      if (ready.length < mostDue) break
    }
    await work.offer()
    return next
  }

  const keep = async (): Promise<void> => {
    while (!kit.signal.aborted) {
      wake = new AbortController()
      let rest = lookEvery
      try {
        const next = await look()
        const soonest = Math.min(next - kit.clock.now(), work.pause())
        rest = Math.min(Math.max(soonest, shortestRest), lookEvery)
      } catch (error) {
        if (!kit.signal.aborted) kit.warn(`The schedule of monitors is looked at again later: ${faultText(error)}`)
      }
      await kit.clock.sleep(rest, AbortSignal.any([kit.signal, wake.signal])).catch(() => undefined)
    }
  }

  return {
    start: () => void (loop ??= keep()),
    stir,
    idle: async () => {
      await loop
      await work.idle()
    },
  }
}

/** Runs the checks and notifications of this engine. */
function makeWork(kit: MonitorKit, { lookEvery, checksAtOnce, ended, post }: SchedulerOptions, freed: () => void) {
  const isTaken = (error: unknown): boolean => error instanceof LeftCheck
  const checks = makeOpenWork(kit, { lookEvery, atOnce: checksAtOnce, isTaken, freed })
  const posts = makeOpenWork(kit, { lookEvery, atOnce: postsAtOnce })
  return {
    /** Starts open work that no other engine has. */
    offer: async (): Promise<void> => {
      for (const { monitor } of await kit.indexes.open(mostOpen)) {
        const piece = { lock: monitorKeys.lock(monitor), title: `A check of the monitor ${monitor}` }
        checks.offer(piece, async (failures) => {
          const check = await runCheck(monitor, kit, failures >= maxFailures)
          if (check && isOver(check)) ended(check)
        })
      }
      for (const { monitor, check } of await kit.indexes.posts(mostOpen)) {
        const piece = { lock: monitorKeys.lock(`post/${check}`), title: `Sending the messages of the check ${check}` }
        posts.offer(piece, () => post(monitor, check))
      }
    },
    pause: (): number => Math.min(checks.pause(), posts.pause()),
    idle: async (): Promise<void> => {
      await Promise.all([checks.idle(), posts.idle()])
    },
  }
}

/**
 * Checks stored due times in the future against their schedules, one page of entries at a time and at most once per interval.
 * It adds the right entry. The wrong one is removed when its time comes.
 */
function makeUpcomingCheck(kit: MonitorKit, every: number): (now: number) => Promise<void> {
  const { clock, indexes, monitors } = kit
  let checkedAt = -Infinity
  let last: Due | undefined
  return async (now) => {
    if (elapsed(clock) - checkedAt < every) return
    checkedAt = elapsed(clock)
    const dues = await indexes.due(mostDue, last ?? { monitor: '', at: now })
    last = dues.length < mostDue ? undefined : dues.at(-1)
    const records = await monitors.getMany(dues.map(({ monitor }) => monitor))
    for (const [place, record] of records.entries()) {
      if (!record || startOf(withCheckedTime(record, now)) === dues[place]?.at) continue
      const checked = await monitors.update(record.id, (old) => {
        const changed = withCheckedTime(old, now)
        return changed === old ? undefined : changed
      })
      if (checked) await putRight(checked, kit)
    }
  }
}

/** Handles a due time. Its index entry is removed last, so that another engine can repeat the work if this one stops. */
async function take(due: Due, kit: MonitorKit): Promise<void> {
  const { monitors, indexes, clock } = kit
  const record = await monitors.get(due.monitor)
  const start = record && startOf(record)
  const now = clock.now()
  if (record && start === due.at) {
    const next = startOf({ ...record, nextRunAt: nextTime(record, Math.max(now, record.nextRunAt ?? 0)) })
    if (next !== undefined) await indexes.addDue({ monitor: record.id, at: next })
    let begun: Begun | undefined
    const kept = await monitors.update(record.id, (old) => {
      begun = begin(old, due.at, now)
      return begun?.record
    })
    if (begun?.is === 'overlap') await noteOverlap(begun, kit)
    if (kept) await putRight(kept, kit)
  } else if (record) await putRight(record, kit)
  // Keep the entry if the monitor was changed meanwhile to be due at this very time.
  const left = await monitors.get(due.monitor)
  if (!left || startOf(left) !== due.at) await indexes.removeDue(due)
}

/** Adds the index entries that follow from a record. */
export async function putRight(record: MonitorRecord, { indexes }: MonitorKit): Promise<void> {
  const start = startOf(record)
  if (start !== undefined) await indexes.addDue({ monitor: record.id, at: start })
  if (record.current) await indexes.addOpen(record.id, record.current.id)
}

async function noteOverlap({ record, scheduledFor }: Begun, { checks, clock }: MonitorKit): Promise<void> {
  const now = clock.now()
  const id = checkIdOf(record.id, scheduledFor)
  const times = { scheduledFor, createdAt: now, updatedAt: now, finishedAt: now }
  const queued = queuedCheck(record)
  if (!queued) return
  const passed = { ...queued, id, ...times, trigger: 'scheduled', missed: 0, status: 'skipped_overlap' } as const
  await checks.update(record.id, id, keepOf(record), (old) => old ?? { ...passed, estimatedCredits: null })
}
