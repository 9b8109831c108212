// Writes packages/html/src/data/day-names.ts: the names of months and weekdays that `Intl` has. Collecting them takes 55 ms of CPU time,
// which each process and thread would need.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { plainName, withoutAccents } from '../packages/html/src/data/month-words.ts'

export const target = join(import.meta.dirname, '../packages/html/src/data/day-names.ts')

const languages = (
  'en de fr es it pt nl sv da nb fi pl cs tr id ro hu ru uk el bg sk ca hr sl et lv sr sr-Latn ms ur vi ar ar-LB ar-DZ ar-MA he hi th bn ' +
  'fa-u-ca-gregory'
).split(' ')

/** Names that are different months in different languages. A new one needs a decision. */
const knownCollisions = new Set(['listopad', 'listopada', 'lip', 'lis', 'srp'])

/** The languages of each month, by the name that they have for it. */
type Names = Map<string, Map<number, Set<string>>>

/** Returns the languages and months of each name or abbreviation. */
function monthNames(): Names {
  const names: Names = new Map()
  // Names that `Intl` does not have, or that are too short for the test of names. May has two in Persian.
  addName(names, 'sept', { month: 9, language: 'en' })
  addName(names, 'مه', { month: 5, language: 'fa' })
  addName(names, 'می', { month: 5, language: 'fa' })
  addName(names, 'آب', { month: 8, language: 'ar' })
  addName(names, 'ag', { month: 8, language: 'ca' })
  for (const language of languages) {
    for (const style of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
      const within = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' })
      for (let month = 1; month <= 12; month += 1) {
        const day = Date.UTC(2024, month - 1, 1)
        const inDate = within.formatToParts(day).find(({ type }) => type === 'month')?.value
        for (const name of [alone.format(day), inDate ?? '']) {
          addIntlName(names, name, { month, language })
          // Hebrew joins "in" to the month: "31 במאי 2024".
          if (language === 'he') addIntlName(names, `ב${name}`, { month, language })
        }
      }
    }
  }
  return names
}

interface Use {
  readonly month: number
  readonly language: string
}

function addIntlName(names: Names, name: string, use: Use): void {
  const word = plainName(name)
  const isShort = /[\p{sc=Thai}\p{sc=Devanagari}\p{sc=Bengali}]/u.test(word) && word.length > 1
  if (isShort || /^\p{L}[\p{L}\p{M}]{2,}(?: \p{L}[\p{L}\p{M}]{2,})?$/u.test(word)) addName(names, word, use)
}

function addName(names: Names, word: string, { month, language }: Use): void {
  const months = names.get(word) ?? new Map<number, Set<string>>()
  const users = months.get(month) ?? new Set<string>()
  names.set(word, months.set(month, users.add(language.split('-', 1)[0]!)))
}

/** Returns the months of the ambiguous names by language. Throws if there is one that is not known. */
function collisionsOf(names: Names): ReadonlyMap<string, readonly (readonly [language: string, month: number])[]> {
  const found = new Map<string, (readonly [string, number])[]>()
  for (const [name, months] of names) {
    if (months.size === 1) continue
    const uses = [...months].flatMap(([month, users]) => [...users].map((language) => [language, month] as const))
    if (new Set(uses.map(([language]) => language)).size < uses.length)
      throw new Error(`"${name}" is several months in one language. Omit it.`)
    found.set(name, uses)
  }
  const unknown = [...found.keys()].filter((name) => !knownCollisions.has(name))
  if (unknown.length > 0)
    throw new Error(`These names are several months: ${unknown.join(', ')}. Add them to knownCollisions.`)
  return found
}

/** Throws if a name without its accents is another month's name. */
function checkAccents(names: Names): void {
  const plain = new Map<string, number>()
  for (const [name, months] of names) {
    if (months.size > 1) continue
    const [month = 0] = months.keys()
    const key = withoutAccents(name)
    if ((plain.get(key) ?? month) !== month) throw new Error(`"${key}" is several months without accents.`)
    plain.set(key, month)
  }
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
  const names = monthNames()
  checkAccents(names)
  const lists = Array.from({ length: 12 }, (_, month) =>
    [...names].flatMap(([name, months]) => (months.size === 1 && months.has(month + 1) ? [name] : [])).join('|'),
  )
  const collisions = [...collisionsOf(names)].map(
    ([name, uses]) => `  ${name}: { ${uses.map(([language, month]) => `${language}: ${month}`).join(', ')} },\n`,
  )
  return `// Made by scripts/day-names.ts from the data of Intl (CLDR ${process.versions['cldr']}).

/** Names and abbreviations of the months in many languages, from January: in lower case, without dots, separated by \`|\`. */
export const monthWords: readonly string[] = [
${lists.map((list) => `  '${list}',\n`).join('')}]

/** Names that are different months in different languages: the month by language. */
export const ambiguousMonths: Readonly<Record<string, Readonly<Record<string, number>>>> = {
${collisions.join('')}}

/** A pattern for the names of the weekdays, as the languages write them within a date. */
export const weekdayPattern =
  ${JSON.stringify(weekdayPattern()).replace(/^"|"$/g, "'")}
`
}

if (import.meta.main) writeFileSync(target, dayNames())
