// What becomes of a monitor when a time of its schedule has come: a pure step on its record.
import { checkIdOf } from '../ids.ts'
import type { MonitorRecord } from '../records/monitor.ts'
import { jitterOf, timesOf } from '../schedule/schedule.ts'

/** What a step came to. */
export interface Begun {
  readonly record: MonitorRecord
  /** A check was begun, was passed over because one runs, or because its time was missed. */
  readonly is: 'begun' | 'overlap' | 'skipped'
  readonly scheduledFor: number
}

const minute = 60_000
/** A look that begins later than this was missed. */
const longestGrace = 10 * minute
/** Times that passed are counted up to here. */
const mostCounted = 10_000

/** When the check for the next time of a monitor begins; nothing while none is to. */
export function startOf(record: MonitorRecord): number | undefined {
  const { status, nextRunAt } = record
  if (status !== 'active' || nextRunAt === null) return undefined
  const gap = timesOf(record.schedule, record.scheduledSince).gap(nextRunAt)
  return nextRunAt + jitterOf(record.id, record.schedule, gap)
}

/** The first time of a schedule after a moment. */
export function nextTime({ schedule, scheduledSince }: MonitorRecord, after: number): number | null {
  return timesOf(schedule, scheduledSince).next(after) ?? null
}

/** Clocks of engines on one store may differ by this many milliseconds. */
const clockTolerance = 5 * minute

/**
 * Returns the record with a due time that its schedule allows at `now`. A clock that was ahead when the time was stored made it
 * too late. The same record when its due time is right.
 */
export function withCheckedTime(record: MonitorRecord, now: number): MonitorRecord {
  const { status, nextRunAt } = record
  if (status !== 'active' || nextRunAt === null) return record
  const latest = nextTime(record, now + clockTolerance)
  return latest !== null && nextRunAt > latest ? { ...record, nextRunAt: nextTime(record, now) } : record
}

/**
 * Begins the check for the time that has come. Nothing when the record has moved on, or it is not the time: of all that try,
 * one does it.
 */
export function begin(record: MonitorRecord, at: number, now: number): Begun | undefined {
  const { nextRunAt, current, skipped } = record
  if (nextRunAt === null || startOf(record) !== at || now < at) return undefined
  const times = timesOf(record.schedule, record.scheduledSince)
  let missed = 0
  let next = times.next(nextRunAt)
  for (; next !== undefined && next <= now && missed < mostCounted; missed += 1) next = times.next(next)
  if (next !== undefined && next <= now) next = times.next(now)
  const moved = { ...record, nextRunAt: next ?? null }
  const grace = Math.min(times.gap(nextRunAt) / 2, longestGrace)
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
