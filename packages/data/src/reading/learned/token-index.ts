// Index of elements by the tokens of selectors: tag names, classes, ids and a few attributes.
import type { Element } from '@harvestman/html/internal'
import { classNamesOf, type ClassGroup } from './class-names.ts'
import { compiled, isNaming } from './compiled.ts'
import { Sketch } from './sketch.ts'

/** Longer attribute values are not indexed. */
const maxTokenLength = 60

const none: readonly Element[] = []
const noClass = classNamesOf('')

/** Lists of elements by string: for all strings if open, otherwise only for the requested ones. */
class Lists {
  readonly #lists = new Map<string, Element[]>()
  readonly #isOpen: boolean

  constructor(isOpen: boolean) {
    this.#isOpen = isOpen
  }

  ask(text: string): void {
    this.#lists.set(text, [])
  }

  get(text: string): Element[] | undefined {
    const list = this.#lists.get(text)
    if (list || !this.#isOpen) return list
    const fresh: Element[] = []
    this.#lists.set(text, fresh)
    return fresh
  }

  find(text: string): readonly Element[] {
    return this.#lists.get(text) ?? none
  }
}

interface IndexedAttribute {
  readonly attribute: string
  readonly lists: Lists
}

const byClassPart = /^\[class\*="([^"]*)"\]$/
const byAttribute = /^\[([\w-]+)="([^"]*)"\]$/

/** The elements of a page by token. With selectors, only their tokens are indexed. */
export class TokenIndex {
  readonly elements: Element[] = []
  /** Covers the first element of each tag name and class, and all elements with an id. */
  readonly sketch = new Sketch()
  readonly #isOpen: boolean
  #hasParts: boolean
  readonly #names: Lists
  readonly #ids: Lists
  readonly #classes: Lists
  readonly #attributes = new Map<string, Lists>()
  readonly #indexed: readonly IndexedAttribute[]
  readonly #groups: ClassGroup[] = []
  readonly #parts = new Map<string, readonly Element[]>()

  constructor(selectors: Iterable<string> | undefined) {
    this.#isOpen = selectors === undefined
    this.#hasParts = this.#isOpen
    this.#names = new Lists(this.#isOpen)
    this.#ids = new Lists(this.#isOpen)
    this.#classes = new Lists(this.#isOpen)
    for (const text of selectors ?? []) {
      const { key, around } = compiled(text) ?? {}
      if (key !== undefined) this.#ask(key)
      if (around !== undefined) this.#ask(around)
    }
    this.#indexed = [...this.#attributes].map(([attribute, lists]) => ({ attribute, lists }))
  }

  #ask(token: string): void {
    if (byClassPart.test(token)) {
      this.#hasParts = true
      return
    }
    const [lists, text] = this.#placeOf(token)
    lists.ask(text)
  }

  /** Returns the lists that contain a token, and its key there. */
  #placeOf(token: string): readonly [lists: Lists, text: string] {
    if (token.startsWith('.')) return [this.#classes, token.slice(1)]
    if (token.startsWith('#')) return [this.#ids, token.slice(1)]
    const [, attribute, value] = byAttribute.exec(token) ?? []
    return attribute === undefined ? [this.#names, token] : [this.#listsBy(attribute), value!]
  }

  #listsBy(attribute: string): Lists {
    const known = this.#attributes.get(attribute)
    if (known) return known
    const fresh = new Lists(this.#isOpen)
    this.#attributes.set(attribute, fresh)
    return fresh
  }

  /** Adds an element. Must be called in document order. */
  add(element: Element): void {
    const { name, attributes } = element
    const { id, class: classes } = attributes
    this.#names.get(name)?.push(element)
    if (id !== undefined) this.#ids.get(id)?.push(element)
    const group = this.#groupOf(classes)
    const isFirst = !group.names.includes(name)
    if (isFirst) group.names.push(name)
    for (const list of group.lists) list.push(element)
    if (this.#hasParts) group.places.push(this.elements.length)
    if ((id !== undefined || isFirst) && name !== 'meta') {
      if (isFirst) this.sketch.addClass(name, group.classNames)
      this.sketch.addAttributes(element)
    }
    if (this.#isOpen) this.#addByAll(element)
    else for (let at = 0; at < this.#indexed.length; at += 1) addBy(this.#indexed[at]!, element)
    this.elements.push(element)
  }

  #addByAll(element: Element): void {
    for (const attribute in element.attributes)
      if (isNaming(attribute)) addBy({ attribute, lists: this.#listsBy(attribute) }, element)
  }

  #groupOf(classes: string | undefined): ClassGroup {
    const classNames = classes === undefined ? noClass : classNamesOf(classes)
    const known = classNames.group
    if (known?.index === this) return known
    const lists = classNames.tokens.map((token) => this.#classes.get(token)).filter((list) => list !== undefined)
    const group = { index: this, classNames, lists, places: [], names: [] }
    this.#groups.push(group)
    classNames.group = group
    return group
  }

  /** Releases the page from the class cache. Call it after the last element. */
  end(): void {
    for (const { classNames } of this.#groups) classNames.group = undefined
  }

  /** Returns the elements with a token. */
  get(token: string): readonly Element[] {
    const part = byClassPart.exec(token)?.[1]
    if (part !== undefined) return this.#withClassPart(part)
    const [lists, text] = this.#placeOf(token)
    return lists.find(text)
  }

  /** Returns the elements whose `class` attribute contains a string. */
  #withClassPart(part: string): readonly Element[] {
    const known = this.#parts.get(part)
    if (known) return known
    const places: number[] = []
    for (const group of this.#groups)
      if (group.classNames.classes.includes(part)) for (const place of group.places) places.push(place)
    const found = places.toSorted((one, other) => one - other).map((place) => this.elements[place]!)
    this.#parts.set(part, found)
    return found
  }
}

function addBy({ attribute, lists }: IndexedAttribute, element: Element): void {
  const value = element.attributes[attribute]
  if (value !== undefined && value.length <= maxTokenLength) lists.get(value)?.push(element)
}
