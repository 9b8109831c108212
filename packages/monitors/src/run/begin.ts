// Starts checks when they are due, as pure functions of the monitor record.
import { checkIdOf } from '../ids.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { jitterOf, timesOf } from '../schedule/schedule.ts'

/** The result of a due time. */
export interface Begun {
  readonly record: MonitorRecord
  /** `begun`: a check was started. `overlap`: another one is still running. `skipped`: the time was missed. */
  readonly is: 'begun' | 'overlap' | 'skipped'
  readonly scheduledFor: number
}

const minute = 60_000
/**
 * Maximum delay of a start, in milliseconds, or half the interval if that is shorter. With `missed: 'skip'`, a later start is
 * skipped.
 */
const maxGrace = 10 * minute
/** Maximum number of missed times that are counted. */
const maxMissedTimes = 10_000

/**
 * Returns when the next check starts, with jitter, in milliseconds since 1970. `undefined` if the monitor is paused or has no
 * further time.
 */
export function nextCheckTime(record: MonitorRecord): number | undefined {
  const { status, nextRunAt } = record
  if (status !== 'active' || nextRunAt === null) return undefined
  const gap = timesOf(record.schedule, record.scheduledSince).gap(nextRunAt)
  return nextRunAt + jitterOf(record.id, record.schedule, gap)
}

/** Returns the first scheduled time after a moment, in milliseconds since 1970; `null` if there is none. */
export function nextTime({ schedule, scheduledSince }: MonitorRecord, after: number): number | null {
  return timesOf(schedule, scheduledSince).next(after) ?? null
}

/** Maximum clock difference between engines that share a store, in milliseconds. */
const clockTolerance = 5 * minute

/**
 * Corrects a due time that is too late because a clock was ahead when it was stored. Returns the same record if its due time is
 * right, or if it has none. `now` is in milliseconds since 1970.
 */
export function withCheckedTime(record: MonitorRecord, now: number): MonitorRecord {
  const { status, nextRunAt } = record
  if (status !== 'active' || nextRunAt === null) return record
  const latest = nextTime(record, now + clockTolerance)
  return latest !== null && nextRunAt > latest ? { ...record, nextRunAt: nextTime(record, now) } : record
}

/**
 * Returns the record with the check that is due at `at` started, or counted as skipped if it overlaps a running one or is too
 * late. Returns `undefined` if it is not due or the record has changed since, so that only one engine starts it. Times are in
 * milliseconds since 1970.
 */
export function beginCheck(record: MonitorRecord, at: number, now: number): Begun | undefined {
  const { nextRunAt, current, skipped } = record
  if (nextRunAt === null || nextCheckTime(record) !== at || now < at) return undefined
  const times = timesOf(record.schedule, record.scheduledSince)
  let missed = 0
  let next = times.next(nextRunAt)
  for (; next !== undefined && next <= now && missed < maxMissedTimes; missed += 1) next = times.next(next)
  if (next !== undefined && next <= now) next = times.next(now)
  const moved = { ...record, nextRunAt: next ?? null }
  const grace = Math.min(times.gap(nextRunAt) / 2, maxGrace)
  if (record.schedule.missed === 'skip' && now - at > grace)
    return { record: { ...moved, skipped: skipped + missed + 1 }, is: 'skipped', scheduledFor: nextRunAt }
  if (current) return { record: { ...moved, skipped: skipped + missed + 1 }, is: 'overlap', scheduledFor: nextRunAt }
  const check = {
    id: checkIdOf(record.id, nextRunAt),
    trigger: 'scheduled',
    scheduledFor: nextRunAt,
    createdAt: now,
    missed,
  } as const
  return { record: { ...moved, current: check, skipped: skipped + missed }, is: 'begun', scheduledFor: nextRunAt }
}
