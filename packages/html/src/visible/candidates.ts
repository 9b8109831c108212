// The rules that may apply to the elements of a page.
import { hasAttributes, type Element } from '../tree/tree.ts'
import type { Simple } from '../select/syntax.ts'
import type { Rule } from './css.ts'
import type { Entry, Index } from './entries.ts'
import type { Survey } from './survey.ts'

/** Returns whether a rule matters. Called once for each rule and kind of element of a page. */
export type Accepts = (rule: Rule) => boolean

const blanks = /[\t\n\f\r ]+/

/** With fewer rules, testing all candidates takes less time than reading the names of a page. */
const manyRules = 200

/** The classes and ids of a page with many rules. A selector with another one matches none of its elements. */
export class PageNames {
  readonly #survey: Survey
  readonly #isUsed: boolean
  readonly #known = new Map<Entry, boolean>()
  #names: Names | undefined

  constructor(survey: Survey, rules: number) {
    this.#survey = survey
    this.#isUsed = rules >= manyRules
  }

  /** Returns whether the page has all classes and ids that the selector of the entry needs, as far as it is known. */
  mayMatch(entry: Entry): boolean {
    if (!this.#isUsed) return true
    let known = this.#known.get(entry)
    if (known === undefined) this.#known.set(entry, (known = this.#hasAll(entry)))
    return known
  }

  #hasAll({ list }: Entry): boolean {
    const { classes, ids } = (this.#names ??= namesOf(this.#survey))
    const isKnown = (simple: Simple): boolean => {
      if (simple.kind === 'class') return classes?.has(simple.value) ?? true
      return simple.kind !== 'id' || ids.has(simple.value)
    }
    return list.some((complex) => complex.every(({ simples }) => simples.every(isKnown)))
  }
}

interface Names {
  /** `undefined` if a `class` attribute is too long to be read. */
  readonly classes: ReadonlySet<string> | undefined
  readonly ids: ReadonlySet<string>
}

function namesOf({ withClass, withId }: Survey): Names {
  const ids = new Set(withId.map(({ attributes }) => attributes['id']!))
  const lists = new Set(withClass.map(({ attributes }) => attributes['class']!))
  const classes = new Set<string>()
  for (const list of lists) {
    if (list.length > longClasses) return { classes: undefined, ids }
    for (const name of classesIn(list)) classes.add(name)
  }
  return { classes, ids }
}

const classesIn = (list: string): readonly string[] => (/[\t\n\f\r]/.test(list) ? list.split(blanks) : list.split(' '))

/** Characters of a `class` attribute that is read without counting it. */
const longClasses = 4_000
/** Characters of a longer one that count as one list of entries. */
const charsPerList = 8

type Lists = readonly (readonly Entry[])[]
const noLists: Lists = []

/**
 * The accepted rules of an index, by the elements of a page that they may match. Elements share the lists of the index, of
 * which each is filtered once.
 */
export class Candidates {
  readonly #index: Index
  readonly #accepts: Accepts
  readonly #names: PageNames
  readonly #mayKeep: (lists: number) => boolean
  /** By list of the index. */
  readonly #accepted = new Map<readonly Entry[], readonly Entry[]>()
  readonly #byName = new Map<string, Lists>()
  /** By `class` attribute. */
  readonly #byClasses = new Map<string, Lists>()
  readonly #byId = new Map<string, Lists>()
  readonly #byAttribute = new Map<string, Lists>()

  /** `mayKeep` is called before lists are stored for an element, with their number, and returns whether to continue. */
  constructor(index: Index, accepts: Accepts, names: PageNames, mayKeep: (lists: number) => boolean) {
    this.#index = index
    this.#accepts = accepts
    this.#names = names
    this.#mayKeep = mayKeep
    for (const [name, entries] of index.byAttribute) {
      const lists = this.#select([entries])
      if (lists.length > 0) this.#byAttribute.set(name, lists)
    }
  }

  /** Returns whether any rule may match the element, as far as the index can tell. */
  has(element: Element): boolean {
    if (this.#ofName(element).length > 0) return true
    if (!hasAttributes(element)) return false
    const { attributes } = element
    if (this.#ofClasses(attributes).length > 0 || this.#ofId(attributes).length > 0) return true
    if (this.#byAttribute.size > 0) for (const key in attributes) if (this.#byAttribute.has(key)) return true
    return false
  }

  /** Returns lists of the rules that may match the element, as far as the index can tell. No rule is in two of them. */
  of(element: Element): Lists {
    const found = this.#ofName(element)
    if (!hasAttributes(element)) return found
    const { attributes } = element
    const own = joined(joined(found, this.#ofClasses(attributes)), this.#ofId(attributes))
    if (this.#byAttribute.size === 0) return own
    const all = [...own]
    for (const key in attributes) all.push(...(this.#byAttribute.get(key) ?? noLists))
    return all
  }

  #ofName({ name }: Element): Lists {
    return this.#byName.get(name) ?? this.#addName(name)
  }

  #ofClasses(attributes: Element['attributes']): Lists {
    const classes = this.#index.byClass.size > 0 ? attributes['class'] : undefined
    return classes === undefined ? noLists : (this.#byClasses.get(classes) ?? this.#addClasses(classes))
  }

  #ofId(attributes: Element['attributes']): Lists {
    const id = this.#index.byId.size > 0 ? attributes['id'] : undefined
    return id === undefined ? noLists : (this.#byId.get(id) ?? this.#addId(id))
  }

  #addName(name: string): Lists {
    const { any, byName } = this.#index
    const found = this.#select([any, byName.get(name)])
    this.#byName.set(name, found)
    return found
  }

  #addClasses(classes: string): Lists {
    if (classes.length > longClasses && !this.#mayKeep(classes.length / charsPerList)) return noLists
    const lists = classesIn(classes).map((name) => this.#index.byClass.get(name))
    const found = this.#select(new Set(lists))
    if (!this.#mayKeep(found.length)) return noLists
    this.#byClasses.set(classes, found)
    return found
  }

  #addId(id: string): Lists {
    const found = this.#select([this.#index.byId.get(id)])
    this.#byId.set(id, found)
    return found
  }

  #select(lists: Iterable<readonly Entry[] | undefined>): Lists {
    const found: (readonly Entry[])[] = []
    for (const entries of lists) {
      const accepted = entries && (this.#accepted.get(entries) ?? this.#filter(entries))
      if (accepted && accepted.length > 0) found.push(accepted)
    }
    return found.length === 0 ? noLists : found
  }

  #filter(entries: readonly Entry[]): readonly Entry[] {
    const found = entries.filter((entry) => this.#accepts(entry.rule) && this.#names.mayMatch(entry))
    this.#accepted.set(entries, found)
    return found
  }
}

function joined(some: Lists, others: Lists): Lists {
  if (others.length === 0) return some
  return some.length === 0 ? others : [...some, ...others]
}
