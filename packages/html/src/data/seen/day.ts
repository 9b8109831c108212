import type { Element } from '../../tree/tree.ts'
import { daysInAnyOrder, isDayOfWeb, mayHaveDay, orderIn, orderOf, readDay, withoutDays } from '../dates.ts'
import { inCalendarOf } from '../calendars.ts'
import { byName, changedWords, otherDayWords, publishedWords, readingTime } from './line-words.ts'
import { afterHeading, isHeading, namesApart, type SeenPage, type Spot, type Sight } from './spots.ts'

// Finds the publication day in a line near the page's heading, or in the URL.

const marked =
  /\b(?:author|date|dates|published|publish|pubdate|posted|time|timestamp|datetime|datum|fecha|meta|byline|entry|dateline|created)\b/
const elsewhere =
  /\b(?:related|recommend\w*|comment\w*|reply|carousel|slider|swiper|footer|nav|menu|aside|sidebar|widget|card|teaser|trending|popular|latest|event|copyright|quote|blockquote|read next|newsletter|archive)\b/

const minScore = 3
const maxLineLength = 120
const maxLabelLength = 40

/** The days that a page shows for its publication and its last change, if any. */
export interface ShownDays {
  readonly published?: ShownDay
  readonly changed?: ShownDay
}

/** A day in a line. */
export interface ShownDay extends Sight {
  /** Whether a label or a class name marks a publication. */
  readonly isLabelled: boolean
}

interface Dated extends ShownDay {
  readonly place: number
  readonly score: number
  readonly isChange: boolean
}

/**
 * Returns the publication day (`YYYY-MM-DD`) near the page's heading, or else the one in the URL. `undefined` if there is
 * neither.
 */
export function seenDay(page: SeenPage): Sight | undefined {
  return shownDays(page).published ?? dayInUrl(page)
}

/** Returns the days of publication and change in the lines near the page's heading. Absent ones are omitted. */
export function shownDays(page: SeenPage): ShownDays {
  const order = orderOf(page.language)
  const lines = new Map<Element, string>()
  const labels = new LabelPlaces()
  // Elements around a line often have the same words.
  const days = new Map<string, string | undefined>()
  const dayIn = (words: string): string | undefined => {
    if (!days.has(words)) {
      const first = firstDay(words, labels)
      const read =
        inOrderOf(daysInAnyOrder(first), page.otherDays) ?? readDay(first, orderIn(words) ?? order, page.language)
      const day = read && inCalendarOf(page.language, read)
      days.set(words, day !== undefined && isDayOfWeb(day) ? day : undefined)
    }
    return days.get(words)
  }
  const found: Dated[] = []
  for (const spot of page.spots) {
    if (spot.words.length > maxLineLength) continue
    if (isHeading(page, spot) && spot.element.name !== 'time') continue
    lines.set(spot.element, spot.words)
    const one = datedOf(page, spot, { dayIn, lines, labels })
    if (one) found.push(one)
  }
  const best = (isChange: boolean): Dated | undefined =>
    found
      .filter((one) => one.isChange === isChange)
      .toSorted((one, other) => other.score - one.score || one.place - other.place)[0]
  const [published, changedOn] = [best(false), best(true)]
  return { ...(published && { published }), ...(changedOn && { changed: changedOn }) }
}

/** Returns the only one of these days that the page has in another form, too. */
function inOrderOf(days: readonly string[], others: ReadonlySet<string>): string | undefined {
  const found = days.filter((day) => others.has(day))
  return found.length === 1 ? found[0] : undefined
}

/** Returns what precedes a spot in the line that contains it, as in "Updated: <time>". */
function wordsBefore({ element, words }: Spot, lines: ReadonlyMap<Element, string>): string {
  let at = element.parent
  for (let level = 0; at && level < 3; level += 1, at = at.parent) {
    const line = lines.get(at)
    if (line === undefined) continue
    const index = line.indexOf(words)
    if (index > 0) return line.slice(0, index)
  }
  return ''
}

interface Reading {
  readonly dayIn: (words: string) => string | undefined
  readonly lines: ReadonlyMap<Element, string>
  readonly labels: LabelPlaces
}

function datedOf(page: SeenPage, spot: Spot, { dayIn, lines, labels }: Reading): Dated | undefined {
  const { words, element, place } = spot
  if (!mayHaveDay(words) && element.name !== 'time') return undefined
  // Users see the day in the time zone of the site, unlike the one in the markup.
  const value = dayIn(words) ?? dayOfTime(element)
  if (value === undefined) return undefined
  const before = wordsBefore(spot, lines)
  if (otherDayWords.test(words) || otherDayWords.test(before.slice(-maxLabelLength))) return undefined
  const own = labelOf(words, labels)
  const isChange = own === 'changed' || (own === undefined && isOfChange(spot, before, labels))
  const isOf = isOfPublication(spot, before, labels)
  const score = scoreOf(page, spot, isOf)
  if (score < minScore) return undefined
  // Blogs have elements with both class names.
  const isLabelled = isOf && !(/\b(?:updated|modified)\b/.test(spot.near(2)) && own !== 'published')
  return { value, element, words, place, score, isChange, isLabelled, confidence: Math.min(0.95, 0.6 + score / 20) }
}

function dayOfTime({ name, attributes }: Element): string | undefined {
  return name === 'time' ? readDay(attributes['datetime'] ?? '', undefined) : undefined
}

/** Where strings have words for a publication and a change, -1 if they have none. Elements around a line often have the same words. */
class LabelPlaces {
  readonly #published = new Map<string, number>()
  readonly #changed = new Map<string, number>()

  published(words: string): number {
    return placeOf(publishedWords, words, this.#published)
  }

  changed(words: string): number {
    return placeOf(changedWords, words, this.#changed)
  }
}

function placeOf(pattern: RegExp, words: string, known: Map<string, number>): number {
  let place = known.get(words)
  if (place === undefined) known.set(words, (place = words.search(pattern)))
  return place
}

/** Returns the first label of a line. */
function labelOf(words: string, labels: LabelPlaces): 'published' | 'changed' | undefined {
  if (labels.published(words) >= 0) return 'published'
  const at = labels.changed(words)
  return at >= 0 && at <= 8 ? 'changed' : undefined
}

/** Returns whether the label before a line, or else a class name, marks a modification date. */
function isOfChange(spot: Spot, before: string, labels: LabelPlaces): boolean {
  const label = before.slice(-maxLabelLength)
  const at = labels.changed(label)
  if (at >= 0) return at > labels.published(label)
  const near = spot.near(2)
  return /\b(?:updated|modified|datemodified|lastmod|changed)\b/.test(near) && !/\bpubli\w+|\bposted\b/.test(near)
}

/** Returns the part of a line before its modification date. */
function firstDay(words: string, labels: LabelPlaces): string {
  const at = labels.changed(words)
  return at > 8 ? words.slice(0, at) : words
}

/** Returns whether a label or a class name marks a publication date. */
function isOfPublication(spot: Spot, before: string, labels: LabelPlaces): boolean {
  if (labels.published(spot.words) >= 0 || labels.published(before) >= 0) return true
  return /\b(?:publish\w*|pubdate|posted)\b/.test(spot.near(3))
}

function scoreOf(page: SeenPage, spot: Spot, isLabelled: boolean): number {
  const { element, words, own } = spot
  let score = 0
  if (element.name === 'time') score += 1
  if (marked.test(own)) score += 1.25
  else if (marked.test(spot.near(3))) score += 1
  if (isLabelled) score += 1
  if (words.replaceAll(byName, '').length < 40) score += 0.5
  const distance = afterHeading(page, spot)
  if (elsewhere.test(namesApart(page, spot))) score -= isBeside(distance) ? 0.5 : isLabelled ? 1 : 2
  if (element.name === 'time' || isLine(words)) score += isBeside(distance) ? 1 : 0.5
  if (readingTime.test(words)) score += 0.5
  return score + nearness(distance)
}

/** Returns whether a line is close enough after the heading to be part of the article. */
const isBeside = (distance: number | undefined): boolean => distance !== undefined && distance > -8 && distance <= 15

/** Returns whether the line contains little except a date, its label and a name, or ends with a reading time. */
function isLine(words: string): boolean {
  if (readingTime.test(words)) return true
  const rest = withoutDays(words)
    .replace(publishedWords, '')
    .replaceAll(byName, '')
    .replaceAll(timeOfDay, '')
    .replaceAll(counts, '')
  return !/\d/.test(rest) && rest.replaceAll(/\P{L}/gu, '').length <= maxRest
}

const timeOfDay = /\d{1,2}[:.]\d\d(?::\d\d)?\s*(?:[ap]\.?m\.?)?/gi
/** Matches a number of comments or similar after a separator. */
const counts = /[|·•]\s*\d{1,5}[^|·•\d]{0,20}/g
/** Maximum number of further characters in the line of a date, such as a weekday, a time zone or a section. */
const maxRest = 12

function nearness(distance: number | undefined): number {
  if (distance === undefined) return 0
  if (distance > 0) return distance < 40 ? 2 : distance < 120 ? 1 : distance < 300 ? 0 : -1
  return distance > -8 ? 1.75 : distance > -40 ? 1.25 : -1
}

const dateInUrl = /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=[/+_-]|$)|[/-]((?:19|20)\d\d)(\d\d)(\d\d)(?=[/._-]|$)/

/** Returns the day (`YYYY-MM-DD`) in the path of the page's URL, or `undefined` if there is none. */
export function dayInUrl({ url, elements, heading }: SeenPage): Sight | undefined {
  const found = dateInUrl.exec(URL.parse(url)?.pathname ?? '')
  if (!found) return undefined
  const [year, month, day] = [found[1] ?? found[4]!, found[2] ?? found[5]!, found[3] ?? found[6]!]
  const value = readDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, undefined)
  const element = elements[heading ?? 0]
  return value !== undefined && element ? { value, element, confidence: 0.7 } : undefined
}
