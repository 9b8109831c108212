import { describe, expect, test } from 'vitest'
import { inCalendarOf } from './calendars.ts'
import { isMonthName, orderOf, readDay } from './dates.ts'

const tags = (
  'en-US en-GB de-DE fr-FR es-ES es-MX pt-BR it-IT nl-NL pl-PL cs-CZ sk-SK tr-TR ru-RU uk-UA id-ID vi-VN ja-JP zh-CN zh-TW ' +
  'ko-KR ar-EG ar-SA ar-LB ar-MA fa-IR he-IL hi-IN bn-BD th-TH el-GR ro-RO hu-HU bg-BG sv-SE da-DK nb-NO fi-FI hr-HR sr-RS ' +
  'sl-SI et-EE ca-ES ms-MY ur-PK'
).split(' ')
const styles = [
  { dateStyle: 'long' },
  { dateStyle: 'full' },
  { dateStyle: 'medium' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
] as const

test.each(tags)('reads each usual form of a day in %s', (tag) => {
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' })
    for (const day of ['2024-05-31', '2023-12-03', '2021-03-09', '2020-01-01']) {
      const written = format.format(Date.parse(day))
      const found = readDay(written, orderOf(tag))
      expect([written, found && inCalendarOf(tag, found)]).toEqual([written, day])
    }
  }
})

describe('other calendars', () => {
  test.each([
    ['令和6年5月31日', '2024-05-31'],
    ['令和元年5月31日', '2019-05-31'],
    ['民國113年5月31日', '2024-05-31'],
    ['31 พ.ค. 2567', '2024-05-31'],
    ['۱۱ خرداد ۱۴۰۳', '2024-05-31'],
    ['23 ذي القعدة 1445 هـ', '2024-05-31'],
    ['الجمعة 31 مايو 2024 - 23 ذو القعدة 1445 هـ', '2024-05-31'],
  ])('%s is %s', (written, day) => {
    expect(readDay(written, undefined)).toBe(day)
  })

  test('an Islamic day without the letter of its era is not read', () => {
    expect(readDay('23 ذو القعدة 1445', 'dmy')).toBeUndefined()
  })

  test('a year of our time stays in Thai and Persian', () => {
    expect(inCalendarOf('th', '2024-05-31')).toBe('2024-05-31')
    expect(inCalendarOf('fa-IR', '2024-05-31')).toBe('2024-05-31')
    expect(inCalendarOf('fa-IR', '1403-03-11')).toBe('2024-05-31')
  })

  test('a day that does not exist is not read', () => {
    expect(readDay('۳۱ اسفند ۱۴۰۳', undefined)).toBeUndefined()
  })
})

test.each(['March', 'März', 'марта', 'Aralık', 'พ.ค.'])('%s is the name of a month', (word) => {
  expect(isMonthName(word)).toBe(true)
})
