// Writes packages/html/src/data/day-names.ts: the names of months and weekdays that `Intl` has. Collecting them takes 55 ms of CPU time,
// which each process and thread would need.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ofAbbreviation } from '../packages/html/src/data/dates.ts'

export const target = join(import.meta.dirname, '../packages/html/src/data/day-names.ts')

const languages = (
  'en de fr es it pt nl sv da nb fi pl cs tr id ro hu ru uk el bg sk ca hr sl et lv sr sr-Latn ms ur vi ar ar-LB ar-DZ ar-MA he hi th bn ' +
  'fa-u-ca-gregory'
).split(' ')

/** Returns month numbers by lower-case name or abbreviation, without dots. */
function monthNames(): ReadonlyMap<string, number> {
  // Names that `Intl` does not have. May has two in Persian.
  const names = new Map([
    ['sept', 9],
    ['مه', 5],
    ['می', 5],
  ])
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
      const within = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 0; month < 12; month += 1) {
        const day = Date.UTC(2024, month, 1)
        const inDate = within.formatToParts(day).find(({ type }) => type === 'month')?.value
        for (const name of [alone.format(day), inDate ?? '']) {
          addName(names, name, month + 1)
          // Hebrew joins "in" to the month: "31 במאי 2024".
          if (language === 'he') addName(names, `ב${name}`, month + 1)
        }
      }
    }
  }
  return names
}

function addName(names: Map<string, number>, name: string, month: number): void {
  const word = name.toLowerCase().replaceAll(ofAbbreviation, '')
  const isShort = /[\p{sc=Thai}\p{sc=Devanagari}\p{sc=Bengali}]/u.test(word) && word.length > 1
  if ((isShort || /^\p{L}[\p{L}\p{M}]{2,}(?: \p{L}[\p{L}\p{M}]{2,})?$/u.test(word)) && !names.has(word))
    names.set(word, month)
}

/** Returns a pattern for the names of the weekdays, as the languages write them within a date. */
function weekdayPattern(): string {
  const names = new Set<string>()
  for (const language of languages) {
    const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' })
    for (let day = 1; day <= 7; day += 1) names.add(format.format(Date.UTC(2024, 0, day)))
  }
  return [...names].toSorted((one, other) => other.length - one.length).join('|')
}

/** Returns the text of the file. */
export function dayNames(): string {
  const months = [...monthNames()]
  const lists = Array.from({ length: 12 }, (_, month) =>
    months.flatMap(([name, number]) => (number === month + 1 ? [name] : [])).join('|'),
  )
  return `// Made by scripts/day-names.ts from the data of Intl.

/** Names and abbreviations of the months in many languages, from January: in lower case, without dots, separated by \`|\`. */
export const monthWords: readonly string[] = [
${lists.map((list) => `  '${list}',\n`).join('')}]

/** A pattern for the names of the weekdays, as the languages write them within a date. */
export const weekdayPattern =
  ${JSON.stringify(weekdayPattern()).replace(/^"|"$/g, "'")}
`
}

if (import.meta.main) writeFileSync(target, dayNames())
