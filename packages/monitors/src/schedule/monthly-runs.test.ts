import { describe, expect, test } from 'vitest'

import { monthlyRuns } from './monthly-runs.ts'
import { scheduleSchema, timesOf } from './schedule.ts'

const runsOf = (given: object) => monthlyRuns(scheduleSchema.parse(given))

describe('The number of checks in a month', () => {
  test.each([
    ['hourly', { text: 'hourly' }, 720],
    ['every 5 minutes', { text: 'every 5 minutes' }, 8_640],
    ['daily', { text: 'daily at 9:00' }, 30],
    ['weekly', { text: 'weekly' }, 5],
    ['monthly', { cron: '0 0 1 * *' }, 1],
    ['once a year', { cron: '0 0 1 1 0-7' }, 1],
    ['hourly during office hours', { cron: '0 9-17 * * 1-5', timezone: 'Europe/Berlin' }, 194],
    ['twice at night, and not in between', { cron: '0,10 2 * * *' }, 60],
    ['hourly, except at night', { text: 'hourly', rest: [{ from: '22:00', to: '06:00' }] }, 480],
    ['hourly, except on weekends', { text: 'hourly', rest: [{ from: '00:00', to: '23:59', days: [0, 6] }] }, 515],
    ['an interval of an hour', { every: 3_600_000 }, 720],
    ['an interval of an hour, except at night', { every: 3_600_000, rest: [{ from: '22:00', to: '06:00' }] }, 480],
  ])('%s is %#', (_, schedule, expected) => {
    expect(runsOf(schedule)).toBe(expected)
  })

  test.each(['*/20 8-18/2 * * 1,3,5', '7,37 */6 * * *', '0 12 1,15 * *'])(
    'of %s is that of the times in a year',
    (cron) => {
      const start = Date.UTC(2025, 11, 31, 23, 59)
      const { next } = timesOf(scheduleSchema.parse({ cron }), 0)
      let runs = 0
      for (let at = next(start); at !== undefined && at < Date.UTC(2027, 0, 1); at = next(at)) runs += 1
      expect(runsOf({ cron })).toBe(Math.ceil((runs * 30) / 365))
    },
  )
})
