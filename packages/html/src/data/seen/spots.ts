import type { Element, Text } from '../../tree/tree.ts'
import { lineOf, nextNode } from '../../tree/walk.ts'
import { mayHaveDay } from '../dates.ts'
import type { DataItem } from '../types.ts'
import { isHidden } from './is-hidden.ts'

// Finds the small visible elements of a page, with the names around them. Prices, names and dates are usually in such
// elements.

/** A small, visible element. */
export interface Spot {
  readonly element: Element
  readonly words: string
  /** Index among all elements. */
  readonly place: number
  /** The names (class, id and similar) of the element, as words. */
  readonly own: string
  /** The names of the element and its ancestors, innermost first, separated by ` / `. */
  readonly around: string
  /** Returns the first `levels` names of `around`. */
  readonly near: (levels: number) => string
  /** Returns the names of an element. */
  readonly namesOf: (element: Element) => string
}

/** A value that one of the searches found. */
export interface Sight {
  readonly value: string
  readonly element: Element
  readonly confidence: number
  /** The original text that the value was read from. */
  readonly words?: string
}

/** A search for one value that pages show without markup. */
export interface SightReader {
  /** The first name of its concept. */
  readonly concept: string
  readonly read: (page: SeenPage) => Sight | undefined
}

/** The input of the searches. */
export interface SeenPage {
  readonly url: string
  readonly elements: readonly Element[]
  readonly spots: readonly Spot[]
  /** Index of the page's main heading, if it has one. */
  readonly heading: number | undefined
  /** The ancestors of the heading. */
  readonly aroundHeading: ReadonlySet<Element>
  /** The `lang` of the page: `en-US`. */
  readonly language: string
  /** The items of the page's structured data. */
  readonly items: readonly DataItem[]
  /** The days (`YYYY-MM-DD`) of the page's markup. */
  readonly otherDays: ReadonlySet<string>
}

const maxSpots = 20_000
/** Maximum number of elements in the names around a spot. */
export const maxLevels = 7
const maxNodes = 24
const maxLength = 160
const unshown = new Set('script style template noscript head svg select option textarea iframe'.split(' '))

/** A range of elements, by their indexes. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** What spots are searched for. */
export interface Wanted {
  readonly range: Range
  /** Maximum number of characters. */
  readonly maxWords: number
  /** Returns whether the element may be of use. A fast test, as reading the words of all elements is slow. */
  readonly mayBe: (element: Element) => boolean
}

/**
 * Returns the visible elements with some text, but at most 160 characters, or those that `Wanted` describes; 20,000 at most.
 * Elements must be in document order.
 */
export function findSpots(
  elements: readonly Element[],
  { range: { from, to }, maxWords, mayBe }: Wanted = { range: everywhere, maxWords: maxLength, mayBe: () => true },
): readonly Spot[] {
  const places: number[] = []
  for (let place = Math.max(0, from); place <= to && place < elements.length; place += 1)
    if (mayBe(elements[place]!)) places.push(place)
  return spotsOf(elements, places, maxWords)
}

const everywhere: Range = { from: 0, to: Infinity }

/**
 * Finds the spots in a range that may contain a day: elements with a day in their own text, and those around them. A text
 * node with a day in a large element is a spot, too.
 */
export function findDatedSpots(elements: readonly Element[], { from, to }: Range): readonly Spot[] {
  const wanted = new Set<Element>()
  const first = Math.max(0, from)
  const after = new Map<Element, Text>()
  for (let at = elements[first]?.parent; at; at = at.parent) noteDays(at, after)
  const bare: BareText[] = []
  for (let place = first; place <= to && place < elements.length; place += 1) {
    const element = elements[place]!
    const text = after.size > 0 ? after.get(element) : undefined
    if (text && element.parent) bare.push({ element: element.parent, words: lineOf(text.text), place: place + 1 })
    if (!noteDays(element, after)) continue
    for (let at: Element | null = element, level = 0; at && level < 3; level += 1, at = at.parent) wanted.add(at)
  }
  const places: number[] = []
  if (wanted.size === 0 && bare.length === 0) return []
  for (let place = first; place <= to && place < elements.length; place += 1) {
    if (wanted.has(elements[place]!)) places.push(place)
  }
  const spots = spotsOf(elements, places, maxLength)
  const known = new Set(spots.map(({ element }) => element))
  return [...spots, ...bareSpots(bare.filter(({ element }) => !known.has(element)))]
}

/** A text node with a day, after the element before `place`. */
interface BareText {
  readonly element: Element
  readonly words: string
  readonly place: number
}

/** Returns whether an element may have a day in its own text. Adds text nodes with one to `after`, by the element before them. */
function noteDays(element: Element, after: Map<Element, Text>): boolean {
  let has = element.name === 'time'
  for (let node = element.first; node; node = node.next) {
    if (node.type !== 'text' || node.text.length > maxLength * 4 || !mayHaveDay(node.text)) continue
    has = true
    if (node.previous?.type === 'element') after.set(node.previous, node)
  }
  return has
}

function bareSpots(texts: readonly BareText[]): readonly Spot[] {
  const shown: Shown = new Map()
  const tokens: Tokens = new Map()
  return texts
    .filter(({ element, words }) => words.length <= maxLength && isShown(element, shown))
    .map(({ element, words, place }) => new LazySpot(element, words, place, tokens))
}

function spotsOf(elements: readonly Element[], places: readonly number[], maxWords: number): readonly Spot[] {
  const spots: Spot[] = []
  const shown: Shown = new Map()
  const tokens: Tokens = new Map()
  for (const place of places) {
    if (spots.length >= maxSpots) break
    const element = elements[place]!
    const words = wordsOfSmall(element, maxWords)
    if (words !== undefined && words !== '' && isShown(element, shown))
      spots.push(new LazySpot(element, words, place, tokens))
  }
  return spots
}

type Shown = Map<Element, boolean>

/** Returns whether neither the element nor an ancestor is hidden. */
function isShown(element: Element, known: Shown): boolean {
  const path: Element[] = []
  let is = true
  for (let at: Element | null = element; at; at = at.parent) {
    const before = known.get(at)
    if (before !== undefined) {
      is = before
      break
    }
    path.push(at)
  }
  for (let level = path.length - 1; level >= 0; level -= 1) {
    const at = path[level]!
    is = is && !unshown.has(at.name) && !isHidden(at)
    known.set(at, is)
  }
  return is
}

type Tokens = Map<Element, string>

/**
 * Computes names on demand, as most spots need none. A class, because V8 creates a permanent hidden class for every
 * object literal with getters, which would keep whole trees alive.
 */
class LazySpot implements Spot {
  readonly element: Element
  readonly words: string
  readonly place: number
  readonly #tokens: Tokens
  #around: string | undefined

  constructor(element: Element, words: string, place: number, tokens: Tokens) {
    this.element = element
    this.words = words
    this.place = place
    this.#tokens = tokens
  }

  get own(): string {
    return cachedTokens(this.element, this.#tokens)
  }

  get around(): string {
    return (this.#around ??= this.near(maxLevels))
  }

  near(levels: number): string {
    return tokensAround(this.element, this.#tokens, levels)
  }

  namesOf(element: Element): string {
    return cachedTokens(element, this.#tokens)
  }
}

function cachedTokens(element: Element, tokens: Tokens): string {
  let cached = tokens.get(element)
  if (cached === undefined) tokens.set(element, (cached = tokensOf(element)))
  return cached
}

/**
 * Returns an element's text, or `undefined` if it is too large. Two digits in their own node after a price are cents.
 */
function wordsOfSmall(element: Element, maxWords: number): string | undefined {
  let nodes = 0
  let words = ''
  for (let node = nextNode(element, element); node;) {
    if (++nodes > maxNodes) return undefined
    const isUnshown = node.type === 'element' && unshown.has(node.name)
    if (node.type === 'text') {
      if (isLonger(node.text, maxWords)) return undefined
      const text = lineOf(node.text.slice(0, maxLength * 4))
      if (text !== '') words = words === '' ? text : words + separator(words, text, node.text) + text
      if (words.length > maxWords) return undefined
    }
    node = nextNode(node, element, isUnshown)
  }
  return words.trim()
}

/** Returns whether a string has more than so many characters besides white space. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  for (let index = 0; index < text.length && index < maxLength * 4; index += 1) {
    const code = text.codePointAt(index)!
    if (code > 32 && code !== 0xa0 && ++count > max) return true
  }
  return false
}

function separator(before: string, text: string, written: string): string {
  if (/[$€£¥₹]\s*\d{1,3}(?:[,.]\d{3})*$/.test(before) && /^\d{2}(?!\d)/.test(text)) return '.'
  return /\d$/.test(before) && /^[.,]/.test(text)
    ? ''
    : /[.,]$/.test(before) && /^\d/.test(text)
      ? ''
      : /^\S/.test(written) && /[$€£¥₹]$/.test(before)
        ? ''
        : ' '
}

/** Attributes whose values name an element. */
export const marks = ['class', 'id', 'itemprop', 'data-testid', 'data-test', 'data-qa', 'data-hook', 'rel'] as const

/**
 * Returns the tag name, classes, id and similar names of an element as lower-case words: `<b class="productPrice--now">`
 * becomes `b product price now`.
 */
function tokensOf({ name, attributes }: Element): string {
  let names = ''
  for (const mark of marks) {
    const value = attributes[mark]
    if (value !== undefined && value !== '') names += ` ${value.length > 300 ? value.slice(0, 300) : value}`
  }
  if (names === '') return `${name} `
  if (/[A-Z]/.test(names)) names = names.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
  names = names.toLowerCase()
  // Classes with Unicode properties are slow.
  const isPlain = /^[\s -~]*$/.test(names)
  return name + (isPlain ? names.replaceAll(/[^a-z\d]+/g, ' ') : names.replaceAll(/[^\p{L}\p{N}]+/gu, ' '))
}

function tokensAround(element: Element, cache: Tokens, levels: number): string {
  let tokens = ''
  let level = 0
  for (let at: Element | null = element; at && level < levels; at = at.parent, level += 1) {
    if (at.name === 'body' || at.name === 'html' || at.name === '#document') break
    tokens += level === 0 ? cachedTokens(at, cache) : ` / ${cachedTokens(at, cache)}`
  }
  return tokens
}

/**
 * Returns the names around a spot, separated by slashes, up to the first ancestor shared with the heading: names from there on
 * concern the whole page. Empty if there are none.
 */
export function namesApart({ aroundHeading }: Pick<SeenPage, 'aroundHeading'>, spot: Spot): string {
  const tokens: string[] = []
  for (let at: Element | null = spot.element; at && tokens.length < maxLevels; at = at.parent) {
    if (aroundHeading.has(at) || at.name === 'body' || at.name === '#document') break
    tokens.push(spot.namesOf(at))
  }
  return tokens.join(' / ').replaceAll(ofPageBuilders, ' ')
}

/** Page builders give every part of a page the class "widget". */
const ofPageBuilders = /\b(?:elementor|cos wrapper|siteorigin|fl) widget\b/g

/** Returns whether a spot is the main heading or inside it. */
export function isHeading({ elements, heading }: Pick<SeenPage, 'elements' | 'heading'>, { element }: Spot): boolean {
  const named = elements[heading ?? -1]
  if (!named) return false
  for (let at: Element | null = element; at; at = at.parent) if (at === named) return true
  return false
}

/** Returns how many elements after the heading a spot is; negative if before it, `undefined` without a heading. */
export function afterHeading({ heading }: SeenPage, { place }: Spot): number | undefined {
  return heading === undefined ? undefined : place - heading
}
