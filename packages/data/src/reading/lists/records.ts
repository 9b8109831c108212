// Finds lists of records in JSON that a page embeds for its scripts and for search engines.
import {
  type Element,
  dataBounds as bounds,
  elementsOf,
  isRecord,
  pointerStep,
  readAssignedJson,
  readScriptJson,
  textOf,
} from '@harvestman/html/internal'
import { selectorOf } from './selector.ts'
import { listBounds, type JsonAnswer, type JsonPlace } from './types.ts'

export type Leaf = string | number | boolean

/** Primitive values of a record by path, such as `brand.name`. */
export type Leaves = ReadonlyMap<string, Leaf>

/** A list of records and its source. */
export interface RecordList extends JsonPlace {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  /** Total number of records, from a value next to the list. */
  readonly total?: number
}

const maxScripts = 30
const maxLists = 50
const fewest = 2

/**
 * Returns at most 50 lists with at least `least` records, and at least 2, in the first 30 scripts of a page; empty if there
 * are none. Scripts after the first 6 million characters are ignored.
 */
export function recordListsIn(root: Element, least: number): readonly RecordList[] {
  const found: RecordList[] = []
  let length = 0
  for (const script of elementsOf(root)
    .filter(({ name }) => name === 'script')
    .slice(0, maxScripts)) {
    const text = textOf(script)
    const isJson = /^\s*application\/(?:[\w.-]+\+)?json\b/i.test(script.attributes['type'] ?? '')
    if (!isJson && !/=\s*[[{]/.test(text)) continue
    length += text.length
    if (length > bounds.scripts) break
    for (const value of isJson ? [readScriptJson(text)] : readAssignedJson(text))
      addLists(value, { place: { script: selectorOf(script) }, least: Math.max(least, fewest) }, found)
  }
  return found
}

/**
 * Returns the lists in several JSON responses. Lists at the same pointer are concatenated, up to `listBounds.rows` records.
 * Responses that are not JSON or have no lists add nothing.
 */
export function recordListsOf(answers: readonly JsonAnswer[]): readonly RecordList[] {
  const found = new Map<string, RecordList>()
  for (const { url, text } of answers) {
    const lists: RecordList[] = []
    addLists(readScriptJson(text), { place: { url }, least: 1 }, lists)
    for (const list of lists) {
      const known = found.get(list.pointer)
      const records = [...(known?.records ?? []), ...list.records].slice(0, listBounds.rows)
      found.set(list.pointer, { ...list, ...known, records })
    }
  }
  return [...found.values()]
}

interface Wanted {
  readonly place: Omit<JsonPlace, 'pointer'>
  readonly least: number
}

interface Waiting {
  readonly value: object
  readonly pointer: string
  /** The object that contains the list. */
  readonly around?: Readonly<Record<string, unknown>>
}

/** Adds the lists of records inside a JSON value. Iterative, because untrusted JSON may be deeply nested. */
function addLists(root: unknown, { place, least }: Wanted, found: RecordList[]): void {
  const waiting: Waiting[] = typeof root === 'object' && root !== null ? [{ value: root, pointer: '' }] : []
  let nodes = 0
  for (let next = waiting.pop(); next && found.length < maxLists; next = waiting.pop()) {
    const { value, pointer, around } = next
    if (Array.isArray(value) && value.length >= least) {
      const records = value.slice(0, listBounds.rows).filter(isRecord)
      const total = around && totalBeside(around, records.length)
      if (records.length >= least) found.push({ ...place, pointer, records, ...(total !== undefined && { total }) })
    }
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'object' || inner === null) continue
      if (++nodes > bounds.jsonNodes) return
      const beside = isRecord(value) ? { around: value } : {}
      waiting.push({ value: inner as object, pointer: pointer + pointerStep(key), ...beside })
    }
  }
}

const totals =
  /^(?:total|nb|num|number)(?:[_-]?of)?[_-]?(?:count|items|results|hits|products|records|found|elements)?$/i

/**
 * Returns the total number of records from a value next to the list, or `undefined` if no integer of at least `least` has such
 * a name.
 */
export function totalBeside(around: Readonly<Record<string, unknown>>, least: number): number | undefined {
  for (const [key, value] of Object.entries(around))
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && totals.test(key)) return value
  return undefined
}

const leafBounds = { depth: 3, leaves: 60, text: 2_000 } as const
/** Metadata keys that are not data. */
const formal = /(?:^|\.)(?:@type|@context|@id|__typename)$/

/**
 * Returns at most 60 primitive values of a record, including nested ones, and the first 2,000 characters of strings. Of
 * arrays, only the first item counts.
 */
export function leavesOf(record: Readonly<Record<string, unknown>>): Leaves {
  const leaves = new Map<string, Leaf>()
  const add = (value: unknown, path: string, depth: number): void => {
    if (leaves.size >= leafBounds.leaves || formal.test(path)) return
    if (typeof value === 'string' && value !== '') leaves.set(path, value.slice(0, leafBounds.text))
    else if (typeof value === 'boolean' || Number.isFinite(value)) leaves.set(path, value as boolean | number)
    else if (Array.isArray(value) && depth < leafBounds.depth) add(value[0], `${path}.0`, depth + 1)
    else if (isRecord(value) && depth < leafBounds.depth)
      for (const [key, inner] of Object.entries(value)) add(inner, path === '' ? key : `${path}.${key}`, depth + 1)
  }
  add(record, '', 0)
  return leaves
}
