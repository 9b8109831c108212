// Number of checks in a month. Computed from the fields of the cron expression, because the next time of one takes up to half a
// millisecond to find, and there can be thousands in a month.
import { isResting, type Rest } from './rest.ts'
import type { Schedule } from './schedule.ts'

const day = 86_400_000
const monthDays = 30
const daysOfYear = 365
/** Distance of the times at which the rest periods of an interval are tested. In minutes. */
const sampled = 5

/** Returns the average number of scheduled times in 30 days, rounded up. Clock changes do not count. */
export function monthlyRuns({ cron, every, rest }: Pick<Schedule, 'cron' | 'every' | 'rest'>): number {
  if (every !== undefined) return Math.ceil(((monthDays * day) / every) * openShare(rest))
  return Math.ceil((runsOfYear((cron ?? '').split(/\s+/), rest) * monthDays) / daysOfYear)
}

function runsOfYear(
  [minute = '', hour = '', date = '', month = '', weekday = '']: string[],
  rest: readonly Rest[],
): number {
  const times = valuesOf(hour, 0, 23).flatMap((h) => valuesOf(minute, 0, 59).map((m) => h * 60 + m))
  const [dates, months] = [new Set(valuesOf(date, 1, 31)), new Set(valuesOf(month, 1, 12))]
  const weekdays = new Set(valuesOf(weekday, 0, 7).map((one) => one % 7))
  const runsOn = Array.from({ length: 7 }, (_, on) => times.filter((time) => !isResting(rest, on, time)).length)
  let runs = 0
  for (let index = 0; index < daysOfYear; index += 1) {
    const at = new Date(Date.UTC(2026, 0, 1 + index))
    const on = at.getUTCDay()
    if (dates.has(at.getUTCDate()) && months.has(at.getUTCMonth() + 1) && weekdays.has(on)) runs += runsOn[on] ?? 0
  }
  return runs
}

/** Returns the values of a valid cron field, such as `1-5/2` or `*`. */
function valuesOf(field: string, least: number, most: number): readonly number[] {
  const values = field.split(',').flatMap((part) => {
    const [range = '', step = '1'] = part.split('/')
    const [from = least, to = range === '*' ? most : from] = range === '*' ? [] : range.split('-').map(Number)
    return Array.from({ length: Math.floor((to - from) / Number(step)) + 1 }, (_, index) => from + index * Number(step))
  })
  return [...new Set(values)]
}

/** Returns the fraction of a week outside the rest periods. */
function openShare(rest: readonly Rest[]): number {
  if (rest.length === 0) return 1
  const times = Array.from({ length: (24 * 60) / sampled }, (_, index) => index * sampled)
  const open = Array.from({ length: 7 }, (_, on) => times.filter((time) => !isResting(rest, on, time)).length)
  return open.reduce((sum, one) => sum + one, 0) / (7 * times.length)
}
