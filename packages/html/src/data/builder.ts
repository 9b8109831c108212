import { placeOf, type Positions } from '../select/positions.ts'
import { detached } from '../tree/detached.ts'
import type { Element } from '../tree/tree.ts'
import type { DataEntry, DataItem, DataMethod, DataSource, Scalar } from './types.ts'

/** Limits for one page. */
export const bounds = {
  sources: 5_000,
  items: 2_000,
  entries: 20_000,
  /** Characters of one value; longer ones are truncated. */
  value: 50_000,
  labelled: 2_000,
  tables: 100,
  rows: 1_000,
  columns: 50,
  /** Characters of one JSON script, and of all of them. */
  script: 2_000_000,
  scripts: 6_000_000,
  jsonNodes: 100_000,
  jsonDepth: 50,
} as const

export interface MutableItem extends DataItem {
  isTop: boolean
  readonly properties: Record<string, DataEntry[]>
}

/** Returns where an element is. */
export type Locate = (element: Element) => Pick<DataSource, 'selector' | 'position'>

/**
 * Returns a function that gives an element's selector and its index among `elements` (0 if it is not one of them).
 * Building selectors is expensive.
 */
export function locator(elements: readonly Element[]): Locate {
  const places = new Map(elements.map((element, index) => [element, index]))
  const selectorOf = selectors(elements)
  return (element) => ({ selector: selectorOf(element), position: places.get(element) ?? 0 })
}

/** The shared output of all data collectors of one page. */
export interface DataBuilder {
  readonly sources: DataSource[]
  readonly items: MutableItem[]
  /** Returns the index of the element's source and adds it if it is new. `undefined` if there are too many. */
  readonly sourceOf: (element: Element, method: DataMethod) => number | undefined
  readonly addItem: (types: readonly string[], source: number, id?: string) => number | undefined
  readonly addEntry: (item: number, name: string, entry: DataEntry) => void
}

/**
 * Creates an empty collection of a page's data. Sources, items and entries beyond the limits in `bounds` are dropped:
 * `sourceOf` and `addItem` then return `undefined`.
 */
export function makeBuilder(elements: readonly Element[], locate: Locate = locator(elements)): DataBuilder {
  const sources: DataSource[] = []
  const items: MutableItem[] = []
  const known = new Map<DataMethod, Map<Element, number>>()
  let entries = 0
  return {
    sources,
    items,
    sourceOf: (element, method) => {
      const ofMethod = known.get(method) ?? new Map<Element, number>()
      known.set(method, ofMethod)
      const before = ofMethod.get(element)
      if (before !== undefined) return before
      if (sources.length >= bounds.sources) return undefined
      ofMethod.set(element, sources.length)
      return sources.push({ method, ...locate(element) }) - 1
    },
    addItem: (types, source, id) => {
      if (items.length >= bounds.items) return undefined
      const properties = Object.create(null) as Record<string, DataEntry[]>
      return items.push({ types, source, isTop: true, properties, ...(id !== undefined && { id }) }) - 1
    },
    addEntry: (item, name, entry) => {
      if (++entries > bounds.entries) return
      ;(items[item]!.properties[name] ??= []).push(entry)
      if ('item' in entry) items[entry.item]!.isTop = false
    },
  }
}

/** Trims a string and truncates it to 50,000 characters. Other values are unchanged. */
export function shorten(value: Scalar): Scalar {
  return typeof value === 'string' ? detached(value.slice(0, bounds.value).trim()) : value
}

const plainId = /^[A-Za-z][\w-]{0,60}$/
const maxSteps = 30

/**
 * Returns a function that builds a selector for one element, starting at the nearest ancestor with a unique id, or at
 * most `maxSteps` levels up.
 */
function selectors(elements: readonly Element[]): (element: Element) => string {
  const counts = new Map<string, number>()
  for (const { attributes } of elements) {
    const { id } = attributes
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const positions: Positions = new Map()
  return (element) => {
    const steps: string[] = []
    for (let at: Element | null = element; at && at.name !== '#document'; at = at.parent) {
      const { id } = at.attributes
      if (id !== undefined && plainId.test(id) && counts.get(id) === 1) {
        steps.unshift(`#${id}`)
        break
      }
      const { ofType, family } = placeOf(positions, at)
      steps.unshift(family.counts.get(at.name) === 1 ? at.name : `${at.name}:nth-of-type(${ofType})`)
      if (steps.length >= maxSteps) break
    }
    return steps.join(' > ')
  }
}
