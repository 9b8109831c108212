import type { Element } from '../../tree/tree.ts'
import { nextNode } from '../../tree/walk.ts'
import { readDay } from '../dates.ts'
import { afterHeading, isHeading, marks, namesApart, type SeenPage, type Spot, type Sight } from './spots.ts'

// Finds the author in a line near the page's heading.

const byWords =
  /^(?:(?:written|posted|post|published|reported)\s+by|words by|story by|as told to|by|von|par|por|di|da|door|av|af|przez|text|texte|texto|autor(?:in)?|author|auteur|autore|автор|yazan|oleh)\s*[:：]?\s+/i
const marked =
  /\b(?:author|authors|byline|bylines|writer|contributor|autor|auteur|autore|verfasser|reporter|journalist)\b/
const namedMark = /\b(?:name|link|fn|url|title)\b/
const elsewhere =
  /\b(?:related|recommend\w*|comment\w*|reply|replies|carousel|slider|swiper|footer|nav|menu|aside|sidebar|widget|card|teaser|trending|popular|latest|more|share|social|caption|figcaption|photo|credit|image|quote|blockquote|testimonial|read next|newsletter|bio|description)\b/
const notName =
  /\b(?:read|more|share|follow|view|posts?|articles?|about|subscribe|comments?|updated|published|min|ago|staff writer|editor|photo|image|images|getty|copyright|home|news|blog|author|authors|contact|sign|log|january|february|march|april|june|july|august|september|october|november|december|written|reviewed|all|this|the|your|our|and)\b/i
const word = String.raw`(?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|di|del|della|van|von|der|den|la|le|el|bin|al|du|dos|do|ten|ter)`
const name = new RegExp(String.raw`^\p{Lu}[\p{L}\p{M}'’.-]+(?:\s+${word}){0,4}$|^\p{Lo}{2,8}$`, 'u')

const startsLikeName = /^[\s:.–-]*[\p{Lu}\p{Lo}]/u

const minScore = 3.5

interface Candidate {
  readonly value: string
  readonly element: Element
  readonly place: number
  readonly score: number
}

/**
 * Returns the author in a line near the heading, or else the author of the first post. `undefined` if there is none.
 */
export function seenAuthor(page: SeenPage): Sight | undefined {
  const found = page.spots.flatMap((spot) => candidateOf(page, spot) ?? [])
  const [best] = found.toSorted((one, other) => other.score - one.score || one.place - other.place)
  if (!best) return firstPoster(page)
  const { value, element } = closest(best, found)
  return { value, element, confidence: Math.min(0.95, 0.55 + best.score / 20) }
}

function candidateOf(page: SeenPage, spot: Spot): Candidate | undefined {
  const { words, element, place } = spot
  if (words.length > maxLineLength || isHeading(page, spot)) return undefined
  const hasBy = byWords.test(words)
  // Cheap tests first: most lines of a page are rejected here.
  if (!hasBy && !startsLikeName.test(words)) return undefined
  const hasMark = hasBy || marked.test(spot.around) || isOfAuthor(element)
  if (!hasMark && !/\d/.test(words)) return undefined
  const line = readLine(words)
  if (!line || (!hasMark && !isDated(line))) return undefined
  const score = scoreOf(page, spot, line)
  return score >= minScore ? { value: line.value, element, place, score } : undefined
}

const maxLineLength = 90

/**
 * Prefers an element inside the line with fewer words, which has the name alone: "Ada Lee Chief Editor" is two
 * elements.
 */
function closest(best: Candidate, found: readonly Candidate[]): Candidate {
  const isWithin = ({ element }: Candidate): boolean => {
    for (let at = element.parent; at; at = at.parent) if (at === best.element) return true
    return false
  }
  return found.find((other) => best.value.startsWith(`${other.value} `) && isWithin(other)) ?? best
}

interface Line {
  readonly value: string
  /** The rest of the line after the name. */
  readonly rest: string
}

const afterName =
  /\s*(?:[|•·,;:»(@]| [-–—] |\s(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|For|Staff|Last|Updated|Published|Posted|Veröffentlicht|Aktualisiert|Publié|Publicado)\b|\s(?:on|in|am|le|el|at)\s(?=\p{L}*\s?\d)|\d)/u
const degrees = /(?:\s+\p{Lu}{2,6})+$/u
const jobs =
  /^(\S+ \S+)(?: \p{Lu}[\p{L}-]*){0,3} (?:Reporter|Writer|Editor|Correspondent|Contributor|Columnist|Producer)$/u

function readLine(words: string): Line | undefined {
  const text = words.replace(byWords, '').replace(byWords, '')
  const [first = ''] = text.split(afterName)
  const full = first.replace(/[\s:.–-]+$/, '').replace(jobs, '$1')
  const shorter = full.replace(degrees, '')
  const once = (shorter.includes(' ') ? shorter : full).replace(/^(.{4,}) \1$/, '$1').trim()
  if (once.length < 3 || once.length > 50 || !name.test(once) || notName.test(once)) return undefined
  return { value: once, rest: text.slice(first.length) }
}

/** Returns whether a date follows the name. */
const isDated = ({ rest }: Line): boolean => readDay(rest, 'dmy') !== undefined

const ofAuthor =
  /\/(?:authors?|people|staff|contributors?|writers?|profiles?|journalists?|reporters?|by|autor(?:en)?|auteurs?|team)\/[^/]|\/@/i

/**
 * Returns whether the element is a link to an author page, is directly inside one, or contains one as its first link.
 */
function isOfAuthor(element: Element): boolean {
  const isLink = ({ name, attributes: { href = '', rel = '' } }: Element): boolean =>
    name === 'a' && (ofAuthor.test(href.slice(0, 300)) || /\bauthor\b/.test(rel))
  if (isLink(element) || (element.parent && isLink(element.parent))) return true
  for (let node = nextNode(element, element); node; node = nextNode(node, element))
    if (node.type === 'element' && node.name === 'a') return isLink(node)
  return false
}

function scoreOf(page: SeenPage, spot: Spot, line: Line): number {
  const { value } = line
  const hasDate = isDated(line)
  const distance = afterHeading(page, spot)
  const isBeside = distance !== undefined && distance > 0 && distance <= 15
  const isNear = distance === undefined || Math.abs(distance) < 120
  let score = markOf(spot, { isDated: hasDate, isLinked: isNear && isOfAuthor(spot.element) })
  if (namedMark.test(spot.own)) score += 0.25
  if (byWords.test(spot.words)) score += 2
  if (/\ba .*\bauthor\b/.test(spot.own)) score += 0.5
  score += value.includes(' ') ? 0.75 : byWords.test(spot.words) && hasDate ? 0 : -1
  if (value.split(' ').length > 3) score -= 0.75
  if (elsewhere.test(namesApart(page, spot))) score -= isBeside ? 0.5 : 2
  if (distance === undefined) return score
  if (distance > 0) score += distance < 40 ? 2 : distance < 120 ? 1 : 0
  else score += distance > -40 ? 1.25 : -1
  return score
}

/**
 * Scores the evidence that a name is an author's: names of the element and its ancestors, a link to an author page, or
 * a date.
 */
function markOf(spot: Spot, { isDated, isLinked }: { readonly isDated: boolean; readonly isLinked: boolean }): number {
  const near = spot.around.split(' / ').slice(0, 4).join(' / ')
  if (marked.test(spot.own) || isLinked) return 2
  if (marked.test(near)) return 1.5
  return isDated ? 1 : 0
}

const poster =
  /\b(?:username|bigusername|user name|nickname|creator|poster|postauthor|post author|topic starter|thread starter)\b/
const userName = /^[\p{L}\d][\p{L}\d_.'@-]{1,24}(?: [\p{L}\d_.-]{1,20}){0,2}$/u

function isOfPoster({ around }: Spot): boolean {
  const names = around.split(' / ')
  return poster.test(names.slice(0, 2).join(' / ')) || /\bsignature owner\b/.test(names.slice(0, 4).join(' / '))
}

const posterHint = /user|nick|creator|poster|author|starter|signature/i

/** Returns whether `isOfPoster` can be true, without splitting names into words. */
function mayBeOfPoster(element: Element): boolean {
  let at: Element | null = element
  for (let level = 0; at && level < 4; level += 1) {
    for (const mark of marks) if (posterHint.test(at.attributes[mark] ?? '')) return true
    at = at.parent
  }
  return false
}

/** Returns the user name of the first poster in a thread. */
function firstPoster(page: SeenPage): Sight | undefined {
  const spot = page.spots.find(
    (one) =>
      (afterHeading(page, one) ?? 1) > 0 &&
      userName.test(one.words) &&
      mayBeOfPoster(one.element) &&
      !notName.test(one.words) &&
      isOfPoster(one) &&
      !elsewhere.test(namesApart(page, one)),
  )
  return spot && { value: spot.words, element: spot.element, confidence: 0.75 }
}
