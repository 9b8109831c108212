import type { Element } from '../../tree/tree.ts'
import { lineOf, nextNode } from '../../tree/walk.ts'

// The shown elements of a page that say little, each with what surrounds it. Prices, names and days stand in such.

/** A small element that is shown. */
export interface Spot {
  readonly element: Element
  readonly words: string
  /** Its place among all elements. */
  readonly place: number
  /** Class names, ids and the like of the element itself. */
  readonly own: string
  /** The same of the element and the elements around it, the nearest first. */
  readonly around: string
}

/** A value that a reader saw. */
export interface Sight {
  readonly value: string
  readonly element: Element
  readonly confidence: number
  /** The words as they stand, where the value was read from them. */
  readonly words?: string
}

/** A page as the readers of spots see it. */
export interface SeenPage {
  readonly url: string
  readonly elements: readonly Element[]
  readonly spots: readonly Spot[]
  /** The place of the heading that names the page; absent when none does. */
  readonly heading: number | undefined
  /** The elements that the heading stands in. */
  readonly aroundHeading: ReadonlySet<Element>
  /** The language of the page, as it says: `en-US`. */
  readonly language: string
  /** The codes that its data have. */
  readonly markedCodes: readonly string[]
}

const mostSpots = 20_000
const mostLevels = 7
const mostNodes = 24
const longest = 160
const unshown = new Set('script style template noscript head svg select option textarea iframe'.split(' '))

/** Finds the spots of a page. The elements come in document order. */
export function findSpots(elements: readonly Element[]): readonly Spot[] {
  const spots: Spot[] = []
  const hidden = new Set<Element>()
  const tokens: Tokens = new Map()
  for (const [place, element] of elements.entries()) {
    const { parent } = element
    if (unshown.has(element.name) || isHidden(element) || (parent && hidden.has(parent))) {
      hidden.add(element)
      continue
    }
    if (spots.length >= mostSpots) break
    const words = wordsOfSmall(element)
    if (words !== undefined && words !== '') {
      spots.push(spotOf(element, words, place, tokens))
    }
  }
  return spots
}

type Tokens = Map<Element, string>

/** What surrounds a spot is read when it is asked for: few are looked at closely. */
function spotOf(element: Element, words: string, place: number, tokens: Tokens): Spot {
  let around: string | undefined
  return {
    element,
    words,
    place,
    get own() {
      return keptTokens(element, tokens)
    },
    get around() {
      return (around ??= tokensAround(element, tokens))
    },
  }
}

function keptTokens(element: Element, tokens: Tokens): string {
  const kept = tokens.get(element) ?? tokensOf(element)
  tokens.set(element, kept)
  return kept
}

function isHidden({ attributes }: Element): boolean {
  if (attributes['hidden'] !== undefined) return true
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '')
}

/** The words of an element that holds few; two digits in a part of their own after a number are its cents. */
function wordsOfSmall(element: Element): string | undefined {
  let nodes = 0
  let words = ''
  for (let node = nextNode(element, element); node;) {
    if (++nodes > mostNodes) return undefined
    const isUnshown = node.type === 'element' && unshown.has(node.name)
    if (node.type === 'text') {
      const text = lineOf(node.text.slice(0, longest * 4))
      if (text !== '') words += separator(words, text, node.text) + text
      if (words.length > longest) return undefined
    }
    node = nextNode(node, element, isUnshown)
  }
  return words.trim()
}

function separator(before: string, text: string, written: string): string {
  if (before === '') return ''
  if (/[$€£¥₹]\s*\d{1,3}(?:[,.]\d{3})*$/.test(before) && /^\d{2}(?!\d)/.test(text)) return '.'
  return /\d$/.test(before) && /^[.,]/.test(text)
    ? ''
    : /[.,]$/.test(before) && /^\d/.test(text)
      ? ''
      : /^\S/.test(written) && /[$€£¥₹]$/.test(before)
        ? ''
        : ' '
}

const marks = ['class', 'id', 'itemprop', 'data-testid', 'data-test', 'data-qa', 'data-hook', 'rel'] as const

/** `productPrice--now` is `product price now`. */
export function tokensOf({ name, attributes }: Element): string {
  const texts = marks.flatMap((mark) => attributes[mark]?.slice(0, 300) ?? [])
  return `${name} ${texts.join(' ')}`
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
}

function tokensAround(element: Element, kept: Tokens): string {
  const tokens: string[] = []
  for (let at: Element | null = element; at && tokens.length < mostLevels; at = at.parent) {
    if (at.name === 'body' || at.name === 'html' || at.name === '#document') break
    tokens.push(keptTokens(at, kept))
  }
  return tokens.join(' / ')
}

/** What a spot stands in, as far as the heading does not stand there too: that is of the whole page, whatever its name. */
export function namesApart({ aroundHeading }: Pick<SeenPage, 'aroundHeading'>, { element }: Spot): string {
  const tokens: string[] = []
  for (let at: Element | null = element; at && tokens.length < mostLevels; at = at.parent) {
    if (aroundHeading.has(at) || at.name === 'body' || at.name === '#document') break
    tokens.push(tokensOf(at))
  }
  return tokens.join(' / ').replaceAll(ofPageBuilders, ' ')
}

/** Page builders call every part of a page a widget. */
const ofPageBuilders = /\b(?:elementor|cos wrapper|siteorigin|fl) widget\b/g

/** Whether a spot is of the heading itself: what that names is what the page is about. */
export function isHeading({ elements, heading }: Pick<SeenPage, 'elements' | 'heading'>, { element }: Spot): boolean {
  const named = elements[heading ?? -1]
  if (!named) return false
  for (let at: Element | null = element; at; at = at.parent) if (at === named) return true
  return false
}

/** How far behind the heading a spot stands; before it is below 0. */
export function afterHeading({ heading }: SeenPage, { place }: Spot): number | undefined {
  return heading === undefined ? undefined : place - heading
}
