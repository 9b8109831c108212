// A page as programs see it: one walk, then elements are found by their tokens rather than by walking again.
import { type Base, type Element, type Text, lineOf, matchesAmong, nextNode, wordsOf } from '@harvestman/html/internal'
import { compiled } from './compiled.ts'
import { TokenIndex } from './token-index.ts'
import { learnedBounds } from './types.ts'

/** A page, or a part of one. */
export interface Facts {
  readonly root: Element
  readonly base: Base
  readonly elements: readonly Element[]
  /** The smallest hashes of what elements are named by, sorted. */
  readonly sketch: readonly number[]
  /** Texts that are shown, in document order. */
  readonly texts: readonly Text[]
  /** The elements that a selector matches; none for one that cannot be used. */
  find(selector: string): readonly Element[]
  /** The texts that are a label. */
  labelled(label: string): readonly number[]
  /** The place of the first shown text at or after an element. */
  textAt(element: Element): number
  /** The words of an element, when they are few. */
  words(element: Element): string | undefined
}

const silent = new Set(['script', 'style', 'template', 'noscript', 'svg', 'select'])
/** An element with more below it has no few words. */
const mostBelow = 2_000

/** Reads a page once. With selectors, only these can be found. */
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
    // Around a part of a page is more than its index knows.
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

  /** A table of all places takes longer to make than to look through the texts for some of them. */
  #placeOf(text: Text): number {
    if (this.#places === undefined && ++this.#lookedFor <= mostLookedFor) {
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

/** Stands for the words of an element that has many: no few words are these. */
const many = ' '.repeat(learnedBounds.text + 1)
const mostLookedFor = 40
const fewCandidates = 8

/** Those of the elements with a token that stand within others, or are their children. */
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

/** The elements of a name within others: below a few there are fewer than all of the name. */
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

/** Whether a node is an element or stands in it. */
export function isWithin(node: Element | null, element: Element): boolean {
  for (let at = node; at; at = at.parent) if (at === element) return true
  return false
}

/** Whether the text of an element is short, and what is below it not much. */
function isSmall(element: Element): boolean {
  const { first, last } = element
  if (first === last && first?.type === 'text')
    return first.text.length <= learnedBounds.text * 8 || isBlank(first.text)
  let length = 0
  let below = 0
  for (let node = nextNode(element, element); node;) {
    if (node.type === 'text' && !isBlank(node.text)) length += node.text.length
    if (length > learnedBounds.text * 8 || ++below > mostBelow) return false
    node = nextNode(node, element, node.type === 'element' && silent.has(node.name))
  }
  return true
}

function isBlank(text: string): boolean {
  const code = text.charCodeAt(0)
  return !(code > 0x20 && code < 0x80) && text.trim() === ''
}

/** Whether the first letter of a text is that of a label: most texts need no second look. */
function mayBegin(text: string, label: string): boolean {
  if (text.length < label.length || text.length > longestLabel) return false
  let at = 0
  while (text.charCodeAt(at) <= 0x20) at += 1
  const code = text.charCodeAt(at)
  return code >= 0x80 || text.charAt(at).toLowerCase() === label.charAt(0)
}

const longestLabel = 60

/** A text as a label: few words, no digits. */
export function labelOf(text: string): string | undefined {
  if (text.length > longestLabel) return undefined
  const label = lineOf(text)
    .replace(/\s*[:：]$/, '')
    .toLowerCase()
  return label.length >= 2 && label.length <= 30 && !/\d/.test(label) && /\p{L}/u.test(label) ? label : undefined
}

const furniture = new Set(['nav', 'footer', 'menu', 'button', 'option', 'dialog'])
const furnitureWords =
  /(?:^|[\s_-])(?:nav|navigation|navbar|menu|footer|sidebar|related|recommend\w*|cookie\w*|consent|gdpr|onetrust|newsletter|modal|popup|megamenu|dropdown|login|signin|register)(?:$|[\s_-])|cookiebot|cookieconsent/i

/** What of a page is as it is on all pages of its site, rather than of what the page is about. */
export interface Surroundings {
  /** Whether an element stands there. */
  has(element: Element): boolean
  /** Whether it stands there only by a button, or by a short row of links beside the heading, which may say something of the page. */
  isDoubted(element: Element): boolean
}

/** What surrounds the main heading of a page is never furniture, whatever it is called. */
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
