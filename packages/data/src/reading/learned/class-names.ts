// Parses `class` attributes. Results are cached, because pages of one site share them.
import { type Element, lineOf } from '@harvestman/html/internal'
import type { AlternativeKind } from './types.ts'

/** A selector and the kind of name that it uses. */
export interface Naming {
  readonly by: AlternativeKind
  readonly selector: string
}

/** Hashes of the selectors for elements with this tag name. */
export interface Hashed {
  readonly name: string
  readonly hashes: readonly number[]
}

/** The distinct tokens of a `class` attribute, and the selectors that may match the element on other pages. */
export interface ClassNames {
  readonly tokens: readonly string[]
  readonly namings: readonly Naming[]
  readonly classes: string
  /** Cache of the sketch, by tag name. */
  readonly hashed: Hashed[]
  /** Data of the token index that is being built. */
  group: ClassGroup | undefined
}

/** The elements of a page that have the same `class` attribute. */
export interface ClassGroup {
  /** The index that the group belongs to. */
  readonly index: object
  readonly classNames: ClassNames
  /** The element lists of its tokens. */
  readonly lists: readonly Element[][]
  /** Positions of its elements in document order. Empty unless a selector matches parts of class names. */
  readonly places: number[]
  /** The distinct tag names of its elements. */
  readonly names: string[]
}

const known = new Map<string, ClassNames>()
const most = { known: 5_000, length: 400, named: 12 } as const

const word = /^-?[A-Za-z_][\w-]{1,50}$/
/** A generated class name with a stable prefix. The suffix changes with each build. */
const hashed = /^([A-Za-z][\w-]*?(?:__|--|_|-))[A-Za-z\d]*(?:\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z])[\w-]*$/
const madeUp = /^(?:css|sc|jss|emotion|styled|e|_)-?[a-z\d]{5,}$|\d{3}|^[a-z]{1,2}\d/i
/** The style hash that styled-components adds after the component class. */
const styledName = /^[A-Za-z]{5,7}$/

/** Parses a `class` attribute, with a cache. */
export function classNamesOf(classes: string): ClassNames {
  const before = known.get(classes)
  if (before) return before
  if (classes.length > most.length) return read(classes)
  if (known.size >= most.known) known.clear()
  const own = ownCopy(classes)
  const names = read(own)
  known.set(own, names)
  return names
}

/** Copies a string. A substring would keep the whole page in memory for as long as it is cached. */
export function ownCopy(text: string): string {
  return String(JSON.parse(JSON.stringify(text)))
}

function read(classes: string): ClassNames {
  const tokens = [...new Set(lineOf(classes).split(/\s+/))].filter(Boolean)
  const isStyled = tokens.some((token) => token.startsWith('sc-'))
  const named = tokens.slice(0, most.named).filter((token) => !isStyled || !styledName.test(token))
  return { tokens, namings: named.flatMap(ofClass), classes, hashed: [], group: undefined }
}

function ofClass(token: string): readonly Naming[] {
  if (isStable(token)) return [{ by: 'class', selector: `.${token}` }]
  const start = word.test(token) ? hashed.exec(token)?.[1] : undefined
  return start !== undefined && start.length >= 5 ? [{ by: 'class', selector: `[class*="${start}"]` }] : []
}

/** Returns whether a class or id is likely to be the same on other pages. */
export function isStable(token: string): boolean {
  return word.test(token) && !madeUp.test(token) && !hashed.test(token)
}
