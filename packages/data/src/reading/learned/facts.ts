// An indexed page. The DOM is walked once; later lookups use the index.
import { type Base, type Element, type Text, lineOf, matchesAmong, nextNode, wordsOf } from '@harvestman/html/internal'
import { compiled } from './compiled.ts'
import { TokenIndex } from './token-index.ts'
import { learnedBounds } from './types.ts'

/** A page, or a part of it. */
export interface Facts {
  readonly root: Element
  readonly base: Base
  readonly elements: readonly Element[]
  /** The smallest hashes of its element selectors, sorted. */
  readonly sketch: readonly number[]
  /** Visible text nodes in document order. */
  readonly texts: readonly Text[]
  /** Returns the elements that match a selector; none if it is invalid. */
  find(selector: string): readonly Element[]
  /** Returns the positions of text nodes that equal a label. */
  labelled(label: string): readonly number[]
  /** Returns the position of the first visible text in or after an element. */
  textAt(element: Element): number
  /** Returns an element's text, or `undefined` if it is long. */
  words(element: Element): string | undefined
}

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg', 'select'])
/** Elements with more nodes than this count as long. */
const maxDescendants = 2_000

/** Indexes a page for finding elements and texts, up to 60,000 elements. If selectors are given, only these can be found. */
export function readFacts(root: Element, base: Base, selectors?: Iterable<string>): Facts {
  return new PageFacts(root, base, new TokenIndex(selectors))
}

class PageFacts implements Facts {
  readonly root: Element
  readonly base: Base
  readonly elements: readonly Element[]
  readonly texts: Text[] = []
  readonly #index: TokenIndex
  readonly #found = new Map<string, readonly Element[]>()
  readonly #words = new Map<Element, string>()
  readonly #labels = new Map<string, readonly number[]>()
  readonly #starts = new Map<Element, number>()
  #places: ReadonlyMap<Text, number> | undefined
  #lookedFor = 0

  constructor(root: Element, base: Base, index: TokenIndex) {
    this.root = root
    this.base = base
    this.elements = index.elements
    this.#index = index
    let node = nextNode(root, root)
    while (node && this.elements.length < learnedBounds.elements) {
      if (node.type === 'text') {
        if (!isBlank(node.text)) this.texts.push(node)
      } else index.add(node)
      node = nextNode(node, root, node.type === 'element' && silent.has(node.name))
    }
    index.end()
  }

  get sketch(): readonly number[] {
    return this.#index.sketch.smallest
  }

  find(text: string): readonly Element[] {
    const before = this.#found.get(text)
    if (before) return before
    const found = this.#find(text)
    this.#found.set(text, found)
    return found
  }

  #find(text: string): readonly Element[] {
    const selector = compiled(text)
    if (!selector) return []
    const { rule, key, around, isChild, isExact } = selector
    const candidates = key === undefined ? this.elements : this.#index.get(key)
    if (candidates.length === 0 || (isExact && around === undefined)) return candidates
    // The index of a part does not contain its ancestors, so these are matched directly.
    if (around === undefined || key === undefined || candidates.length <= fewCandidates || this.root.parent)
      return matchesAmong(rule, candidates)
    const inside = within(this.#index.get(around), candidates, key, isChild)
    return isExact ? inside : matchesAmong(rule, inside)
  }

  labelled(label: string): readonly number[] {
    const before = this.#labels.get(label)
    if (before) return before
    const found: number[] = []
    this.texts.forEach(({ text }, place) => {
      if (mayBegin(text, label) && labelOf(text) === label) found.push(place)
    })
    this.#labels.set(label, found)
    return found
  }

  textAt(element: Element): number {
    const before = this.#starts.get(element)
    if (before !== undefined) return before
    let node = nextNode(element, this.root, silent.has(element.name))
    while (node && (node.type === 'element' || isBlank(node.text)))
      node = nextNode(node, this.root, node.type === 'element' && silent.has(node.name))
    const place = node ? this.#placeOf(node) : this.texts.length
    this.#starts.set(element, place)
    return place
  }

  /** Builds the position map only after several lookups. For a few, a linear search is faster. */
  #placeOf(text: Text): number {
    if (this.#places === undefined && ++this.#lookedFor <= maxLookups) {
      const place = this.texts.indexOf(text)
      return place < 0 ? this.texts.length : place
    }
    this.#places ??= new Map(this.texts.map((one, place) => [one, place]))
    return this.#places.get(text) ?? this.texts.length
  }

  words(element: Element): string | undefined {
    const before = this.#words.get(element)
    if (before !== undefined) return before === many ? undefined : before
    const words = isSmall(element) ? wordsOf(element) : many
    const few = words.length <= learnedBounds.text ? words : many
    this.#words.set(element, few)
    return few === many ? undefined : few
  }
}

/** Marks elements with long text in the cache. No short text has this value. */
const many = ' '.repeat(learnedBounds.text + 1)
const maxLookups = 40
const fewCandidates = 8

/** Returns the candidates that are descendants, or children, of the outer elements. */
function within(
  outer: readonly Element[],
  candidates: readonly Element[],
  key: string,
  isChild: boolean,
): readonly Element[] {
  const isNested = outer.some((element, index) => index > 0 && isWithin(element, outer[index - 1]!))
  if (/^[a-z]/.test(key) && !(isChild && isNested)) return namedBelow(outer, key, isChild)
  const around = new Set(outer)
  return candidates.filter((element) => isBelowOne(element, around, isChild))
}

/**
 * Returns the elements with a tag name inside the outer elements. Faster than filtering all of them when there are few outer
 * ones.
 */
function namedBelow(outer: readonly Element[], name: string, isChild: boolean): readonly Element[] {
  const found: Element[] = []
  let last: Element | undefined
  for (const element of outer) {
    if (last && isWithin(element, last)) continue
    last = element
    for (let node = nextNode(element, element); node;) {
      if (node.type === 'element' && node.name === name) found.push(node)
      node = nextNode(node, element, isChild || (node.type === 'element' && silent.has(node.name)))
    }
  }
  return found
}

function isBelowOne(element: Element, around: ReadonlySet<Element>, isChild: boolean): boolean {
  if (isChild) return element.parent !== null && around.has(element.parent)
  for (let at = element.parent; at; at = at.parent) if (around.has(at)) return true
  return false
}

/** Returns whether a node is the element or inside it. */
export function isWithin(node: Element | null, element: Element): boolean {
  for (let at = node; at; at = at.parent) if (at === element) return true
  return false
}

/** Whether an element has short text and few nodes. */
function isSmall(element: Element): boolean {
  const { first, last } = element
  if (first === last && first?.type === 'text')
    return first.text.length <= learnedBounds.text * 8 || isBlank(first.text)
  let length = 0
  let below = 0
  for (let node = nextNode(element, element); node;) {
    if (node.type === 'text' && !isBlank(node.text)) length += node.text.length
    if (length > learnedBounds.text * 8 || ++below > maxDescendants) return false
    node = nextNode(node, element, node.type === 'element' && silent.has(node.name))
  }
  return true
}

function isBlank(text: string): boolean {
  const code = text.charCodeAt(0)
  return !(code > 0x20 && code < 0x80) && text.trim() === ''
}

/** Cheap check before `labelOf`: whether the first character matches. */
function mayBegin(text: string, label: string): boolean {
  if (text.length < label.length || text.length > maxLabelLength) return false
  let at = 0
  while (text.charCodeAt(at) <= 0x20) at += 1
  const code = text.charCodeAt(at)
  return code >= 0x80 || text.charAt(at).toLowerCase() === label.charAt(0)
}

const maxLabelLength = 60

/**
 * Normalizes text to a label of 2 to 30 lower-case characters. Returns `undefined` if it has another length, digits or no
 * letters.
 */
export function labelOf(text: string): string | undefined {
  if (text.length > maxLabelLength) return undefined
  const label = lineOf(text)
    .replace(/\s*[:：]$/, '')
    .toLowerCase()
  return label.length >= 2 && label.length <= 30 && !/\d/.test(label) && /\p{L}/u.test(label) ? label : undefined
}

const furniture = new Set(['nav', 'footer', 'menu', 'button', 'option', 'dialog'])
const furnitureWords =
  /(?:^|[\s_-])(?:nav|navigation|navbar|menu|footer|sidebar|related|recommend\w*|cookie\w*|consent|gdpr|onetrust|newsletter|modal|popup|megamenu|dropdown|login|signin|register)(?:$|[\s_-])|cookiebot|cookieconsent/i

/** The parts of a page that repeat across the site, such as navigation and footer. */
export interface Surroundings {
  /** Whether an element is inside one of them. */
  has(element: Element): boolean
  /** Whether it is only inside a button, or a short row of links next to the heading. These may be content after all. */
  isDoubted(element: Element): boolean
}

/**
 * Returns the parts of a page that its other pages repeat, such as navigation. Ancestors of the main heading never count as
 * such, regardless of their class names.
 */
export function surroundingsOf({ elements }: Facts): Surroundings {
  const heading = elements.find((element) => element.name === 'h1' && !isSurrounded(element))
  const around = new Set<Element>()
  for (let at = heading?.parent; at; at = at.parent) around.add(at)
  return {
    has: (element) => furnitureAround(element, around) !== undefined,
    isDoubted: (element) => {
      const found = furnitureAround(element, around)
      if (!found || furnitureAround(found.parent, around)) return false
      const isBesideHeading = found.parent !== null && found.parent.name !== 'body' && around.has(found.parent)
      return found.name === 'button' || (found.name === 'nav' && isBesideHeading && linksIn(found) <= shortRow)
    },
  }
}

const shortRow = 6

function isSurrounded(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parent) if (furniture.has(at.name)) return true
  return false
}

function furnitureAround(element: Element | null, heading: ReadonlySet<Element>): Element | undefined {
  for (let at = element; at && at.name !== 'body' && !heading.has(at); at = at.parent) {
    const { role, class: classes = '', id = '' } = at.attributes
    const words = `${classes} ${id}`
    if (/bread/i.test(words) || /bread/i.test(at.attributes['aria-label'] ?? '')) return undefined
    if (furniture.has(at.name) || role === 'navigation' || (words.length < 200 && furnitureWords.test(words))) return at
  }
  return undefined
}

function linksIn(element: Element): number {
  let links = 0
  for (let node = nextNode(element, element); node && links <= shortRow; node = nextNode(node, element))
    if (node.type === 'element' && node.name === 'a') links += 1
  return links
}
