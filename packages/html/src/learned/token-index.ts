// Elements by what selectors name them by: their names, classes, ids and a few attributes.
import type { Element } from '../tree/tree.ts'
import { classNamesOf } from './class-names.ts'
import { compiled, isNaming } from './compiled.ts'

/** Longer values of attributes name nothing. */
const longestToken = 60

/** The elements with one `class` attribute. */
interface ClassGroup {
  /** The lists of its tokens. */
  readonly lists: readonly Element[][]
  /** Where its elements stand among all. */
  readonly places: number[]
  /** The names of its elements. */
  readonly names: string[]
}

const none: readonly Element[] = []

/** The elements of a page by their tokens: by all, or by those that some selectors ask for. */
export class TokenIndex {
  readonly elements: Element[] = []
  /** The first element of each name and class, and all with an id. */
  readonly kinds: Element[] = []
  readonly #lists = new Map<string, Element[]>()
  readonly #groups = new Map<string, ClassGroup>()
  /** The attributes that are asked for; without them all are. */
  readonly #attributes: readonly string[] | undefined

  constructor(selectors: Iterable<string> | undefined) {
    const attributes = new Set<string>()
    for (const text of selectors ?? []) {
      const { key, around } = compiled(text) ?? {}
      for (const token of [key, around]) {
        if (token === undefined) continue
        this.#lists.set(token, [])
        const attribute = /^\[([\w-]+)=/.exec(token)?.[1]
        if (attribute !== undefined) attributes.add(attribute)
      }
    }
    this.#attributes = selectors && [...attributes]
  }

  /** Elements are added in document order. */
  add(element: Element): void {
    const { name, attributes } = element
    const { id, class: classes } = attributes
    this.#listOf(name)?.push(element)
    if (id !== undefined) this.#listOf(`#${id}`)?.push(element)
    const isFirst = this.#addTo(this.#groupOf(classes ?? ''), element)
    if ((id !== undefined || isFirst) && name !== 'meta') this.kinds.push(element)
    if (this.#attributes) for (const attribute of this.#attributes) this.#addBy(attribute, element)
    else for (const attribute in attributes) if (isNaming(attribute)) this.#addBy(attribute, element)
    this.elements.push(element)
  }

  #addBy(attribute: string, element: Element): void {
    const value = element.attributes[attribute]
    if (value !== undefined && value.length <= longestToken) this.#listOf(`[${attribute}="${value}"]`)?.push(element)
  }

  /** Says whether it is the first of its name in the group. */
  #addTo({ lists, places, names }: ClassGroup, element: Element): boolean {
    for (const list of lists) list.push(element)
    places.push(this.elements.length)
    if (names.includes(element.name)) return false
    names.push(element.name)
    return true
  }

  #groupOf(classes: string): ClassGroup {
    const known = this.#groups.get(classes)
    if (known) return known
    const tokens = classes === '' ? [] : classNamesOf(classes).tokens
    const lists = tokens.map((token) => this.#listOf(token)).filter((list) => list !== undefined)
    const group = { lists, places: [], names: [] }
    this.#groups.set(classes, group)
    return group
  }

  /** The elements with a token. */
  get(token: string): readonly Element[] {
    return this.#lists.get(token) ?? none
  }

  /** The elements whose `class` attribute has a text somewhere. */
  withClassPart(part: string): readonly Element[] {
    const groups = [...this.#groups].filter(([classes]) => classes.includes(part))
    const places = groups.flatMap(([, group]) => group.places)
    return places.toSorted((one, other) => one - other).map((place) => this.elements[place]!)
  }

  #listOf(token: string): Element[] | undefined {
    const list = this.#lists.get(token)
    if (list || this.#attributes) return list
    const fresh: Element[] = []
    this.#lists.set(token, fresh)
    return fresh
  }
}
