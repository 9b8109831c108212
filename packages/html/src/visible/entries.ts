// The selectors of style sheets, indexed by their last compound.
import { parseSelector } from '../select/parse-selector.ts'
import { SyntaxProblem } from '../select/scanner.ts'
import type { Complex, Compound, Simple } from '../select/syntax.ts'
import type { Rule } from './css.ts'
import { skipString } from './scan-css.ts'

/** A selector of a rule. */
export class Entry {
  readonly selector: string
  readonly rule: Rule
  readonly state: 'pointer' | 'script' | undefined
  readonly #order: number
  #list: readonly Complex[] | undefined
  #weight = 0

  constructor(selector: string, rule: Rule, order: number, state?: 'pointer' | 'script') {
    this.selector = selector
    this.rule = rule
    this.state = state
    this.#order = order + (rule.isLayered ? 0 : unlayeredWeight)
  }

  /**
   * The parsed selector. Parsed on first use, as most rules of a sheet apply to no element. Empty if the selector is malformed,
   * too complex or not supported.
   */
  get list(): readonly Complex[] {
    return (this.#list ??= this.#parse())
  }

  /** Specificity and order, as one number. */
  get weight(): number {
    if (this.list.length === 0) return 0
    return (this.#weight ||= specificity(this.list[0]!) * orderRange + this.#order)
  }

  #parse(): readonly Complex[] {
    const { selector } = this
    if (selector.includes('(') && selector.match(/\(/g)!.length > maxParentheses) return []
    if (selector.includes(':') && /:has\(|:-\w/i.test(selector)) return []
    try {
      return parseSelector(selector)
    } catch (error) {
      if (error instanceof SyntaxProblem) return []
      throw error
    }
  }
}

const unlayeredWeight = 2 ** 48
const orderRange = 2 ** 20
const maxSelector = 500
const maxParentheses = 8

/** Entries by an id, class, tag name or attribute in the last compound. An element without it does not match. */
export interface Index {
  readonly byId: Map<string, Entry[]>
  readonly byClass: Map<string, Entry[]>
  readonly byName: Map<string, Entry[]>
  readonly byAttribute: Map<string, Entry[]>
  readonly any: Entry[]
}

export const newIndex = (): Index => ({
  byId: new Map(),
  byClass: new Map(),
  byName: new Map(),
  byAttribute: new Map(),
  any: [],
})

export function addEntry(index: Index, entry: Entry): void {
  const { selector } = entry
  const from = /[([\\]/.test(selector) ? undefined : lastCompoundOf(selector)
  if (from === undefined) return addByPattern(index, entry)
  const hash = selector.indexOf('#', from)
  if (hash >= 0) return put(index.byId, nameAt(selector, hash + 1), entry)
  const dot = selector.indexOf('.', from)
  if (dot >= 0) return putRarest(index.byClass, classesAt(selector, dot), entry)
  const name = nameAt(selector, from)
  if (name === '') addAny(index, entry)
  else put(index.byName, name.toLowerCase(), entry)
}

/** Returns where the last compound begins in a selector without brackets and escapes. */
function lastCompoundOf(selector: string): number {
  let at = selector.length
  while (at > 0 && !isCombinator(selector.charCodeAt(at - 1))) at--
  return at
}

const isCombinator = (code: number): boolean =>
  code === 32 || code === 62 || code === 43 || code === 126 || (code >= 9 && code <= 13)

/** Returns the name that begins at an index. Names have no escapes. */
function nameAt(selector: string, from: number): string {
  let at = from
  while (at < selector.length && isNameCode(selector.charCodeAt(at))) at++
  return selector.slice(from, at)
}

/** Returns the classes of a compound that begin at its first dot or after it. */
function classesAt(selector: string, first: number): readonly string[] {
  const names: string[] = []
  for (let dot = first; dot >= 0; dot = selector.indexOf('.', dot + 1)) names.push(nameAt(selector, dot + 1))
  return names
}

const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 45 ||
  code === 95 ||
  code > 127

/** Returns the last compound of a selector, without the content of its brackets. */
function lastCompound(selector: string): string {
  let text = selector
  if (text.includes('(')) text = text.replaceAll(/\([^()]*\)/g, '')
  if (text.includes('[')) text = text.replaceAll(/(?<!\\)\[\s*([\w-]+)[^\]]*\]/g, '[$1]')
  for (let at = text.length - 1; at >= 0; at--) {
    if (isCombinator(text.charCodeAt(at)) && text[at - 1] !== '\\') return text.slice(at + 1)
  }
  return text
}

function addByPattern(index: Index, entry: Entry): void {
  const last = lastCompound(entry.selector)
  // Escapes by number, and parentheses in parentheses, are left to the parser.
  if (last.includes('(') || /\\[\da-f]/i.test(last)) return addAny(index, entry)
  const id = /#((?:\\.|[\w-]|[^\0-\x7F])+)/.exec(last)?.[1]
  if (id !== undefined) return put(index.byId, plain(id), entry)
  const classes = /(?:\.(?:\\.|[\w-]|[^\0-\x7F])+)+/.exec(last)?.[0].match(/(?:\\.|[^.\\])+/g)
  if (classes) return putRarest(index.byClass, classes.map(plain), entry)
  const attribute = /\[([\w-]+)\]/.exec(last)?.[1]
  if (attribute !== undefined) return put(index.byAttribute, attribute.toLowerCase(), entry)
  const name = /^[a-z][\w-]*/i.exec(last)?.[0].toLowerCase()
  if (name === undefined) addAny(index, entry)
  else put(index.byName, name, entry)
}

/** Adds a rule for all elements. A bare `*` is skipped unless it can hide whole elements. */
function addAny(index: Index, entry: Entry): void {
  if (/[\w]/.test(entry.selector) || /display|visib|opacity/i.test(entry.rule.block)) index.any.push(entry)
}

const plain = (name: string): string => (name.includes('\\') ? name.replaceAll(/\\(.)/g, '$1') : name)

function put(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const found = map.get(key)
  if (found) found.push(entry)
  else map.set(key, [entry])
}

/** Adds the entry to the shortest list of these keys, as most elements have the classes that many selectors have. */
function putRarest(map: Map<string, Entry[]>, keys: readonly string[], entry: Entry): void {
  let rarest = keys[0]!
  let length = Number.POSITIVE_INFINITY
  for (const key of keys) {
    const count = map.get(key)?.length ?? 0
    // The last one of several is usually the most specific.
    if (count > length) continue
    rarest = key
    length = count
  }
  put(map, rarest, entry)
}

/** Returns the selectors of a list. */
export function splitList(selector: string): string[] {
  if (!selector.includes(',')) return [selector]
  if (!/[([\\"']/.test(selector)) return selector.split(',').map((each) => each.trim())
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < selector.length; at++) {
    const sign = selector[at]
    if (sign === '\\') at++
    else if (sign === '"' || sign === "'") at = skipString(selector, at) - 1
    else if (sign === '(' || sign === '[') depth++
    else if (sign === ')' || sign === ']') depth--
    else if (sign === ',' && depth <= 0) {
      parts.push(selector.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, selector.slice(from).trim()]
}

/** Returns whether a selector may select an element of a page that is read: no pseudo-element, and not too long. */
export const isReadable = (selector: string): boolean =>
  selector.length <= maxSelector &&
  // Scripts remove this class.
  !/\.no-?js\b/i.test(selector) &&
  !(selector.includes(':') && /::|:(?:before|after|first-line|first-letter)\b/i.test(selector))

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
