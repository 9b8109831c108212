import { describe, expect, test } from 'vitest'
import { inCalendarOf } from './calendars.ts'
import { isMonthName, orderOf, readDay } from './dates.ts'

const tags = (
  'en-US en-GB de-DE fr-FR es-ES es-MX pt-BR it-IT nl-NL pl-PL cs-CZ sk-SK tr-TR ru-RU uk-UA id-ID vi-VN ja-JP zh-CN zh-TW ' +
  'ko-KR ar-EG ar-SA ar-LB ar-MA fa-IR he-IL hi-IN bn-BD th-TH el-GR ro-RO hu-HU bg-BG sv-SE da-DK nb-NO fi-FI hr-HR sr-RS ' +
  'sl-SI et-EE lv-LV ca-ES ms-MY ur-PK'
).split(' ')
const styles = [
  { dateStyle: 'long' },
  { dateStyle: 'full' },
  { dateStyle: 'medium' },
  { year: 'numeric', month: 'long', day: 'numeric' },
  { year: 'numeric', month: 'short', day: 'numeric' },
  { year: 'numeric', month: 'numeric', day: 'numeric' },
  { year: 'numeric', month: '2-digit', day: '2-digit' },
] as const

/** A day in each month. */
const days = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2024, month, 29 - month * 2)).toISOString().slice(0, 10),
)

test.each(tags)('reads each usual form of a day in %s', (tag) => {
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' })
    for (const day of days) {
      const written = format.format(Date.parse(day))
      const found = readDay(written, orderOf(tag), tag)
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

test.each([
  ['31 KASIM 2024', undefined],
  ['30 KASIM 2024', '2024-11-30'],
  ['5 HAZİRAN 2024', '2024-06-05'],
  ['31 ΜΑΪΟΥ 2024', '2024-05-31'],
  ['31 AOÛT 2024', '2024-08-31'],
  ['31 aout 2024', '2024-08-31'],
  ['Posted:May 31, 2024', '2024-05-31'],
  ['30 เม.ย. 2567', '2024-04-30'],
  ['31 Foo 2024, 31 May 2024', undefined],
  ['12 :: 2024, 31 May 2024', '2024-05-31'],
])('%s is the day %s', (written, day) => {
  expect(readDay(written, undefined)).toBe(day)
})

test('a month whose name is another one in another language needs the language', () => {
  expect(readDay('15. listopada 2024.', undefined, 'hr')).toBe('2024-10-15')
  expect(readDay('15 listopada 2024', undefined, 'pl-PL')).toBe('2024-11-15')
  expect(readDay('15. lis 2024', undefined, 'HR')).toBe('2024-10-15')
  expect(readDay('15 listopada 2024', undefined)).toBeUndefined()
  expect(readDay('15 listopada 2024', undefined, 'de')).toBeUndefined()
  expect(isMonthName('Listopada')).toBe(true)
})
