// Compiles selectors, with the tokens to look up matching elements in the index.
import { type Selector, compileSelector, isProblem } from '@harvestman/html/internal'
import { learnedBounds } from './types.ts'

/** A selector and the tokens that narrow down its matches. */
export interface Compiled {
  readonly rule: Selector
  /** A token that all matching elements have, if it can be determined. */
  readonly key: string | undefined
  /** A token of an ancestor of all matching elements. */
  readonly around: string | undefined
  /** Whether that ancestor is the parent. */
  readonly isChild: boolean
  /** Whether the tokens express the full selector, so that candidates need no further matching. */
  readonly isExact: boolean
}

const known = new Map<string, Compiled | undefined>()
const maxCached = 5_000

/** Compiles a selector. Returns `undefined` if it is invalid or longer than 300 characters. */
export function compiled(text: string): Compiled | undefined {
  if (known.has(text)) return known.get(text)
  if (known.size >= maxCached) known.clear()
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
  // A `div` may represent a frame, which selectors match as `iframe`.
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

/**
 * Returns whether an attribute, such as `itemprop` or `data-price`, describes the meaning of an element rather than its
 * appearance.
 */
export function isNaming(attribute: string): boolean {
  return naming.has(attribute) || (attribute.startsWith('data-') && attribute.length < 40)
}
