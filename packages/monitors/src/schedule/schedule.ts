// Schedules of monitors: a cron expression or an interval, in a time zone, with rest periods.
import { hash } from 'node:crypto'

import { z } from 'zod'

import { readCron } from './cron.ts'
import { restSchema, restsAt } from './rest.ts'
import { cronOfWords } from './words.ts'

const minute = 60_000
/** Minimum time between two checks, in milliseconds. */
export const minGap = 5 * minute
export const maxGap = 366 * 24 * 60 * minute
/** Default limit of the jitter that spreads monitors with the same schedule. In milliseconds. */
const maxJitter = 5 * minute
/** Maximum number of times to try outside rest periods, and number of intervals that are checked against the minimum. */
const maxAttempts = 10_000
const gapsMeasured = 60

const timezone = z
  .string()
  .min(1)
  .max(128)
  .refine(isTimezone, { message: 'must be a time zone such as Europe/Berlin' })
  .meta({ title: 'Time zone', description: 'The time zone of the cron expression and of the quiet hours.' })
  .default('UTC')

const words = z.string().min(1).max(128)

/** A schedule: exactly one of `cron`, `text` and `every`. */
export const scheduleSchema = z
  .strictObject({
    cron: words
      .meta({ title: 'Cron expression', description: 'Five fields. Day of the month and weekday must both match.' })
      .optional(),
    text: words
      .meta({
        title: 'In words',
        description: 'The schedule in words, such as every 30 minutes, hourly, daily at 9:00, weekly.',
      })
      .optional(),
    every: z
      .int()
      .min(minGap)
      .max(maxGap)
      .meta({ title: 'Interval', description: 'The time between two checks.', unit: 'ms' })
      .optional(),
    timezone,
    rest: z
      .array(restSchema)
      .max(20)
      .meta({ title: 'Hours of rest', description: 'Times of the day without checks.' })
      .default([]),
    missed: z
      .enum(['once', 'skip'])
      .meta({
        title: 'Missed looks',
        description: 'Missed checks: run one check instead of all of them (`once`), or none (`skip`).',
      })
      .default('once'),
    jitter: z
      .int()
      .min(0)
      .max(60 * minute)
      .meta({
        title: 'Jitter',
        description:
          'Maximum delay of the start of a check. It differs by monitor. Default: half of the interval, but at most 5 minutes.',
        unit: 'ms',
      })
      .optional(),
  })
  .transform((given, context) => {
    const { cron, text, every, ...more } = given
    if ([cron, text, every].filter((one) => one !== undefined).length !== 1)
      return refuse(context, 'must have exactly one of cron, text and every')
    if (every !== undefined) return { ...more, every }
    const expression = cron ?? cronOfWords(text ?? '')
    if (expression === undefined)
      return refuse(
        context,
        `is ${JSON.stringify((text ?? '').slice(0, 60))}, which is not a schedule; write every 30 minutes, hourly, every 6 hours, daily at 9:00 or weekly, or pass cron`,
        'text',
      )
    const times = readCron(expression, more.timezone)
    if (typeof times === 'string')
      return refuse(context, `${times}, but is ${JSON.stringify(expression.slice(0, 60))}`, 'cron')
    return { ...more, cron: expression.trim() }
  })
  .superRefine((schedule, context) => {
    const problem = problemOf(schedule)
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
  })

function refuse(context: z.core.$RefinementCtx, message: string, field?: string): never {
  context.addIssue({ code: 'custom', message, path: field === undefined ? [] : [field] })
  return z.NEVER
}

/** A validated schedule: has either `cron` or `every`. */
export interface Schedule extends Omit<z.output<typeof scheduleSchema>, 'cron' | 'every'> {
  readonly cron?: string
  readonly every?: number
}

/** The times of a schedule. */
export interface Times {
  /** Returns the first time after `after`; `undefined` if there is none. */
  next(after: number): number | undefined
  /** Returns the milliseconds between the next two times. */
  gap(after: number): number
}

/**
 * Returns the times of a schedule, in milliseconds since 1970. Intervals are counted from `since`. `next` returns `undefined`
 * if no time is left, or all of the next 10,000 are in rest periods; `gap` is then 366 days.
 */
export function timesOf(schedule: Schedule, since: number): Times {
  const isRest = restsAt(schedule.rest, schedule.timezone)
  const step = stepper(schedule, since)
  const next: Times['next'] = (after) => {
    let time = step(after)
    for (let count = 0; time !== undefined && count < maxAttempts; count += 1) {
      if (!isRest(time)) return time
      time = step(time)
    }
    return undefined
  }
  return {
    next,
    gap: (after) => {
      const one = next(after)
      const other = one === undefined ? undefined : next(one)
      return one === undefined || other === undefined ? maxGap : other - one
    },
  }
}

function stepper({ cron, every, timezone: zone }: Schedule, since: number): Times['next'] {
  // Also correct if `since` is later than `after`, because the clock was ahead when the schedule was set.
  if (every !== undefined) return (after) => since + (Math.floor((after - since) / every) + 1) * every
  const times = readCron(cron ?? '', zone)
  return typeof times === 'string' ? () => undefined : times.next
}

function problemOf(schedule: Schedule): string | undefined {
  const times = timesOf(schedule, 0)
  // A fixed date without a DST change, so that validation always has the same result.
  const start = Date.UTC(2026, 0, 1)
  let time = times.next(start)
  if (time === undefined || time > start + maxGap) return 'has no time within a year outside its hours of rest'
  for (let count = 0; count < gapsMeasured; count += 1) {
    const following: number | undefined = times.next(time)
    if (following === undefined) return undefined
    if (following - time < minGap) return `is due more than once in ${minGap / minute} minutes`
    time = following
  }
  return undefined
}

/**
 * Returns the delay of each check of a monitor, in milliseconds: less than `jitter` if that is set, else than half of `gap`,
 * the time between two checks, and than 5 minutes. It is derived from the id, so it stays the same.
 */
export function jitterOf(id: string, { jitter }: Schedule, gap: number): number {
  const most = jitter ?? Math.min(Math.floor(gap / 2), maxJitter)
  return most === 0 ? 0 : Number.parseInt(hash('sha256', id, 'hex').slice(0, 8), 16) % most
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}
