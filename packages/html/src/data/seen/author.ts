import { hasAttributes, type Element, type Node } from '../../tree/tree.ts'
import { nextNode } from '../../tree/walk.ts'
import { weekdayPattern } from '../day-names.ts'
import { isMonthName, readDay } from '../dates.ts'
import { byLength, mayStartWithBy } from './line-words.ts'
import {
  afterHeading,
  findSpots,
  isHeading,
  marks,
  maxLevels,
  namesApart,
  type Range,
  type SeenPage,
  type Sight,
  type Spot,
} from './spots.ts'

// Finds the author in a line near the page's heading.

const marked =
  /\b(?:author|authors|byline|bylines|writer|contributor|autor|auteur|autore|verfasser|reporter|journalist)\b/
const namedMark = /\b(?:name|link|fn|url|title)\b/
const elsewhere =
  /\b(?:related|recommend\w*|comment\w*|reply|replies|carousel|slider|swiper|footer|nav|menu|aside|sidebar|widget|card|teaser|trending|popular|latest|more|share|social|caption|figcaption|photo|credit|image|quote|blockquote|testimonial|read next|newsletter|bio|description)\b/
const notName =
  /\b(?:read|more|share|follow|view|posts?|articles?|about|subscribe|comments?|updated|published|min|ago|staff writer|editor|photo|image|images|getty|copyright|home|news|blog|author|authors|contact|sign|log|january|february|march|april|june|july|august|september|october|november|december|written|reviewed|all|this|the|your|our|and)\b/i
const word = String.raw`(?:\p{Lu}[\p{L}\p{M}'’.-]*|de|da|di|del|della|van|von|der|den|la|le|el|bin|al|du|dos|do|ten|ter)`
/** Matches names in scripts without upper case: a short string, or several words. */
const caseless = String.raw`[\p{Lo}\p{M}]{2,12}(?:[ \u00a0\u200c・·]\p{Lo}[\p{Lo}\p{M}]{1,12}){0,3}`
const name = new RegExp(String.raw`^\p{Lu}[\p{L}\p{M}'’.-]+(?:\s+${word}){0,4}$|^${caseless}$`, 'u')

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
  const found: Candidate[] = []
  const hints = new Hints(authorHint)
  for (const spot of page.spots) {
    const candidate = candidateOf(page, spot, hints)
    if (candidate) found.push(candidate)
  }
  const [best] = found.toSorted((one, other) => other.score - one.score || one.place - other.place)
  if (!best) return firstPoster(page)
  const { value, element } = closest(best, found)
  return { value, element, confidence: Math.min(0.95, 0.55 + best.score / 20) }
}

function candidateOf(page: SeenPage, spot: Spot, hints: Hints): Candidate | undefined {
  const { words, element, place } = spot
  if (words.length > maxLineLength || isHeading(page, spot)) return undefined
  const hasBy = byLength(words, page.language) > 0
  // Cheap tests first: most lines of a page are rejected here.
  if (!hasBy && !startsLikeName.test(words)) return undefined
  const hasMark = hasBy || isOfAuthor(element) || (hints.areNear(element, maxLevels) && marked.test(spot.around))
  if (!hasMark && !/\d/.test(words)) return undefined
  const line = readLine(words, page.language)
  if (!line || (!hasMark && !isDated(line, page.language))) return undefined
  const score = scoreOf(page, spot, line)
  return score >= minScore ? { value: line.value, element, place, score } : undefined
}

const maxLineLength = 90

/** Returns the spots in a range that may contain an author and have at most 90 characters. Empty if there are none. */
export function findAuthorSpots(elements: readonly Element[], range: Range): readonly Spot[] {
  const hints = new Hints(anyHint)
  const mayBe = (element: Element): boolean => hints.areNear(element, maxLevels) || mayStartAuthor(element)
  return findSpots(elements, { range, maxWords: maxLineLength, mayBe })
}

const maxNodes = 24

/** Returns whether an element starts with words such as "by", or has a digit, as lines with a day do, or a link to an author. */
function mayStartAuthor(element: Element): boolean {
  let start = ''
  let count = 0
  for (let node = nextNode(element, element); node && count < maxNodes; node = nextNode(node, element), count += 1) {
    if (node.type === 'element') {
      if (node.name === 'a' && isLinkToAuthor(node)) return true
      continue
    }
    const text = node.text.length > maxStart ? node.text.slice(0, maxStart) : node.text
    if (/\d/.test(text)) return true
    if (start.length > maxFirst) continue
    const line = text.trim()
    if (line === '') continue
    // As in `Spot.words`, white space follows. Long strings are not copied.
    start += line.length > maxBy ? line : `${line} `
    if (mayStartWithBy(start)) return true
  }
  return isLinkToAuthor(element) || (element.parent !== null && isLinkToAuthor(element.parent))
}

const maxStart = 400
/** Maximum length after which `byWords` may still need the next text node: `contributed `. */
const maxFirst = 16
/** No match of `byWords` is longer. */
const maxBy = 40

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
  /\s*(?:[|•·,;:»(@]| [-–—] |\s(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|For|Staff|Last|Updated|Published|Posted|Veröffentlicht|Aktualisiert|Publié|Publicado)(?![\p{L}\p{M}])|\s(?:on|in|am|le|el|at)\s(?=\p{L}*\s?\d)|\d)/u
const degrees = /(?:\s+\p{Lu}{2,6})+$/u
const jobs =
  /^(\S+ \S+)(?: \p{Lu}[\p{L}-]*){0,3} (?:Reporter|Writer|Editor|Correspondent|Contributor|Columnist|Producer)$/u

let weekday: RegExp | undefined

/** Returns a pattern for a weekday before a date. Built when first needed. */
const weekdayOfDate = (): RegExp =>
  (weekday ??= new RegExp(String.raw`(?<!\p{L})(?:${weekdayPattern})(?=\D{0,8}\d)`, 'u'))

function readLine(words: string, language: string): Line | undefined {
  const start = words.slice(byLength(words, language))
  const text = start.slice(byLength(start, language))
  const at = /\d/.test(text) ? text.search(weekdayOfDate()) : -1
  const [first = ''] = (at < 0 ? text : text.slice(0, at)).split(afterName)
  const full = first.replace(/[\s:.–-]+$/, '').replace(jobs, '$1')
  const shorter = full.replace(degrees, '')
  const once = (shorter.includes(' ') ? shorter : full).replace(/^(.{4,}) \1$/, '$1').trim()
  if (once.length < 3 || once.length > 50 || !name.test(once) || notName.test(once) || isMonthName(once))
    return undefined
  return { value: once, rest: text.slice(first.length) }
}

/** Returns whether a date follows the name. */
const isDated = ({ rest }: Line, language: string): boolean => readDay(rest, 'dmy', language) !== undefined

const ofAuthor =
  /\/(?:authors?|people|staff|contributors?|writers?|profiles?|journalists?|reporters?|by|autor(?:en)?|auteurs?|team)\/[^/]|\/@/i

/**
 * Returns whether the element is a link to an author page, is directly inside one, or contains one as its first link.
 */
function isOfAuthor(element: Element): boolean {
  if (isLinkToAuthor(element) || (element.parent && isLinkToAuthor(element.parent))) return true
  for (let node = nextNode(element, element); node; node = nextNode(node, element))
    if (node.type === 'element' && node.name === 'a') return isLinkToAuthor(node)
  return false
}

const isLinkToAuthor = ({ name, attributes: { href = '', rel = '' } }: Element): boolean =>
  name === 'a' && (ofAuthor.test(href.slice(0, 300)) || /\bauthor\b/.test(rel))

function scoreOf(page: SeenPage, spot: Spot, line: Line): number {
  const { value } = line
  const hasDate = isDated(line, page.language)
  const hasBy = byLength(spot.words, page.language) > 0
  const distance = afterHeading(page, spot)
  const isBeside = distance !== undefined && distance > 0 && distance <= 15
  const isNear = distance === undefined || Math.abs(distance) < 120
  let score = markOf(spot, { isDated: hasDate, isLinked: isNear && isOfAuthor(spot.element) })
  if (namedMark.test(spot.own)) score += 0.25
  if (hasBy) score += 2
  if (/\ba .*\bauthor\b/.test(spot.own)) score += 0.5
  if (isAfterCaption(spot.element)) score -= 2
  score += value.includes(' ') || /^\p{Lo}{2,}$/u.test(value) ? 0.75 : hasBy && hasDate ? 0 : -1
  if (value.split(' ').length > 3) score -= 0.75
  if (elsewhere.test(namesApart(page, spot))) score -= isBeside ? 0.5 : 2
  if (distance === undefined) return score
  if (distance > 0) score += distance < 40 ? 2 : distance < 120 ? 1 : 0
  else score += distance > -40 ? 1.25 : -1
  return score
}

const minCaptionLength = 40

/** Returns whether an element follows the caption of a picture, where a name is the photographer's. */
function isAfterCaption({ previous, parent }: Element): boolean {
  const caption = previous?.type === 'element' && previous.name === 'style' ? previous.previous : previous
  if (caption?.type !== 'element') return false
  let length = 0
  for (const node of firstNodes(caption)) if (node.type === 'text') length += node.text.trim().length
  if (length < minCaptionLength || !parent?.parent) return false
  for (const node of firstNodes(parent.parent)) {
    if (node === parent) return false
    if (node.type === 'element' && (node.name === 'img' || node.name === 'picture')) return true
  }
  return false
}

function* firstNodes(element: Element): Generator<Node> {
  let node = nextNode(element, element)
  for (let count = 0; node && count < maxNodes; count += 1, node = nextNode(node, element)) yield node
}

/**
 * Scores the evidence that a name is an author's: names of the element and its ancestors, a link to an author page, or
 * a date.
 */
function markOf(spot: Spot, { isDated, isLinked }: { readonly isDated: boolean; readonly isLinked: boolean }): number {
  if (marked.test(spot.own) || isLinked) return 2
  if (marked.test(spot.near(4))) return 1.5
  return isDated ? 1 : 0
}

const poster =
  /\b(?:username|bigusername|user name|nickname|creator|poster|postauthor|post author|topic starter|thread starter)\b/
const userName = /^[\p{L}\d][\p{L}\d_.'@-]{1,24}(?: [\p{L}\d_.-]{1,20}){0,2}$/u

function isOfPoster(spot: Spot): boolean {
  return poster.test(spot.near(2)) || /\bsignature owner\b/.test(spot.near(4))
}

const authorHint = /author|bylines?|writer|contributor|auto?r|auteur|verfasser|reporter|journalist/i
const posterHint = /user|nick|creator|poster|author|starter|signature/i
const anyHint = new RegExp(`${authorHint.source}|${posterHint.source}`, 'i')

/** Tells which elements have a tag or name with a part, without splitting names into words. */
class Hints {
  readonly #hint: RegExp
  readonly #known = new Map<Element, boolean>()
  readonly #tags = new Map<string, boolean>()

  constructor(hint: RegExp) {
    this.#hint = hint
  }

  /** Returns whether the element or one of its next ancestors has such a name. `levels`: maximum number of elements. */
  areNear(element: Element, levels: number): boolean {
    let at: Element | null = element
    for (let level = 0; at && level < levels; level += 1, at = at.parent) if (this.#isIn(at)) return true
    return false
  }

  #isIn(element: Element): boolean {
    if (!hasAttributes(element)) return this.#isTag(element.name)
    let is = this.#known.get(element)
    if (is === undefined) {
      is = this.#isTag(element.name) || marks.some((mark) => this.#hint.test(element.attributes[mark] ?? ''))
      this.#known.set(element, is)
    }
    return is
  }

  #isTag(name: string): boolean {
    // Most elements have short names, and custom ones do not.
    if (name.length < 6) return false
    let is = this.#tags.get(name)
    if (is === undefined) this.#tags.set(name, (is = this.#hint.test(name)))
    return is
  }
}

/** Returns the user name of the first poster in a thread. */
function firstPoster(page: SeenPage): Sight | undefined {
  const hints = new Hints(posterHint)
  const spot = page.spots.find(
    (one) =>
      (afterHeading(page, one) ?? 1) > 0 &&
      hints.areNear(one.element, 4) &&
      userName.test(one.words) &&
      !notName.test(one.words) &&
      isOfPoster(one) &&
      !elsewhere.test(namesApart(page, one)),
  )
  return spot && { value: spot.words, element: spot.element, confidence: 0.75 }
}
