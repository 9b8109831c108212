// The declared styles of elements: the page's own sheets and `style` attributes, by the order of the cascade.
import { matchesList, type Look } from '../select/match.ts'
import type { Element } from '../tree/tree.ts'
import { textOf } from '../tree/walk.ts'
import { Candidates, PageNames, type Accepts } from './candidates.ts'
import { cssLimits, type Rule } from './css.ts'
import { groupBits, propertiesOf, readDeclarations, type Declaration, type Group } from './declarations.ts'
import type { Entry } from './entries.ts'
import { allWidths, fittingScreens } from './media.ts'
import { rulesOf, type Css, type Rules } from './rules.ts'
import { withoutComments } from './scan-css.ts'
import { reveals } from './states.ts'
import type { Survey } from './survey.ts'

/** Declared values by property. */
export type Style = ReadonlyMap<string, string>

/** Accepts the rules that declare a property of the group. */
const groups = Object.fromEntries(
  Object.entries(groupBits).map(([group, bit]) => [group, ({ properties }: Rule) => (properties & bit) !== 0]),
) as Readonly<Record<Group, Accepts>>

const tooCostly = Symbol('too costly')
const none: Style = new Map()
const importantWeight = 2 ** 50
const inlineWeight = 2 ** 49
const maxInline = 4_000
const noLists: readonly (readonly Entry[])[] = []

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
  readonly #names: PageNames
  readonly #candidates = new Map<Accepts, Candidates>()
  /** The rules that reveal, by the property that hides. */
  readonly #revealing = new Map<string, Candidates>()
  /** The element whose style was computed last, as it is usually needed for each screen. */
  #last: Matched | undefined
  #steps = 0
  #lists = 0
  #isOver = false
  readonly #look: Look = {
    positions: new Map(),
    step: () => {
      if (++this.#steps > cssLimits.steps) throw tooCostly
    },
    scope: undefined,
  }

  constructor(survey: Survey) {
    const { sheets, hasUnread } = collectCss(survey.sheets)
    this.hasUnread = hasUnread
    this.rules = rulesOf(sheets)
    this.#names = new PageNames(survey, this.rules.all.length)
  }

  /** Returns whether a rule with accepted declarations may apply to the element, as far as its name and attributes tell. */
  mayApply(accepts: Accepts, element: Element): boolean {
    return this.#candidatesFor(accepts)?.has(element) === true
  }

  /** Returns whether a rule with accepted declarations applies to the element. */
  applies(accepts: Accepts, element: Element): boolean {
    return this.candidatesOf(element, accepts).some((list) => list.some((entry) => this.#matches(entry, element)))
  }

  /** Returns the declared style of the element on a screen. The same object for screens that have the same rules. */
  styleOf(element: Element, group: Group, screen = 0): Style {
    const inline = element.attributes['style']
    if (this.rules.all.length === 0 && inline === undefined) return none
    if (this.#last?.element !== element || this.#last.group !== group) {
      const lists = this.candidatesOf(element, groups[group])
      const entries = lists.flatMap((list) => list.filter((each) => this.#matches(each, element)))
      this.#last = {
        element,
        group,
        entries,
        differs: entries.some(({ rule }) => rule.widths !== allWidths),
        styles: [],
      }
    }
    const { entries, differs, styles } = this.#last
    return (styles[differs ? screen : 0] ??= this.#compute(entries, inline, screen))
  }

  /** Returns whether the page declares something of the group for the element. */
  declares(element: Element, group: Group): boolean {
    const inline = element.attributes['style']
    const own = inline === undefined ? 0 : propertiesOf(this.#inlineOf(inline)) & groupBits[group]
    return own !== 0 || this.applies(groups[group], element)
  }

  /** Returns how a visitor can make the page show this element, by the rules for such states. */
  revealOf(element: Element, property: string): 'pointer' | 'script' | undefined {
    let revealing = this.#revealing.get(property)
    if (!revealing) {
      const accepts: Accepts = (rule) => rule.declarations.some((each) => reveals(each, property))
      revealing = new Candidates(this.rules.states, accepts, this.#names, this.#mayKeep)
      this.#revealing.set(property, revealing)
    }
    let found: 'script' | undefined
    for (const list of revealing.of(element)) {
      for (const entry of list) {
        if (!this.#matches(entry, element)) continue
        if (entry.state === 'pointer') return 'pointer'
        found = 'script'
      }
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
    for (const { rule, weight } of entries) {
      if ((rule.widths & (1 << screen)) !== 0) for (const each of rule.declarations) apply(each, weight)
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
      return matchesList(this.#look, entry.list, element)
    } catch (error) {
      if (error !== tooCostly) throw error
      this.#isOver = true
      return false
    }
  }

  /**
   * Returns lists of the accepted rules that may match the element, as far as its name and attributes tell. None after too many
   * steps.
   */
  candidatesOf(element: Element, accepts: Accepts): readonly (readonly Entry[])[] {
    return this.#candidatesFor(accepts)?.of(element) ?? noLists
  }

  /** Returns the accepted rules by the elements that they may match, or `undefined` after too many steps. */
  #candidatesFor(accepts: Accepts): Candidates | undefined {
    if (this.#isOver) return undefined
    let found = this.#candidates.get(accepts)
    if (!found) {
      found = new Candidates(this.rules.index, accepts, this.#names, this.#mayKeep)
      this.#candidates.set(accepts, found)
    }
    return found
  }

  readonly #mayKeep = (lists: number): boolean => {
    if ((this.#lists += lists) > cssLimits.lists) this.#isOver = true
    return !this.#isOver
  }

  #resolve(value: string): string {
    let result = this.#resolved.get(value)
    if (result === undefined) this.#resolved.set(value, (result = withVariables(value, this.rules.variables)))
    return result
  }
}

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
