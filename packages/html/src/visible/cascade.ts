// The declared styles of elements: the page's own sheets and `style` attributes, by the order of the cascade.
import { matchesList, type Look } from '../select/match.ts'
import { parseSelector } from '../select/parse-selector.ts'
import { SyntaxProblem } from '../select/scanner.ts'
import type { Complex, Compound, Simple } from '../select/syntax.ts'
import type { Element } from '../tree/tree.ts'
import { textOf } from '../tree/walk.ts'
import { declaredColors, type DeclaredColors } from './colors.ts'
import {
  allWidths,
  cssLimits,
  fittingScreens,
  mayHide,
  readDeclarations,
  readRules,
  withoutComments,
  type Declaration,
  type Rule,
} from './css.ts'
import { fillStates, isPointerRule } from './states.ts'

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

interface Block {
  readonly text: string
  declarations?: readonly Declaration[]
}

type Key = 'byId' | 'byClass' | 'byAttribute' | 'byName' | 'any'

interface Entry {
  /** What an element must have to match, as far as an index can tell. */
  readonly by: Key
  readonly key: string
  readonly selector: string
  /** Parsed on first use, as most rules of a sheet fit no element of the page. Empty if it is not valid. */
  list?: readonly Complex[]
  readonly block: Block
  readonly widths: number
  readonly order: number
  /** Specificity and order, as one number. */
  weight: number
  readonly state?: 'pointer' | 'script'
}

/** Entries with the same key. */
interface Entries {
  readonly all: Entry[]
  /** Those with certain declarations. */
  readonly only: WeakMap<Accepts, readonly Entry[]>
}

/** Returns whether declarations are wanted. A function that outlives the page is asked once for each rule. */
export type Accepts = (block: string) => boolean

interface Index {
  readonly byId: Map<string, Entries>
  readonly byClass: Map<string, Entries>
  readonly byName: Map<string, Entries>
  readonly byAttribute: Map<string, Entries>
  readonly any: Entries
  /** Keys of `byAttribute` whose rules have certain declarations. */
  readonly attributes: WeakMap<Accepts, readonly string[]>
}

const tooCostly = Symbol('too costly')
const none: Style = new Map()
const importantWeight = 2 ** 50
const inlineWeight = 2 ** 49
const unlayeredWeight = 2 ** 48
const orderRange = 2 ** 20
const maxInline = 4_000

/** The rules of style sheets. Pages of a site have the same sheets, so that their rules are read once. */
export class Rules {
  readonly all: readonly Rule[]
  /** Whether screens have different rules. */
  readonly differs: boolean
  readonly index = newIndex()
  readonly variables = new Map<string, string>()
  readonly #blocks = new Map<string, Block>()
  #states: Index | undefined
  #mayHide: boolean | undefined
  #colors: DeclaredColors | undefined

  constructor(sheets: readonly Css[]) {
    const rules: Rule[] = []
    for (const { css, widths } of sheets) {
      for (const rule of readRules(css, cssLimits.rules - rules.length, widths)) rules.push(rule)
    }
    this.all = rules
    this.differs = rules.some(({ widths }) => widths !== allWidths)
    rules.forEach((rule, order) => {
      if (rule.block.includes('--') && /(?:^|,)\s*(?::root|html|body|\*)\s*(?:,|$)/i.test(rule.selector)) {
        for (const { name, value } of declarationsOf(this.#blockOf(rule.block))) {
          if (name.startsWith('--')) this.variables.set(name, value)
        }
      }
      for (const selector of splitList(rule.selector)) {
        if (!isReadable(selector) || isPointerRule(selector)) continue
        addEntry(this.index, makeEntry(selector, this.#blockOf(rule.block), rule, order))
      }
    })
  }

  /** Whether any rule has declarations that can hide, other than by colours. */
  get mayHide(): boolean {
    return (this.#mayHide ??= this.all.some(({ block }) => mayHide(block)))
  }

  /** The colours of all rules. */
  get colors(): DeclaredColors {
    return (this.#colors ??= declaredColors(this.all.map(({ block }) => block)))
  }

  /** The rules for states in which a visitor can put the page. */
  get states(): Index {
    return (this.#states ??= this.#indexStates())
  }

  #blockOf(text: string): Block {
    let block = this.#blocks.get(text)
    if (!block) this.#blocks.set(text, (block = { text }))
    return block
  }

  #indexStates(): Index {
    const index = newIndex()
    this.all.forEach((rule, order) => {
      for (const selector of splitList(rule.selector)) {
        const filled = isReadable(selector) ? fillStates(selector) : undefined
        if (filled) addEntry(index, makeEntry(filled.selector, this.#blockOf(rule.block), rule, order, filled.state))
      }
    })
    return index
  }
}

/** The rules that were read last, by the text of their sheets. */
const recent = new Map<string, Rules>()
const maxRecent = 16
/** Characters of the sheets that are kept at the same time. */
const maxRecentChars = 1_000_000
let recentChars = 0

function rulesOf(sheets: readonly Css[]): Rules {
  const text = sheets.map(({ css, widths }) => `${widths} ${css}`).join('\n')
  let rules = recent.get(text)
  if (rules) recent.delete(text)
  else {
    rules = new Rules(sheets)
    recentChars += text.length
  }
  recent.set(text, rules)
  for (const [oldest] of recent) {
    if (recent.size <= maxRecent && recentChars <= maxRecentChars) break
    recent.delete(oldest)
    recentChars -= oldest.length
  }
  return rules
}

/** The style sheets of a page. Whatever is not needed for what may be hidden is not computed. */
export class Sheets {
  /** Whether the page has sheets at other URLs, whose rules are not known. */
  readonly hasUnread: boolean
  readonly rules: Rules
  readonly #resolved = new Map<string, string>()
  readonly #inline = new Map<string, readonly Declaration[]>()
  readonly #classes = new Map<string, readonly string[]>()
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

  #candidates(index: Index, { name, attributes }: Element, accepts: Accepts): readonly Entry[] {
    const { byId, byClass, byName, byAttribute, any } = index
    let found = only(any, accepts)
    const add = (entries: Entries | undefined): void => {
      if (!entries) return
      const some = only(entries, accepts)
      if (some.length > 0) found = found.length === 0 ? some : [...found, ...some]
    }
    add(byName.get(name))
    const { class: classes, id } = attributes
    if (classes !== undefined && byClass.size > 0) for (const each of this.#classesOf(classes)) add(byClass.get(each))
    if (id !== undefined) add(byId.get(id))
    if (byAttribute.size > 0) {
      for (const key of this.#attributesFor(index, accepts))
        if (attributes[key] !== undefined) add(byAttribute.get(key))
    }
    return found
  }

  /** Returns the attributes by which accepted rules select. */
  #attributesFor({ byAttribute, attributes }: Index, accepts: Accepts): readonly string[] {
    let found = attributes.get(accepts)
    if (!found) {
      found = [...byAttribute].filter(([, entries]) => only(entries, accepts).length > 0).map(([key]) => key)
      attributes.set(accepts, found)
    }
    return found
  }

  #classesOf(classes: string): readonly string[] {
    let found = this.#classes.get(classes)
    if (!found) {
      const names = classes.slice(0, maxInline).split(/\s+/)
      this.#classes.set(classes, (found = names.length === 1 ? names : [...new Set(names)]))
    }
    return found
  }

  #resolve(value: string): string {
    let result = this.#resolved.get(value)
    if (result === undefined) this.#resolved.set(value, (result = withVariables(value, this.rules.variables)))
    return result
  }
}

function declarationsOf(block: Block): readonly Declaration[] {
  return (block.declarations ??= readDeclarations(block.text))
}

interface Css {
  readonly css: string
  readonly widths: number
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

function splitList(selector: string): string[] {
  if (!selector.includes(',')) return [selector]
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < selector.length; at++) {
    const sign = selector[at]
    if (sign === '(' || sign === '[') depth++
    else if (sign === ')' || sign === ']') depth--
    else if (sign === ',' && depth <= 0) {
      parts.push(selector.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, selector.slice(from).trim()]
}

const isReadable = (selector: string): boolean =>
  selector.length <= maxSelector &&
  !selector.includes('::') &&
  // Scripts remove this class.
  !/\.no-?js\b/i.test(selector) &&
  !/:(?:before|after|first-line|first-letter)\b/i.test(selector)

/** Returns the last compound of a selector without what is in its brackets. */
function lastCompound(selector: string): string {
  let text = selector
  if (text.includes('(')) text = text.replaceAll(/\([^()]*\)/g, '')
  if (text.includes('[')) text = text.replaceAll(/\[\s*([\w-]+)[^\]]*\]/g, '[$1]')
  for (let at = text.length - 1; at >= 0; at--) {
    const sign = text[at]
    if ((sign === ' ' || sign === '>' || sign === '+' || sign === '~' || sign === '\n') && text[at - 1] !== '\\') {
      return text.slice(at + 1)
    }
  }
  return text
}

function makeEntry(
  selector: string,
  block: Block,
  { widths, isLayered }: Rule,
  order: number,
  state?: 'pointer' | 'script',
): Entry {
  const [by, key] = keyOf(selector)
  return {
    by,
    key,
    selector,
    block,
    widths,
    order: order + (isLayered ? 0 : unlayeredWeight),
    weight: 0,
    ...(state && { state }),
  }
}

function keyOf(selector: string): readonly [Key, string] {
  const last = lastCompound(selector)
  // Escapes by number, and parentheses in parentheses, are left to the parser.
  if (last.includes('(') || /\\[\da-f]/i.test(last)) return ['any', '']
  const id = /#((?:\\.|[\w-]|[^\0-\x7F])+)/.exec(last)?.[1]
  if (id !== undefined) return ['byId', plain(id)]
  const className = /\.((?:\\.|[\w-]|[^\0-\x7F])+)/.exec(last)?.[1]
  if (className !== undefined) return ['byClass', plain(className)]
  const attribute = /\[([\w-]+)\]/.exec(last)?.[1]
  if (attribute !== undefined) return ['byAttribute', attribute.toLowerCase()]
  const name = /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase()
  return name === undefined ? ['any', ''] : ['byName', name]
}

function addEntry(index: Index, entry: Entry): void {
  if (entry.by !== 'any') put(index[entry.by], entry.key, entry)
  // Rules for all elements of a page are read only for what hides whole elements, not for colours and sizes.
  else if (/[\w]/.test(entry.selector) || /display|visib|opacity/i.test(entry.block.text)) index.any.all.push(entry)
}

const plain = (name: string): string => (name.includes('\\') ? name.replaceAll(/\\(.)/g, '$1') : name)

function parseEntry(entry: Entry): readonly Complex[] {
  const { selector } = entry
  if ((selector.match(/\(/g)?.length ?? 0) > maxParentheses || /:has\(|:-\w/i.test(selector)) return []
  try {
    const list = parseSelector(selector)
    if (list[0]) entry.weight = specificity(list[0]) * orderRange + entry.order
    return list
  } catch (error) {
    if (error instanceof SyntaxProblem) return []
    throw error
  }
}

const maxSelector = 500
const maxParentheses = 8

function put(map: Map<string, Entries>, key: string, entry: Entry): void {
  const found = map.get(key)
  if (found) found.all.push(entry)
  else map.set(key, { all: [entry], only: new WeakMap() })
}

const isAny: Accepts = () => true

function only(entries: Entries, accepts: Accepts): readonly Entry[] {
  let some = entries.only.get(accepts)
  if (!some) entries.only.set(accepts, (some = entries.all.filter(({ block }) => accepts(block.text))))
  return some
}

function newIndex(): Index {
  return {
    byId: new Map(),
    byClass: new Map(),
    byName: new Map(),
    byAttribute: new Map(),
    any: { all: [], only: new WeakMap() },
    attributes: new WeakMap(),
  }
}

/** Specificity as one number: ids, then classes and the like, then names, each at most 255. */
function specificity(complex: Complex): number {
  const counts = [0, 0, 0]
  for (const compound of complex) count(compound, counts)
  const [ids, classes, names] = counts.map((each) => Math.min(each, 255))
  return ids! * 65_536 + classes! * 256 + names!
}

function count({ simples }: Compound, counts: number[]): void {
  for (const simple of simples) countSimple(simple, counts)
}

function countSimple(simple: Simple, counts: number[]): void {
  if (simple.kind === 'id') counts[0]! += 1
  else if (simple.kind === 'name') counts[2]! += simple.name === '*' ? 0 : 1
  else if (simple.kind === 'list') simple.list[0]?.forEach((compound) => count(compound, counts))
  else counts[1]! += 1
}

function reveals({ name, value }: Declaration, property: string): boolean {
  if (name !== property && !(property === 'height' && name === 'max-height')) return false
  return !/^(?:none|hidden|collapse|0(?:\.0+)?(?:px)?|inherit|initial|unset)$/.test(value)
}

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
