import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits as limits } from '../limits.ts'

test('an entry of a calendar is read once, however often it ends', async () => {
  const bytes = Buffer.from(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:x\n${'END:VEVENT\n'.repeat(50)}`)
  const { html } = await convertFile({ bytes, kind: 'calendar', limits })
  expect(html.join('').split('<h2>').length - 1).toBe(1)
})

test('an alarm in an entry does not end it', async () => {
  const alarm = 'BEGIN:VALARM\nSUMMARY:alarm\nEND:VALARM\n'
  const bytes = Buffer.from(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${alarm}SUMMARY:x\nEND:VEVENT\nEND:VCALENDAR\n`)
  expect((await convertFile({ bytes, kind: 'calendar', limits })).html.join('')).toContain('<body><h2>x</h2></body>')
})
