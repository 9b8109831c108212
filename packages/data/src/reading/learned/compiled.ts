// Selectors of programs, with the tokens that elements must have which they match.
import { type Selector, compileSelector, isProblem } from '@harvestman/html/internal'
import { learnedBounds } from './types.ts'

/** A selector, and where to look for what it matches. */
export interface Compiled {
  readonly rule: Selector
  /** A token that every element has which the selector matches, where that can be told. */
  readonly key: string | undefined
  /** A token of an element around every such element. */
  readonly around: string | undefined
  /** That element is its parent. */
  readonly isChild: boolean
  /** The key and what is around say all that the selector does. */
  readonly isExact: boolean
}

const known = new Map<string, Compiled | undefined>()
const mostKnown = 5_000

/** Compiles a selector; nothing for one that cannot be used. */
export function compiled(text: string): Compiled | undefined {
  if (known.has(text)) return known.get(text)
  if (known.size >= mostKnown) known.clear()
  const rule = text.length > learnedBounds.selector ? { problem: '' } : compileSelector(text)
  const made = isProblem(rule) ? undefined : { rule, ...tokensOf(text) }
  known.set(text, made)
  return made
}

const compound = String.raw`([\w-]*)((?:[.#][\w-]+)*)((?:\[[^\]\s]*\])*)`
const lastOf = new RegExp(String.raw`(?:^|[\s>+~])${compound}(?::nth-of-type\(\d+\))?$`)
const onlyOne = new RegExp(String.raw`^${compound}\s*(>?)\s*$`)

function tokensOf(text: string): Omit<Compiled, 'rule'> {
  const last = lastOf.exec(text)
  if (!last || text.includes(',') || text.includes('\\'))
    return { key: undefined, around: undefined, isChild: false, isExact: false }
  const own = last[0].trimStart()
  const outer = text.slice(0, text.length - own.length)
  const before = /^[+~]/.test(own) ? null : onlyOne.exec(outer)
  const key = tokenOf(last)
  const around = before ? tokenOf(before) : undefined
  const isChild = around !== undefined && before![4] === '>'
  // A `div` may stand for a frame, which selectors see as an `iframe`.
  const isSure = key !== 'div' || outer === ''
  const written = around === undefined ? '' : `${around} ${isChild ? '> ' : ''}`
  return { key, around, isChild, isExact: outer === written && own === key && isSure }
}

function tokenOf([, name = '', tokens = '', attributes = '']: RegExpExecArray): string | undefined {
  const token = tokens.match(/[.#][\w-]+/)?.[0]
  const attribute = attributes.match(/\[([\w-]+)="[^"]*"\]/)
  const byToken = token ?? (attribute && isNaming(attribute[1]!) ? attribute[0] : undefined)
  const part = byToken ?? /\[class\*="[^"\s]+"\]/.exec(attributes)?.[0]
  return part ?? (name === '' ? undefined : name.toLowerCase())
}

const naming = new Set(['itemprop', 'property', 'name', 'rel'])

/** Whether an attribute can say what its element is, rather than how it looks. */
export function isNaming(attribute: string): boolean {
  return naming.has(attribute) || (attribute.startsWith('data-') && attribute.length < 40)
}
