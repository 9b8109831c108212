// The declared styles of elements: the page's own sheets and `style` attributes, by the order of the cascade.
import { matchesList, type Look } from '../select/match.ts'
import { hasAttributes, type Element } from '../tree/tree.ts'
import { textOf } from '../tree/walk.ts'
import { allWidths, cssLimits, fittingScreens, readDeclarations, withoutComments, type Declaration } from './css.ts'
import {
  declarationsOf,
  only,
  parseEntry,
  rulesOf,
  type Accepts,
  type Css,
  type Entries,
  type Entry,
  type Index,
  type Rules,
} from './rules.ts'
import { reveals } from './states.ts'

/** Declared values by property. */
export type Style = ReadonlyMap<string, string>

const testFor =
  (pattern: RegExp): Accepts =>
  (block) =>
    pattern.test(block)

/** What is decided together, and which declarations matter for it. */
const groups = {
  box: testFor(
    /display|opacity|clip|position|left|top|right|bottom|margin|width|height|overflow|transform|scale|content-v|padding/i,
  ),
  visibility: testFor(/visibility/i),
  'font-size': testFor(/font/i),
  indent: testFor(/text-indent|overflow/i),
  color: testFor(/color|background|position\s*:\s*(?:absolute|fixed|sticky)/i),
  reveal: testFor(/animation|transition|transform|background/i),
} as const satisfies Readonly<Record<string, Accepts>>

export type Group = keyof typeof groups

const tooCostly = Symbol('too costly')
const none: Style = new Map()
const importantWeight = 2 ** 50
const inlineWeight = 2 ** 49
const maxInline = 4_000
const isAny: Accepts = () => true

/** The rules of a group that apply to an element. */
interface Matched {
  readonly element: Element
  readonly group: Group
  readonly entries: readonly Entry[]
  /** Whether screens have different rules. */
  readonly differs: boolean
  /** The computed styles by screen, or one for all screens. */
  readonly styles: Style[]
}

/** The style sheets of a page. Whatever is not needed for what may be hidden is not computed. */
export class Sheets {
  /** Whether the page has sheets at other URLs, whose rules are not known. */
  readonly hasUnread: boolean
  readonly rules: Rules
  readonly #resolved = new Map<string, string>()
  readonly #inline = new Map<string, readonly Declaration[]>()
  readonly #candidates: Candidates
  #revealing: Candidates | undefined
  /** The element whose style was computed last, as it is usually needed for each screen. */
  #last: Matched | undefined
  #steps = 0
  #isOver = false
  readonly #look: Look = {
    positions: new Map(),
    step: () => {
      if (++this.#steps > cssLimits.steps) throw tooCostly
    },
    scope: undefined,
  }

  constructor(elements: readonly Element[]) {
    const { sheets, hasUnread } = collectCss(elements)
    this.hasUnread = hasUnread
    this.rules = rulesOf(sheets)
    this.#candidates = new Candidates(this.rules.index)
  }

  /** Returns whether a rule with accepted declarations applies to the element. */
  applies(accepts: Accepts, element: Element): boolean {
    for (const entry of this.#candidatesOf(element, accepts)) if (this.#matches(entry, element)) return true
    return false
  }

  /** Returns the declared style of the element on a screen. The same object for screens that have the same rules. */
  styleOf(element: Element, group: Group, screen = 0): Style {
    const inline = element.attributes['style']
    if (this.rules.all.length === 0 && inline === undefined) return none
    if (this.#last?.element !== element || this.#last.group !== group) {
      const entries = this.#candidatesOf(element, groups[group]).filter((each) => this.#matches(each, element))
      this.#last = { element, group, entries, differs: entries.some(({ widths }) => widths !== allWidths), styles: [] }
    }
    const { entries, differs, styles } = this.#last
    return (styles[differs ? screen : 0] ??= this.#compute(entries, inline, screen))
  }

  /** Returns whether the page declares something of the group for the element. */
  declares(element: Element, group: Group): boolean {
    const inline = element.attributes['style']
    return (inline !== undefined && groups[group](inline)) || this.applies(groups[group], element)
  }

  /** Returns how a visitor can make the page show this element, by the rules for such states. */
  revealOf(element: Element, property: string): 'pointer' | 'script' | undefined {
    this.#revealing ??= new Candidates(this.rules.states)
    let found: 'script' | undefined
    for (const entry of this.#revealing.of(element, isAny)) {
      if (!declarationsOf(entry.block).some((each) => reveals(each, property))) continue
      if (!this.#matches(entry, element)) continue
      if (entry.state === 'pointer') return 'pointer'
      found = 'script'
    }
    return found
  }

  #compute(entries: readonly Entry[], inline: string | undefined, screen: number): Style {
    const values = new Map<string, string>()
    const weights = new Map<string, number>()
    const apply = ({ name, value, isImportant }: Declaration, base: number): void => {
      const weight = base + (isImportant ? importantWeight : 0)
      if (weight < (weights.get(name) ?? -1)) return
      weights.set(name, weight)
      values.set(name, value.includes('var(') ? this.#resolve(value) : value)
    }
    for (const { widths, block, weight } of entries) {
      if ((widths & (1 << screen)) !== 0) for (const each of declarationsOf(block)) apply(each, weight)
    }
    if (inline !== undefined) for (const each of this.#inlineOf(inline)) apply(each, inlineWeight)
    return values
  }

  #inlineOf(inline: string): readonly Declaration[] {
    let found = this.#inline.get(inline)
    if (!found) this.#inline.set(inline, (found = readDeclarations(withoutComments(inline.slice(0, maxInline)))))
    return found
  }

  #matches(entry: Entry, element: Element): boolean {
    if (this.#isOver || (this.#steps += 1) > cssLimits.steps) this.#isOver = true
    if (this.#isOver) return false
    try {
      return matchesList(this.#look, (entry.list ??= parseEntry(entry)), element)
    } catch (error) {
      if (error !== tooCostly) throw error
      this.#isOver = true
      return false
    }
  }

  /** Returns the accepted rules that may match the element, as far as the index can tell. None after too many steps. */
  #candidatesOf(element: Element, accepts: Accepts): readonly Entry[] {
    return this.#isOver ? noEntries : this.#candidates.of(element, accepts)
  }

  #resolve(value: string): string {
    let result = this.#resolved.get(value)
    if (result === undefined) this.#resolved.set(value, (result = withVariables(value, this.rules.variables)))
    return result
  }
}

/** The rules of an index, by the elements that they may match. */
class Candidates {
  readonly #index: Index
  readonly #byName = new Map<string, Selected>()
  /** By `class` attribute. */
  readonly #byClasses = new Map<string, Selected>()
  /** The attributes by which accepted rules select. */
  readonly #attributes = new Map<Accepts, readonly string[]>()

  constructor(index: Index) {
    this.#index = index
  }

  of(element: Element, accepts: Accepts): readonly Entry[] {
    const { name, attributes } = element
    let found = (this.#byName.get(name) ?? this.#addName(name)).of(accepts)
    if (!hasAttributes(element)) return found
    const { byClass, byId, byAttribute } = this.#index
    const { class: classes, id } = attributes
    if (classes !== undefined && byClass.size > 0) {
      found = joined(found, (this.#byClasses.get(classes) ?? this.#addClasses(classes)).of(accepts))
    }
    const own = id === undefined ? undefined : byId.get(id)
    if (own) found = joined(found, only(own, accepts))
    if (byAttribute.size === 0) return found
    for (const key of this.#attributes.get(accepts) ?? this.#addAttributes(accepts)) {
      if (attributes[key] !== undefined) found = joined(found, only(byAttribute.get(key)!, accepts))
    }
    return found
  }

  #addName(name: string): Selected {
    const { any, byName } = this.#index
    const found = byName.get(name)
    const selected = new Selected(found ? [any, found] : [any])
    this.#byName.set(name, selected)
    return selected
  }

  #addClasses(classes: string): Selected {
    const found = new Set<Entries>()
    for (const name of classes.slice(0, maxInline).split(/\s+/)) {
      const entries = this.#index.byClass.get(name)
      if (entries) found.add(entries)
    }
    const selected = found.size === 0 ? nothing : new Selected([...found])
    this.#byClasses.set(classes, selected)
    return selected
  }

  #addAttributes(accepts: Accepts): readonly string[] {
    const { byAttribute, attributes } = this.#index
    let found = attributes.get(accepts)
    if (!found) {
      found = [...byAttribute].filter(([, entries]) => only(entries, accepts).length > 0).map(([key]) => key)
      attributes.set(accepts, found)
    }
    this.#attributes.set(accepts, found)
    return found
  }
}

const noEntries: readonly Entry[] = []

/** Entries of an index, and which of them are accepted. */
class Selected {
  readonly #entries: readonly Entries[]
  readonly #accepted = new Map<Accepts, readonly Entry[]>()

  constructor(entries: readonly Entries[]) {
    this.#entries = entries
  }

  of(accepts: Accepts): readonly Entry[] {
    if (this.#entries.length === 0) return noEntries
    let found = this.#accepted.get(accepts)
    if (!found) {
      found = noEntries
      for (const entries of this.#entries) found = joined(found, only(entries, accepts))
      this.#accepted.set(accepts, found)
    }
    return found
  }
}

const nothing = new Selected([])

const joined = (some: readonly Entry[], others: readonly Entry[]): readonly Entry[] =>
  others.length === 0 ? some : some.length === 0 ? others : [...some, ...others]

function collectCss(elements: readonly Element[]): { sheets: readonly Css[]; hasUnread: boolean } {
  const sheets: Css[] = []
  let length = 0
  let hasUnread = false
  for (const { name, attributes, parent, first } of elements) {
    if (name === 'link') hasUnread ||= /\bstylesheet\b/i.test(attributes['rel'] ?? '') && widthsOf(attributes) !== 0
    if (name !== 'style' || !first || (attributes['type'] ?? 'text/css') !== 'text/css') continue
    if (parent?.name === 'noscript' || parent?.name === 'svg' || widthsOf(attributes) === 0) continue
    const css = first === first.parent?.last && first.type === 'text' ? first.text : textOf(first)
    hasUnread ||= /@import\b/.test(css)
    if (length < cssLimits.chars) {
      sheets.push({ css: css.slice(0, cssLimits.chars - length), widths: widthsOf(attributes) })
    }
    length += css.length
  }
  return { sheets, hasUnread }
}

const widthsOf = ({ media }: Readonly<Record<string, string>>): number =>
  media === undefined ? allWidths : fittingScreens(media)

const maxDepth = 8
const maxValue = 500

function withVariables(value: string, variables: ReadonlyMap<string, string>): string {
  let text = value
  for (let i = 0; i < maxDepth && text.includes('var(') && text.length < maxValue; i++) {
    text = text.replaceAll(
      /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g,
      (_, name: string, fallback?: string) => variables.get(name) ?? fallback?.trim() ?? '',
    )
  }
  return text
}
