// What `class` attributes say, remembered from page to page: pages of one site have the same ones.
import { type Element, lineOf } from '@harvestman/html/internal'
import type { AlternativeKind } from './types.ts'

/** A selector, and what it finds its element by. */
export interface Naming {
  readonly by: AlternativeKind
  readonly selector: string
}

/** The hashes of what an element of this name is named by. */
export interface Hashed {
  readonly name: string
  readonly hashes: readonly number[]
}

/** The tokens of one `class` attribute, each once, and those that may name an element on other pages. */
export interface ClassNames {
  readonly tokens: readonly string[]
  readonly namings: readonly Naming[]
  readonly classes: string
  /** What sketches have of it, by the name of the element: kept by what makes them. */
  readonly hashed: Hashed[]
  /** What the index that is being made has of it. */
  group: ClassGroup | undefined
}

/** The elements of a page with one `class` attribute. */
export interface ClassGroup {
  /** The index that it is of. */
  readonly index: object
  readonly classNames: ClassNames
  /** The lists of its tokens. */
  readonly lists: readonly Element[][]
  /** Where its elements stand among all; empty where no part of a class is asked for. */
  readonly places: number[]
  /** The names of its elements. */
  readonly names: string[]
}

const known = new Map<string, ClassNames>()
const most = { known: 5_000, length: 400, named: 12 } as const

const word = /^-?[A-Za-z_][\w-]{1,50}$/
/** A class that a tool made up: its end changes with each build. */
const hashed = /^([A-Za-z][\w-]*?(?:__|--|_|-))[A-Za-z\d]*(?:\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z])[\w-]*$/
const madeUp = /^(?:css|sc|jss|emotion|styled|e|_)-?[a-z\d]{5,}$|\d{3}|^[a-z]{1,2}\d/i
/** The name that styled-components makes of a style, beside the one of the component. */
const styledName = /^[A-Za-z]{5,7}$/

/** Takes a `class` attribute apart. */
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

/** A part of a text keeps all of it in memory: of what is remembered there is a copy. */
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

/** Whether a class or an id is likely to be the same on other pages. */
export function isStable(token: string): boolean {
  return word.test(token) && !madeUp.test(token) && !hashed.test(token)
}
