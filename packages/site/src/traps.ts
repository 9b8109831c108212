import { distance, type Fingerprint } from '@harvestman/html/checking'
import { recentlyUsed } from '@harvestman/toolbox/recently-used'
import { loopFinder } from './path-loops.ts'
import { pathStart, shapeOf, type Shape } from './address-shape.ts'

/** The kind of a crawler trap. */
export type TrapKind = 'repeated_segments' | 'calendar' | 'endless_list' | 'query_combinations' | 'near_duplicates'

/** The reason why a URL counts as part of an endless set of pages. */
export interface Trap {
  readonly kind: TrapKind
  /** Common part of the URLs of this trap; a report has one line per shape. */
  readonly shape: string
  readonly sentence: string
}

export interface TrapOptions {
  /** The current year, with which dates in URLs are compared. */
  readonly year: number
  /** Pages with duplicate text after which a URL shape is closed, if most of its pages are duplicates. Default: 20. */
  readonly maxDuplicates?: number
  /** Maximum number of steps through a list with a number in its query. Default: 200. */
  readonly maxListSteps?: number
}

/** Detects endless generated pages. One instance per crawl. */
export interface Traps {
  /** Checks a URL before it is visited. Changes no state. */
  judge(url: string, depth: number): Trap | undefined
  /** Adds a page that was visited and exists. Error pages must not be added, because they are alike for good reasons. */
  learn(url: string, fingerprint: Fingerprint | undefined): void
  /**
   * Returns the changes since the last call, for `restore`: no parts, additional parts, or one part that replaces all earlier
   * ones.
   */
  take(): readonly LessonPart[]
  restore(lessons: Uint8Array): void
}

export interface LessonPart {
  readonly bytes: Uint8Array
  /** It contains everything from the earlier parts. */
  readonly replaces: boolean
}

interface Stats {
  /** Increases by 1 with each page whose text equals an earlier page, and decreases by 2 with each other page. */
  duplicates: number
  readonly recent: Fingerprint[]
  combinations: number
  readonly words: Set<string>
}

const maxShapes = 5000
/** Number of stored changes after which the full state is stored again. */
const maxChanges = maxShapes * 2
const nearlyEqual = 1
const recentPages = 12
const maxWords = 1000
/** Pages that share only a folder have less in common than pages of one shape, so their limit is higher by this factor. */
const inFolder = 2.5

/** Creates the detection of traps in one crawl: endless series of URLs with the same content, such as calendars. */
export function makeTraps({ year, maxDuplicates = 20, maxListSteps = 200 }: TrapOptions): Traps {
  const known = recentlyUsed<string, Stats>(maxShapes)
  const hasLoops = loopFinder()
  let [changed, kept] = [new Set<string>(), 0]
  const statsOf = (key: string): Stats => {
    changed.add(key)
    const stats = known.get(key) ?? { duplicates: 0, recent: [], combinations: 0, words: new Set<string>() }
    known.set(key, stats)
    return stats
  }
  const judgeWords = (key: string, most: number): Trap | undefined => {
    const duplicates = known.get(key)?.duplicates ?? 0
    if (duplicates < most) return undefined
    return trap('near_duplicates', key, `is like ${duplicates} pages with the same text`)
  }
  const judgeShape = (shape: Shape, depth: number): Trap | undefined => {
    if (depth > maxListSteps && shape.query.some((unit) => /=\d+$/.test(unit))) {
      return trap('endless_list', shape.text, `is more than ${maxListSteps} hops deep in a numbered list`)
    }
    const words = judgeWords(shape.text, maxDuplicates)
    if (words) return words
    const stats = shape.query.length >= few ? known.get(shape.path) : undefined
    if (!stats || !areCombinations(stats, shape.query.length)) return undefined
    const count = `${stats.combinations} pages of ${stats.words.size} values`
    return trap('query_combinations', shape.path, `is one more combination of a query, after ${count}`)
  }

  return {
    judge(url, depth) {
      const path = pathOf(url)
      if (hasLoops(path))
        return trap('repeated_segments', pathStem(url, path), 'repeats the same segments over and over')
      const shape = shapeOf(url)
      if (!shape) return judgeWords(folderOf(url, path), maxDuplicates * inFolder)
      const date = farDate(url, year)
      if (date !== undefined) return trap('calendar', shape.text, `is for the year ${date}: a calendar without end`)
      return judgeShape(shape, depth)
    },
    learn(url, fingerprint) {
      const shape = shapeOf(url)
      const key = shape?.text ?? folderOf(url, pathOf(url))
      if (fingerprint) learnWords(statsOf(key), fingerprint, shape ? maxDuplicates : maxDuplicates * inFolder)
      if (shape && shape.query.length >= few) learnCombination(statsOf(shape.path), shape.query)
    },
    take() {
      const replaces = kept + changed.size > maxChanges
      const lessons = [...(replaces ? known.keys() : changed)].flatMap((key) => lessonOf(key, known.get(key)))
      ;[kept, changed] = [lessons.length + (replaces ? 0 : kept), new Set()]
      return lessons.length > 0 ? [{ bytes: Buffer.from(JSON.stringify(lessons)), replaces }] : []
    },
    restore(lessons) {
      const read = JSON.parse(Buffer.from(lessons).toString()) as Lesson[]
      kept += read.length
      for (const [key, stats] of read) known.set(key, { ...stats, words: new Set(stats.words) })
    },
  }
}

type Lesson = readonly [key: string, stats: Omit<Stats, 'words'> & { readonly words: readonly string[] }]

/** Shapes that were evicted meanwhile are omitted. */
function lessonOf(key: string, stats: Stats | undefined): Lesson[] {
  return stats ? [[key, { ...stats, words: [...stats.words] }]] : []
}

function trap(kind: TrapKind, shape: string, reason: string): Trap {
  return { kind, shape, sentence: `This URL ${reason}. It was skipped as a trap.` }
}

function learnWords(stats: Stats, fingerprint: Fingerprint, most: number): void {
  if (stats.recent.some((recent) => distance(recent, fingerprint) <= nearlyEqual)) {
    stats.duplicates += 1
    return
  }
  // A closed shape stays closed: visits that were running when it was closed must not open it again.
  if (stats.duplicates < most) stats.duplicates = Math.max(stats.duplicates - 2, 0)
  stats.recent.push(fingerprint)
  if (stats.recent.length > recentPages) stats.recent.shift()
}

// Up to three parameters are common for real pages: a language, a category, a page. Five or more are filters.
const few = 3
const many = 5

/**
 * Returns whether few values form many pages, as with combined filters. In a real list, values such as ids are as many as the
 * pages.
 */
function areCombinations({ combinations, words }: Stats, units: number): boolean {
  return combinations >= (units >= many ? 200 : 1000) && words.size < maxWords && words.size * 4 <= combinations
}

function learnCombination(stats: Stats, units: readonly string[]): void {
  stats.combinations += 1
  for (const unit of units) if (stats.words.size < maxWords) stats.words.add(unit)
}

function pathOf(url: string): string {
  const start = pathStart(url)
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** Returns the first folder, which is the longest pattern that URLs without numbers share. */
function folderOf(url: string, path: string): string {
  const end = path.indexOf('/', 1)
  return `${url.slice(0, pathStart(url))}${end < 0 ? '' : path.slice(0, end)}/…`
}

/** Returns the first segments of a path, which all URLs of one loop have in common. */
function pathStem(url: string, path: string): string {
  const first = path.split('/').slice(0, 3).join('/')
  return `${url.slice(0, pathStart(url))}${first}/…`
}

// `/2031/05` may also be the fifth page of a thread: without a day it is a date only if the path mentions a calendar.
const month = '(?:0?[1-9]|1[0-2])'
const day = '(?:0?[1-9]|[12]\\d|3[01])'
const end = '(?=[/.?#]|$)'
const pathDate = new RegExp(`/([12]\\d{3})(?:/${month}/${day}|-${month}(?:-${day})?)${end}`)
const pathMonth = new RegExp(
  `/[^/]*(?:calend|kalend|event|agenda|schedule|month|termin)[^/]*(?:/[^/]+)*?/([12]\\d{3})/${month}${end}`,
  'i',
)
// An offset can look like a year, so a year without a month is accepted only if the parameter name contains `year`.
const queryDate =
  /[?&](?:\w*year=([12]\d{3})(?=[&#]|$)|\w*(?:date|month|day|week|from|until|start|end)=([12]\d{3})-\d\d?(?!\d))/i
const yearsAhead = 2
const firstYear = 1500

/** Returns the year in a URL if it is too far in the past or the future for a real page. */
function farDate(url: string, now: number): number | undefined {
  if (!/[12]\d{3}/.test(url)) return undefined
  const found = pathDate.exec(url) ?? pathMonth.exec(url) ?? queryDate.exec(url)
  if (!found) return undefined
  const year = Number(found[1] ?? found[2])
  return year > now + yearsAhead || year < firstYear ? year : undefined
}
