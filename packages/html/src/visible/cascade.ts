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

/** The style sheets of a page. Whatever is not needed for what may be hidden is not computed. */
export class Sheets {
  /** Whether the page has sheets at other URLs, whose rules are not known. */
  readonly hasUnread: boolean
  readonly rules: Rules
  readonly #resolved = new Map<string, string>()
  readonly #inline = new Map<string, readonly Declaration[]>()
  readonly #known = new Map<Accepts, Candidates>()
  readonly #knownStates = new Map<Accepts, Candidates>()
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
  }

  /** Returns whether a rule with accepted declarations applies to the element. */
  applies(accepts: Accepts, element: Element): boolean {
    for (const entry of this.#candidates(this.rules.index, element, accepts))
      if (this.#matches(entry, element)) return true
    return false
  }

  /** Returns what the page declares for the element on a screen. */
  styleOf(element: Element, group: Group, screen = 0): Style {
    const inline = element.attributes['style']
    if (this.rules.all.length === 0 && inline === undefined) return none
    return this.#compute(element, inline, group, screen)
  }

  /** Returns whether the page declares something of the group for the element. */
  declares(element: Element, group: Group): boolean {
    const inline = element.attributes['style']
    return (inline !== undefined && groups[group](inline)) || this.applies(groups[group], element)
  }

  /** Returns how a visitor can make the page show this element, by the rules for such states. */
  revealOf(element: Element, property: string): 'pointer' | 'script' | undefined {
    let found: 'script' | undefined
    for (const entry of this.#candidates(this.rules.states, element, isAny)) {
      if (!declarationsOf(entry.block).some((each) => reveals(each, property))) continue
      if (!this.#matches(entry, element)) continue
      if (entry.state === 'pointer') return 'pointer'
      found = 'script'
    }
    return found
  }

  #compute(element: Element, inline: string | undefined, group: Group, screen: number): Style {
    const values = new Map<string, string>()
    const weights = new Map<string, number>()
    const apply = ({ name, value, isImportant }: Declaration, base: number): void => {
      const weight = base + (isImportant ? importantWeight : 0)
      if (weight < (weights.get(name) ?? -1)) return
      weights.set(name, weight)
      values.set(name, value.includes('var(') ? this.#resolve(value) : value)
    }
    if (this.rules.all.length > 0) {
      for (const entry of this.#candidates(this.rules.index, element, groups[group])) {
        if ((entry.widths & (1 << screen)) === 0 || !this.#matches(entry, element)) continue
        for (const each of declarationsOf(entry.block)) apply(each, entry.weight)
      }
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

  /** Returns the accepted rules of an index that may match the element, as far as the index can tell. */
  #candidates(index: Index, element: Element, accepts: Accepts): readonly Entry[] {
    const known = index === this.rules.index ? this.#known : this.#knownStates
    let candidates = known.get(accepts)
    if (!candidates) known.set(accepts, (candidates = new Candidates(index, accepts)))
    return candidates.of(element)
  }

  #resolve(value: string): string {
    let result = this.#resolved.get(value)
    if (result === undefined) this.#resolved.set(value, (result = withVariables(value, this.rules.variables)))
    return result
  }
}

/** The accepted rules of an index, by the elements that they may match. Elements with the same names have the same ones. */
class Candidates {
  readonly #index: Index
  readonly #accepts: Accepts
  /** The attributes by which accepted rules select. */
  readonly #attributes: readonly string[]
  /** By tag name, with the rules for any element. */
  readonly #byName = new Map<string, readonly Entry[]>()
  /** By `class` attribute. */
  readonly #byClasses = new Map<string, readonly Entry[]>()

  constructor(index: Index, accepts: Accepts) {
    this.#index = index
    this.#accepts = accepts
    this.#attributes = index.byAttribute.size === 0 ? [] : this.#findAttributes()
  }

  of(element: Element): readonly Entry[] {
    const { name, attributes } = element
    let found = this.#byName.get(name) ?? this.#addName(name)
    if (!hasAttributes(element)) return found
    const { byClass, byId, byAttribute } = this.#index
    const { class: classes, id } = attributes
    if (classes !== undefined && byClass.size > 0) {
      found = joined(found, this.#byClasses.get(classes) ?? this.#addClasses(classes))
    }
    if (id !== undefined) found = joined(found, this.#only(byId.get(id)))
    for (const key of this.#attributes) {
      if (attributes[key] !== undefined) found = joined(found, this.#only(byAttribute.get(key)))
    }
    return found
  }

  #only(entries: Entries | undefined): readonly Entry[] {
    return entries ? only(entries, this.#accepts) : noEntries
  }

  #addName(name: string): readonly Entry[] {
    const found = joined(this.#only(this.#index.any), this.#only(this.#index.byName.get(name)))
    this.#byName.set(name, found)
    return found
  }

  #addClasses(classes: string): readonly Entry[] {
    let found = noEntries
    for (const each of new Set(classes.slice(0, maxInline).split(/\s+/))) {
      found = joined(found, this.#only(this.#index.byClass.get(each)))
    }
    this.#byClasses.set(classes, found)
    return found
  }

  #findAttributes(): readonly string[] {
    const { byAttribute, attributes } = this.#index
    let found = attributes.get(this.#accepts)
    if (!found) {
      found = [...byAttribute].filter(([, entries]) => this.#only(entries).length > 0).map(([key]) => key)
      attributes.set(this.#accepts, found)
    }
    return found
  }
}

const noEntries: readonly Entry[] = []

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
