// The only import of croner: computes the times of cron expressions with five fields, in a time zone.
import { Cron } from 'croner'

const field =
  /^(?:\*(?:\/\d{1,2})?|\d{1,2}(?:-\d{1,2}(?:\/\d{1,2})?)?)(?:,(?:\*(?:\/\d{1,2})?|\d{1,2}(?:-\d{1,2}(?:\/\d{1,2})?)?))*$/

/** The times of a cron expression. */
export interface CronTimes {
  /** Returns the first time after `after`, in milliseconds since 1970; `undefined` if there is none. */
  next(after: number): number | undefined
}

/**
 * Parses a cron expression of five fields, for a time zone such as `Europe/Berlin`. Day of month and weekday must both match.
 * Times are in milliseconds since 1970; `next` returns `undefined` if there is none. An invalid expression or time zone
 * returns an error message.
 */
export function readCron(expression: string, timezone: string): CronTimes | string {
  const fields = expression.trim().split(/\s+/)
  if (fields.length !== 5 || fields.some((one) => !field.test(one)))
    return 'must have five fields: minute, hour, day of month, month, weekday; each a number, a list, a range, * or a step, such as */30 9-17 * * 1-5'
  try {
    const cron = new Cron(fields.join(' '), { paused: true, mode: '5-part', domAndDow: true, timezone })
    return {
      next: (after) => cron.nextRun(new Date(after))?.getTime(),
    }
  } catch {
    return 'must have valid numbers: minutes are 0-59, hours 0-23, days 1-31, months 1-12, weekdays 0-7'
  }
}
