// The rules that may apply to the elements of a page.
import { hasAttributes, type Element } from '../tree/tree.ts'
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
  #names: { readonly classes: ReadonlySet<string>; readonly ids: ReadonlySet<string> } | undefined

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
    const [complex] = list
    if (!complex) return false
    const { classes, ids } = (this.#names ??= namesOf(this.#survey))
    return complex.every(({ simples }) =>
      simples.every((simple) => {
        if (simple.kind === 'class') return classes.has(simple.value)
        return simple.kind !== 'id' || ids.has(simple.value)
      }),
    )
  }
}

function namesOf({ withClass, withId }: Survey): { readonly classes: Set<string>; readonly ids: Set<string> } {
  const lists = new Set(withClass.map(({ attributes }) => attributes['class']!))
  const classes = new Set<string>()
  for (const list of lists) for (const name of classesIn(list)) classes.add(name)
  return { classes, ids: new Set(withId.map(({ attributes }) => attributes['id']!)) }
}

/** Returns the classes in a `class` attribute, of which the first 4,000 characters are read. */
function classesIn(list: string): readonly string[] {
  const text = list.slice(0, maxClasses)
  return /[\t\n\f\r]/.test(text) ? text.split(blanks) : text.split(' ')
}

const maxClasses = 4_000

const noEntries: readonly Entry[] = []

/** The accepted rules of an index, by the elements of a page that they may match. */
export class Candidates {
  readonly #index: Index
  readonly #accepts: Accepts
  readonly #names: PageNames
  readonly #mayRead: (entries: number) => boolean
  readonly #byName = new Map<string, readonly Entry[]>()
  /** By `class` attribute. */
  readonly #byClasses = new Map<string, readonly Entry[]>()
  readonly #byId = new Map<string, readonly Entry[]>()
  readonly #byAttribute: readonly (readonly [name: string, readonly Entry[]])[]

  /** `mayRead` is called before entries are read or copied, with their number, and returns whether to continue. */
  constructor(index: Index, accepts: Accepts, names: PageNames, mayRead: (entries: number) => boolean) {
    this.#index = index
    this.#accepts = accepts
    this.#names = names
    this.#mayRead = mayRead
    this.#byAttribute = [...index.byAttribute]
      .map(([name, entries]) => [name, this.#select([entries])] as const)
      .filter(([, entries]) => entries.length > 0)
  }

  /** Returns whether any rule may match the element, as far as the index can tell. Copies nothing. */
  has(element: Element): boolean {
    if (this.#ofName(element).length > 0) return true
    if (!hasAttributes(element)) return false
    const { attributes } = element
    if (this.#ofClasses(attributes).length > 0 || this.#ofId(attributes).length > 0) return true
    return this.#byAttribute.length > 0 && this.#byAttribute.some(([key]) => attributes[key] !== undefined)
  }

  /** Returns the rules that may match the element, as far as the index can tell. */
  of(element: Element): readonly Entry[] {
    const found = this.#ofName(element)
    if (!hasAttributes(element)) return found
    const { attributes } = element
    const own = this.#joined(this.#joined(found, this.#ofClasses(attributes)), this.#ofId(attributes))
    return this.#byAttribute.reduce(
      (all, [key, entries]) => (attributes[key] === undefined ? all : this.#joined(all, entries)),
      own,
    )
  }

  #ofName({ name }: Element): readonly Entry[] {
    return this.#byName.get(name) ?? this.#addName(name)
  }

  #ofClasses(attributes: Element['attributes']): readonly Entry[] {
    const classes = this.#index.byClass.size > 0 ? attributes['class'] : undefined
    return classes === undefined ? noEntries : (this.#byClasses.get(classes) ?? this.#addClasses(classes))
  }

  #ofId(attributes: Element['attributes']): readonly Entry[] {
    const id = this.#index.byId.size > 0 ? attributes['id'] : undefined
    return id === undefined ? noEntries : (this.#byId.get(id) ?? this.#addId(id))
  }

  #joined(some: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
    if (others.length === 0) return some
    if (some.length === 0) return others
    return this.#mayRead(some.length + others.length) ? [...some, ...others] : noEntries
  }

  #addName(name: string): readonly Entry[] {
    const { any, byName } = this.#index
    const found = this.#select([any, byName.get(name)])
    this.#byName.set(name, found)
    return found
  }

  #addClasses(classes: string): readonly Entry[] {
    const lists = classesIn(classes).map((name) => this.#index.byClass.get(name))
    const found = this.#select(new Set(lists))
    this.#byClasses.set(classes, found)
    return found
  }

  #addId(id: string): readonly Entry[] {
    const found = this.#select([this.#index.byId.get(id)])
    this.#byId.set(id, found)
    return found
  }

  #select(lists: Iterable<readonly Entry[] | undefined>): readonly Entry[] {
    const found: Entry[] = []
    for (const entries of lists) {
      if (!entries) continue
      if (!this.#mayRead(entries.length)) return noEntries
      for (const entry of entries) if (this.#accepts(entry.rule) && this.#names.mayMatch(entry)) found.push(entry)
    }
    return found.length === 0 ? noEntries : found
  }
}
