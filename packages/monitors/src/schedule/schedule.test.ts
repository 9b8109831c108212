import { describe, expect, test } from 'vitest'

import { jitterOf, scheduleSchema, timesOf, type Schedule } from './schedule.ts'

const read = (given: object): Schedule => scheduleSchema.parse(given)
const timesAfter = (given: object, from: string, count = 3): string[] => {
  const { next } = timesOf(read(given), 0)
  const found: string[] = []
  for (let at = next(Date.parse(from)); at !== undefined && found.length < count; at = next(at))
    found.push(new Date(at).toISOString().slice(0, 16))
  return found
}

describe('a schedule', () => {
  test.each([
    ['every 30 minutes', '*/30 * * * *'],
    ['Every 15 mins starting at :05.', '5-59/15 * * * *'],
    ['hourly at :15', '15 * * * *'],
    ['every 6 hours', '0 */6 * * *'],
    ['daily at 9:30pm', '30 21 * * *'],
    ['every day at 12am', '0 0 * * *'],
    ['weekly', '0 0 * * 0'],
  ])('in words, %s, is a cron expression', (text, cron) => {
    expect(read({ text }).cron).toBe(cron)
  })

  test.each(['every 7 minutes', 'every minute', 'daily at 13pm', 'on mondays', 'every 25 hours'])(
    'is not made of %s',
    (text) => {
      expect(scheduleSchema.safeParse({ text }).success).toBe(false)
    },
  )

  test.each(['5/15 * * * *', '* * * *', 'MON * * * *', '61 * * * *', '*/2 * * * *', '0 0 31 2 *', '0 0 L * *'])(
    'is not made of the cron expression %s',
    (cron) => {
      expect(scheduleSchema.safeParse({ cron }).success).toBe(false)
    },
  )

  test('has its times in its time zone, also when the clocks are changed', () => {
    expect(timesAfter({ cron: '30 2 * * *', timezone: 'Europe/Berlin' }, '2026-03-28T00:00Z')).toEqual([
      ...['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ])
  })

  test('wants day of the month and weekday to match both', () => {
    expect(timesAfter({ cron: '0 0 13 * 5' }, '2026-01-01T00:00Z', 2)).toEqual(['2026-02-13T00:00', '2026-03-13T00:00'])
  })

  test('passes over its hours of rest, on their days', () => {
    const rest = [{ from: '22:00', to: '06:00', days: [4] }]
    expect(timesAfter({ cron: '0 */4 * * *', rest }, '2026-01-01T17:00Z')).toEqual([
      ...['2026-01-01T20:00', '2026-01-02T08:00', '2026-01-02T12:00'],
    ])
  })

  test('of an interval is counted from when it was set', () => {
    expect(timesAfter({ every: 3_600_000 }, '2026-01-01T00:10Z', 1)).toEqual(['2026-01-01T01:00'])
  })

  test('begins a little later for each monitor, by another amount, and always by the same', () => {
    const schedule = read({ text: 'daily' })
    const jitters = ['a', 'b', 'c', 'a'].map((id) => jitterOf(id, schedule, 86_400_000))
    expect(new Set(jitters).size).toBe(3)
    expect(jitters[0]).toBe(jitters[3])
    expect(Math.max(...jitters)).toBeLessThan(300_000)
  })
})
