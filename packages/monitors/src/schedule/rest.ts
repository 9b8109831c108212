// Times of day when a monitor does not check.
import { z } from 'zod'

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')

/** A rest period, in the time zone of the schedule. */
export const restSchema = z
  .strictObject({
    from: time.meta({ title: 'From', description: 'The start of the quiet hours, such as 22:00.' }),
    to: time.meta({
      title: 'To',
      description: 'The end of the quiet hours, such as 06:00. If it is earlier than the start, it is on the next day.',
    }),
    days: z
      .array(z.int().min(0).max(6))
      .min(1)
      .max(7)
      .meta({
        title: 'Days',
        description: 'Weekdays on which the quiet hours start. 0 is Sunday.',
        defaultText: 'every day',
      })
      .optional(),
  })
  .meta({ id: 'MonitorRest', title: 'Hours of rest' })

export type Rest = z.output<typeof restSchema>

/**
 * Returns a function that tells whether a time, in milliseconds since 1970, is within a rest period. `timezone` is an IANA
 * name, in which the periods are given. Throws a `RangeError` if it is unknown.
 */
export function restsAt(rests: readonly Rest[], timezone: string): (at: number) => boolean {
  if (rests.length === 0) return () => false
  const local = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: timezone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  })
  return (at) => {
    const parts = Object.fromEntries(local.formatToParts(at).map(({ type, value }) => [type, value]))
    const now = `${parts['hour']}:${parts['minute']}`
    const today = weekdays.indexOf(parts['weekday'] ?? '')
    return rests.some((rest) => isIn(rest, now, today))
  }
}

/** Returns whether a minute of the day, on a weekday from 0 (Sunday), is within a rest period. */
export function isResting(rests: readonly Rest[], weekday: number, minute: number): boolean {
  const now = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return rests.some((rest) => isIn(rest, now, weekday))
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

function isIn({ from, to, days }: Rest, now: string, today: number): boolean {
  const beginsOn = (day: number): boolean => days === undefined || days.includes((day + 7) % 7)
  if (from <= to) return now >= from && now < to && beginsOn(today)
  return (now >= from && beginsOn(today)) || (now < to && beginsOn(today - 1))
}
