// The rules of style sheets, with an index by what their selectors end with. They do not depend on a page.
import { parseSelector } from '../select/parse-selector.ts'
import { SyntaxProblem } from '../select/scanner.ts'
import type { Complex, Compound, Simple } from '../select/syntax.ts'
import { declaredColors, type DeclaredColors } from './colors.ts'
import { allWidths, cssLimits, mayHide, readDeclarations, readRules, type Declaration, type Rule } from './css.ts'
import { fillStates, isPointerRule } from './states.ts'

/** A style sheet. */
export interface Css {
  readonly css: string
  readonly widths: number
}

interface Block {
  readonly text: string
  declarations?: readonly Declaration[]
}

type Key = 'byId' | 'byClass' | 'byAttribute' | 'byName' | 'any'

export interface Entry {
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
export interface Entries {
  readonly all: Entry[]
  /** Those with certain declarations. */
  readonly only: WeakMap<Accepts, readonly Entry[]>
}

/** Returns whether declarations are wanted. A function that outlives the page is asked once for each rule. */
export type Accepts = (block: string) => boolean

export interface Index {
  readonly byId: Map<string, Entries>
  readonly byClass: Map<string, Entries>
  readonly byName: Map<string, Entries>
  readonly byAttribute: Map<string, Entries>
  readonly any: Entries
  /** Keys of `byAttribute` whose rules have certain declarations. */
  readonly attributes: WeakMap<Accepts, readonly string[]>
}

const unlayeredWeight = 2 ** 48
const orderRange = 2 ** 20

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

/** The rules that were read last, by the source of their sheets. */
const recent = new Map<string, Rules>()
const maxRecent = 16
/** Characters of the sheets that are kept at the same time. */
const maxRecentChars = 1_000_000
let recentChars = 0

/**
 * Returns the indexed rules of style sheets. The results of up to 16 recent calls, for at most 1,000,000 characters of CSS, are
 * cached, as the pages of a site share them.
 */
export function rulesOf(sheets: readonly Css[]): Rules {
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

/** Returns the declarations of a block. It is parsed on the first call only. */
export function declarationsOf(block: Block): readonly Declaration[] {
  return (block.declarations ??= readDeclarations(block.text))
}

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
  // Scripts remove this class.
  !/\.no-?js\b/i.test(selector) &&
  !(selector.includes(':') && /::|:(?:before|after|first-line|first-letter)\b/i.test(selector))

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

/**
 * Parses the selector of an entry, and sets the weight of the entry by its specificity. Returns an empty list if the selector
 * is malformed, too complex or not supported. Never throws.
 */
export function parseEntry(entry: Entry): readonly Complex[] {
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

/**
 * Returns the entries whose block `accepts` accepts. The result is cached for each `accepts`, which must be a constant
 * function.
 */
export function only(entries: Entries, accepts: Accepts): readonly Entry[] {
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
