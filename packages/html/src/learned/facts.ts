// A page as programs see it: one walk, then elements are found by their tokens rather than by walking again.
import type { Base } from '../addresses/urls.ts'
import { wordsOf } from '../data/annotations.ts'
import { compileSelector, isProblem, matchesAmong, type Selector } from '../select/select.ts'
import type { Element, Text } from '../tree/tree.ts'
import { lineOf, nextNode } from '../tree/walk.ts'
import { learnedBounds } from './types.ts'

/** A page, or a part of one. */
export interface Facts {
  readonly root: Element
  readonly base: Base
  readonly elements: readonly Element[]
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

/** Reads a page once. With selectors, only what these find is found. */
export function readFacts(root: Element, base: Base, selectors?: Iterable<string>): Facts {
  return new PageFacts(root, base, selectors && new Set([...selectors].map((text) => compiled(text)?.key ?? '')))
}

class PageFacts implements Facts {
  readonly root: Element
  readonly base: Base
  readonly elements: Element[] = []
  readonly texts: Text[] = []
  readonly #sizes = new Map<Element, number>()
  readonly #places = new Map<Element, number>()
  readonly #words = new Map<Element, string>()
  readonly #byToken = new Map<string, Element[]>()
  readonly #wanted: ReadonlySet<string> | undefined
  /** Elements of one kind have the same classes. */
  readonly #classes = new Map<string, readonly string[]>()
  #byLabel: Map<string, number[]> | undefined

  constructor(root: Element, base: Base, wanted: ReadonlySet<string> | undefined) {
    this.root = root
    this.base = base
    this.#wanted = wanted
    this.#walk()
  }

  #walk(): void {
    let node = nextNode(this.root, this.root)
    while (node && this.elements.length < learnedBounds.elements) {
      if (node.type === 'text') {
        if (node.text.trim() !== '') {
          this.texts.push(node)
          this.#grow(node)
        }
      } else {
        this.#places.set(node, this.texts.length)
        this.elements.push(node)
        this.#file(node)
      }
      node = nextNode(node, this.root, node.type === 'element' && silent.has(node.name))
    }
  }

  /** Counts a text for the elements around it, as far as they are small. */
  #grow({ text, parent }: Text): void {
    for (let at = parent; at && at !== this.root; at = at.parent) {
      const size = (this.#sizes.get(at) ?? 0) + text.length
      this.#sizes.set(at, size)
      if (size > learnedBounds.text * 8) break
    }
  }

  #file(element: Element): void {
    const { name, attributes } = element
    this.#put(name, element)
    for (const attribute in attributes) {
      const value = attributes[attribute]!
      if (attribute === 'class') for (const token of this.#tokensIn(value)) this.#put(token, element)
      else if (attribute === 'id') this.#put(`#${value}`, element)
      else if (isNaming(attribute) && value.length <= longestToken) this.#put(`[${attribute}="${value}"]`, element)
    }
  }

  #put(token: string, element: Element): void {
    if (this.#wanted?.has(token) === false) return
    const known = this.#byToken.get(token)
    if (known) known.push(element)
    else this.#byToken.set(token, [element])
  }

  #tokensIn(classes: string): readonly string[] {
    const known = this.#classes.get(classes)
    if (known) return known
    const tokens = [...new Set(classes.split(/\s+/))].filter(Boolean).map((token) => `.${token}`)
    const wanted = this.#wanted
    const kept = wanted ? tokens.filter((token) => wanted.has(token)) : tokens
    this.#classes.set(classes, kept)
    return kept
  }

  find(text: string): readonly Element[] {
    const selector = compiled(text)
    if (!selector) return []
    const { rule, key, isKeyAlone } = selector
    const candidates = key === undefined ? this.elements : (this.#byToken.get(key) ?? [])
    return isKeyAlone ? candidates : matchesAmong(rule, candidates)
  }

  labelled(label: string): readonly number[] {
    this.#byLabel ??= this.#labels()
    return this.#byLabel.get(label) ?? []
  }

  #labels(): Map<string, number[]> {
    const labels = new Map<string, number[]>()
    this.texts.forEach(({ text }, index) => {
      const label = labelOf(text)
      if (label === undefined) return
      const known = labels.get(label)
      if (known) known.push(index)
      else labels.set(label, [index])
    })
    return labels
  }

  textAt(element: Element): number {
    return this.#places.get(element) ?? this.texts.length
  }

  words(element: Element): string | undefined {
    const known = this.#words.get(element)
    if (known !== undefined) return known
    if ((this.#sizes.get(element) ?? 0) > learnedBounds.text * 8) return undefined
    const words = wordsOf(element)
    this.#words.set(element, words)
    return words.length <= learnedBounds.text ? words : undefined
  }
}

/** Longer values of attributes name nothing. */
const longestToken = 60

const naming = new Set(['itemprop', 'property', 'name', 'rel'])

/** Whether an attribute can say what its element is, rather than how it looks. */
export function isNaming(attribute: string): boolean {
  return naming.has(attribute) || (attribute.startsWith('data-') && attribute.length < 40)
}

/** A text as a label: few words, no digits. */
export function labelOf(text: string): string | undefined {
  if (text.length > 60) return undefined
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

interface Compiled {
  readonly rule: Selector
  readonly key: string | undefined
  readonly isKeyAlone: boolean
}

const known = new Map<string, Compiled | undefined>()
const mostKnown = 5_000

function compiled(text: string): Compiled | undefined {
  if (known.has(text)) return known.get(text)
  if (known.size >= mostKnown) known.clear()
  const rule = text.length > learnedBounds.selector ? { problem: '' } : compileSelector(text)
  const made = isProblem(rule) ? undefined : { rule, ...keyOf(text) }
  known.set(text, made)
  return made
}

/** A token that every element has which the selector matches, where that can be told. */
function keyOf(text: string): Pick<Compiled, 'key' | 'isKeyAlone'> {
  const last = /(?:^|[\s>+~])([\w-]*)((?:[.#][\w-]+)*)((?:\[[^\]\s]*\])*)$/.exec(text)
  if (!last || text.includes(',') || text.includes('\\')) return { key: undefined, isKeyAlone: false }
  const [whole, name = '', tokens = '', attributes = ''] = last
  const token = tokens.match(/[.#][\w-]+/)?.[0] ?? attributes.match(/\[([\w-]+)="[^"]*"\]/)
  const byToken = typeof token === 'string' ? token : token && isNaming(token[1]!) ? token[0] : undefined
  const key = byToken ?? (name === '' ? undefined : name.toLowerCase())
  return { key, isKeyAlone: key !== undefined && whole === text && text === key }
}
