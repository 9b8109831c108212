import { orderIn, orderOf, readDay, type DateOrder } from '../dates.ts'
import { afterHeading, isHeading, namesApart, type SeenPage, type Spot, type Sight } from './spots.ts'

// Finds the publication day in a line near the page's heading, or in the URL.

const marked =
  /\b(?:date|dates|published|publish|pubdate|posted|time|timestamp|datetime|datum|fecha|meta|byline|entry|dateline|created)\b/
const changed =
  /\b(?:updated?|modified|last|aktualisiert|geändert|mis à jour|modifié|actualizado|aggiornato|bijgewerkt|обновлено)\b/i
const publishedWords =
  /\b(?:published|posted|publié|publicado|pubblicato|veröffentlicht|erstellt|written|created|first published|gepubliceerd|publicerad|опубликовано)\b/i
const elsewhere =
  /\b(?:related|recommend\w*|comment\w*|reply|carousel|slider|swiper|footer|nav|menu|aside|sidebar|widget|card|teaser|trending|popular|latest|event|copyright|quote|blockquote|read next|newsletter|archive)\b/

const minScore = 3

/** Returns the publication day near the page's heading, or else the one in the URL. `undefined` if there is neither. */
export function seenDay(page: SeenPage): Sight | undefined {
  const order = orderOf(page.language)
  const found = page.spots.flatMap((spot) => {
    const value = isHeading(page, spot) ? undefined : dayIn(spot, order)
    const score = value === undefined ? 0 : scoreOf(page, spot)
    return value !== undefined && score >= minScore ? [{ value, element: spot.element, score, place: spot.place }] : []
  })
  const [best] = found.toSorted((one, other) => other.score - one.score || one.place - other.place)
  if (best) return { value: best.value, element: best.element, confidence: Math.min(0.95, 0.6 + best.score / 20) }
  return dayInUrl(page)
}

function dayIn({ words, element }: Spot, order: DateOrder | undefined): string | undefined {
  if (!/\d/.test(words) && element.name !== 'time') return undefined
  if (isOfChange(words)) return undefined
  const isLabelled = firstDay(words) !== words && publishedWords.test(words)
  const written = element.name === 'time' && !isLabelled ? element.attributes['datetime'] : undefined
  const day = written === undefined ? undefined : readDay(written, undefined)
  if (day !== undefined) return day
  return words.length <= 120 ? readDay(firstDay(words), orderIn(words) ?? order) : undefined
}

/** Returns whether the line gives only a modification date. */
function isOfChange(words: string): boolean {
  const at = words.search(changed)
  return at >= 0 && at <= 8 && !publishedWords.test(words)
}

/** Returns the part of a line before its modification date. */
function firstDay(words: string): string {
  const at = words.search(changed)
  return at > 8 ? words.slice(0, at) : words
}

function scoreOf(page: SeenPage, spot: Spot): number {
  const { element, words, own } = spot
  const near = spot.around.split(' / ').slice(0, 3).join(' / ')
  let score = 0
  if (element.name === 'time') score += 1
  if (marked.test(own)) score += 1.25
  else if (marked.test(near)) score += 1
  if (publishedWords.test(words) || /\bpublished\b/.test(near)) score += 1
  if (changed.test(words) || /\b(?:updated|modified)\b/.test(near)) score -= 1.5
  if (words.length < 40) score += 0.5
  const distance = afterHeading(page, spot)
  if (elsewhere.test(namesApart(page, spot))) score -= isBeside(distance) ? 0.5 : 2
  if (isLine(words)) score += 0.5
  return score + nearness(distance)
}

/** Returns whether a line is close enough after the heading to be part of the article. */
const isBeside = (distance: number | undefined): boolean => distance !== undefined && distance > 0 && distance <= 15

const minutes = /\b\d+\s*(?:-\s*)?(?:min\b|mins\b|minutes?\b)[^\d]{0,12}$/i
const weekday = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/i

/** Returns whether the line contains little except a date, or ends with a reading time. */
function isLine(words: string): boolean {
  if (minutes.test(words)) return true
  const rest = words.replace(weekday, '').replaceAll(/\d{1,2}:\d\d\s*(?:[ap]\.?m\.?)?/gi, '')
  return rest.length <= 20
}

function nearness(distance: number | undefined): number {
  if (distance === undefined) return 0
  if (distance > 0) return distance < 40 ? 2 : distance < 120 ? 1 : distance < 300 ? 0 : -1
  return distance > -40 ? 1.25 : -1
}

const dateInUrl = /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?=[/-]|$)|[/-]((?:19|20)\d\d)(\d\d)(\d\d)(?=[/._-]|$)/

function dayInUrl({ url, elements, heading }: SeenPage): Sight | undefined {
  const found = dateInUrl.exec(URL.parse(url)?.pathname ?? '')
  if (!found) return undefined
  const [year, month, day] = [found[1] ?? found[4]!, found[2] ?? found[5]!, found[3] ?? found[6]!]
  const value = readDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, undefined)
  const element = elements[heading ?? 0]
  return value !== undefined && element ? { value, element, confidence: 0.7 } : undefined
}
