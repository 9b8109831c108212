import { distance, type Fingerprint } from '@harvestman/html/checking'
import { recentlyUsed } from '@harvestman/ports/adapters'
import { loopFinder } from './path-loops.ts'
import { pathStart, shapeOf, type Shape } from './address-shape.ts'

/** What kind of thing without end a trap is. */
export type TrapKind = 'repeated_segments' | 'calendar' | 'endless_list' | 'query_combinations' | 'near_duplicates'

/** Why an address is taken for a part of something that has no end. */
export interface Trap {
  readonly kind: TrapKind
  /** What the addresses of this trap have in common: one line of a report for all of them. */
  readonly shape: string
  readonly sentence: string
}

export interface TrapOptions {
  /** The year we have, by which dates are judged. */
  readonly year: number
  /** More pages than this with the same words close their shape, when most of its pages have them. */
  readonly mostDuplicates?: number
  /** More hops than this are not made through a list with a number in its query. */
  readonly longestList?: number
}

/** Tells pages that a program makes without end from those that people wrote. One for each crawl. */
export interface Traps {
  /** Looks at an address before it is visited, and changes nothing. */
  judge(url: string, depth: number): Trap | undefined
  /** Takes in a page that was visited and is there: what a site says of pages it has not is the same for honest reasons. */
  learn(url: string, fingerprint: Fingerprint | undefined): void
  /** What was learnt since this was last asked, for `restore`: nothing, some of it, or all that is known in place of it. */
  take(): readonly LessonPart[]
  restore(lessons: Uint8Array): void
}

export interface LessonPart {
  readonly bytes: Uint8Array
  /** It has all that the parts before it have. */
  readonly replaces: boolean
}

interface Stats {
  /** Rises with each page that has the words of an earlier one, and falls twice as fast with each that has not. */
  duplicates: number
  readonly recent: Fingerprint[]
  combinations: number
  readonly words: Set<string>
}

const mostShapes = 5000
/** So many lessons are kept in parts before all that is known is kept anew. */
const mostKept = mostShapes * 2
const nearlyEqual = 1
const recentPages = 12
const mostWords = 1000
/** What is only in one folder has less in common than what is of one shape. */
const inFolder = 2.5

/** Makes the memory of traps of one crawl. */
export function makeTraps({ year, mostDuplicates = 20, longestList = 200 }: TrapOptions): Traps {
  const known = recentlyUsed<string, Stats>(mostShapes)
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
    return trap('near_duplicates', key, `is like ${duplicates} pages that all had the same words`)
  }
  const judgeShape = (shape: Shape, depth: number): Trap | undefined => {
    if (depth > longestList && shape.query.some((unit) => /=\d+$/.test(unit))) {
      return trap(
        'endless_list',
        shape.text,
        `lies more than ${longestList} hops deep in a list that goes on by numbers`,
      )
    }
    const words = judgeWords(shape.text, mostDuplicates)
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
      if (!shape) return judgeWords(folderOf(url, path), mostDuplicates * inFolder)
      const date = farDate(url, year)
      if (date !== undefined) return trap('calendar', shape.text, `is for the year ${date}: a calendar without end`)
      return judgeShape(shape, depth)
    },
    learn(url, fingerprint) {
      const shape = shapeOf(url)
      const key = shape?.text ?? folderOf(url, pathOf(url))
      if (fingerprint) learnWords(statsOf(key), fingerprint, shape ? mostDuplicates : mostDuplicates * inFolder)
      if (shape && shape.query.length >= few) learnCombination(statsOf(shape.path), shape.query)
    },
    take() {
      const replaces = kept + changed.size > mostKept
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

/** What was forgotten for newer shapes is left out. */
function lessonOf(key: string, stats: Stats | undefined): Lesson[] {
  return stats ? [[key, { ...stats, words: [...stats.words] }]] : []
}

function trap(kind: TrapKind, shape: string, reason: string): Trap {
  return { kind, shape, sentence: `This address ${reason}. It was left out as a trap.` }
}

function learnWords(stats: Stats, fingerprint: Fingerprint, most: number): void {
  if (stats.recent.some((recent) => distance(recent, fingerprint) <= nearlyEqual)) {
    stats.duplicates += 1
    return
  }
  // A closed shape stays closed: visits that were under way when it closed must not open it again.
  if (stats.duplicates < most) stats.duplicates = Math.max(stats.duplicates - 2, 0)
  stats.recent.push(fingerprint)
  if (stats.recent.length > recentPages) stats.recent.shift()
}

// Three things to choose are usual for pages that are honestly many: a language, a category, a page. Five are filters.
const few = 3
const many = 5

/** Few values that make many pages are filters combined. Numbers of articles are as many as the pages. */
function areCombinations({ combinations, words }: Stats, units: number): boolean {
  return combinations >= (units >= many ? 200 : 1000) && words.size < mostWords && words.size * 4 <= combinations
}

function learnCombination(stats: Stats, units: readonly string[]): void {
  stats.combinations += 1
  for (const unit of units) if (stats.words.size < mostWords) stats.words.add(unit)
}

function pathOf(url: string): string {
  const start = pathStart(url)
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}

/** Names of words without numbers have a folder in common at most: the first one. */
function folderOf(url: string, path: string): string {
  const end = path.indexOf('/', 1)
  return `${url.slice(0, pathStart(url))}${end < 0 ? '' : path.slice(0, end)}/…`
}

/** All that comes from one loop has its beginning in common. */
function pathStem(url: string, path: string): string {
  const first = path.split('/').slice(0, 3).join('/')
  return `${url.slice(0, pathStart(url))}${first}/…`
}

// `/2031/05` may as well be the fifth page of a thread: without a day it is a date only where a calendar is spoken of.
const month = '(?:0?[1-9]|1[0-2])'
const day = '(?:0?[1-9]|[12]\\d|3[01])'
const end = '(?=[/.?#]|$)'
const pathDate = new RegExp(`/([12]\\d{3})(?:/${month}/${day}|-${month}(?:-${day})?)${end}`)
const pathMonth = new RegExp(
  `/[^/]*(?:calend|kalend|event|agenda|schedule|month|termin)[^/]*(?:/[^/]+)*?/([12]\\d{3})/${month}${end}`,
  'i',
)
// An offset looks like a year, so a year alone must be called one.
const queryDate =
  /[?&](?:\w*year=([12]\d{3})(?=[&#]|$)|\w*(?:date|month|day|week|from|until|start|end)=([12]\d{3})-\d\d?(?!\d))/i
const yearsAhead = 2
const firstYear = 1500

/** The year of an address that has a date that no page is about. */
function farDate(url: string, now: number): number | undefined {
  if (!/[12]\d{3}/.test(url)) return undefined
  const found = pathDate.exec(url) ?? pathMonth.exec(url) ?? queryDate.exec(url)
  if (!found) return undefined
  const year = Number(found[1] ?? found[2])
  return year > now + yearsAhead || year < firstYear ? year : undefined
}
