// Begins checks when their time has come, and works on those that are open: of all engines that share a store, one does each.
import { backoffAfter, elapsed, faultText } from '@harvestman/ports/adapters'

import type { MonitorKit } from '../kit.ts'
import { checkIdOf } from '../ids.ts'
import { monitorKeys } from '../keys.ts'
import { isOver, type CheckRecord } from '../records/check.ts'
import type { Due } from '../records/indexes.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { begin, nextTime, startOf, withCheckedTime, type Begun } from './begin.ts'
import { LeftCheck } from './fault.ts'
import { runCheck } from './run-check.ts'
import { keepOf, queuedCheck } from './writer.ts'

/** How the schedule is kept. */
export interface SchedulerOptions {
  /** Milliseconds after which it is looked what is due, also when nothing is known to be. */
  readonly lookEvery: number
  /** Checks that this engine works on at once. */
  readonly checksAtOnce: number
  /** Is told of a check that is over. */
  readonly ended: (check: CheckRecord) => void
  /** Does what else is to be done at each look. */
  readonly also: () => Promise<void>
}

export interface Scheduler {
  /** Begins to keep the schedule. Doing so again changes nothing. */
  start(): void
  /** Looks at once. */
  stir(): void
  /** Resolves when nothing of it runs any more: after the engine was told to close. */
  idle(): Promise<void>
}

const mostDue = 200
const mostOpen = 1_000
const shortestRest = 10

export function makeScheduler(kit: MonitorKit, options: SchedulerOptions): Scheduler {
  const running = makeRunning(kit, options, () => stir())
  let loop: Promise<void> | undefined
  let wake = new AbortController()
  const stir = (): void => wake.abort()
  const checkUpcoming = makeUpcomingCheck(kit, options.lookEvery)

  /** Resolves to when something is due next. */
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
    for (const { monitor } of await kit.indexes.open(mostOpen)) running.offer(monitor)
    await options.also()
    return next
  }

  const keep = async (): Promise<void> => {
    while (!kit.signal.aborted) {
      wake = new AbortController()
      let rest = options.lookEvery
      try {
        const next = await look()
        rest = Math.min(Math.max(Math.min(next - kit.clock.now(), running.rest()), shortestRest), options.lookEvery)
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
      await running.idle()
    },
  }
}

/**
 * Checks stored due times that lie ahead against their schedules, one page of entries at a time and at most once per interval.
 * It adds the right entry and leaves the wrong one, which is removed when its time comes.
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

/** Takes a time that has come. Its entry goes last: until then anyone can take it again. */
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
  // One that was changed so that it is due at this very time stays.
  const left = await monitors.get(due.monitor)
  if (!left || startOf(left) !== due.at) await indexes.removeDue(due)
}

/** Where to look for a monitor follows from its record. */
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

const longestRest = 300_000
/** So often a check is gone on with that breaks each time. */
const mostFaults = 8

interface Rest {
  readonly until: number
  readonly faults: number
}

/** The checks that this engine works on. */
function makeRunning(kit: MonitorKit, { checksAtOnce, lookEvery, ended }: SchedulerOptions, freed: () => void) {
  const running = new Map<string, Promise<void>>()
  /** Those that broke, or that another engine works on, are let be for a while. */
  const resting = new Map<string, Rest>()
  const rest = (monitor: string, ms: number, faults: number): void =>
    void resting.set(monitor, { until: elapsed(kit.clock) + ms, faults })
  const work = async (monitor: string): Promise<void> => {
    const unlock = await kit.lock(monitorKeys.lock(monitor))
    if (!unlock) return rest(monitor, lookEvery / 2, 0)
    const { faults = 0 } = resting.get(monitor) ?? {}
    try {
      const check = await runCheck(monitor, kit, faults >= mostFaults)
      resting.delete(monitor)
      if (check && isOver(check)) ended(check)
      running.delete(monitor)
      freed()
    } catch (error) {
      if (kit.signal.aborted || error instanceof LeftCheck) return
      rest(monitor, backoffAfter(faults + 1, { first: 5_000, longest: longestRest }), faults + 1)
      kit.warn(`A check of the monitor ${monitor} goes on later: ${faultText(error)}`)
    } finally {
      await unlock().catch(() => undefined)
    }
  }
  return {
    offer: (monitor: string): void => {
      if (running.has(monitor) || running.size >= checksAtOnce || kit.signal.aborted) return
      if ((resting.get(monitor)?.until ?? 0) > elapsed(kit.clock)) return
      const mine = work(monitor)
        .catch((error: unknown) => kit.warn(`A check could not be taken: ${faultText(error)}`))
        .finally(() => running.delete(monitor))
      running.set(monitor, mine)
    },
    /** Milliseconds until a check that was left for a while can be offered again. */
    rest: (): number => {
      const now = elapsed(kit.clock)
      const left = [...resting.values()].map(({ until }) => until - now).filter((ms) => ms > 0)
      return Math.min(...left, Infinity)
    },
    idle: async (): Promise<void> => {
      await Promise.all(running.values())
    },
  }
}
