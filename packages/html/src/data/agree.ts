import type { Concept } from './concepts.ts'
import type { ScalarShape } from './shape.ts'
import type { DataItem, DataLeaf, Scalar } from './types.ts'
import { coerce } from './values.ts'

/** What is being filled from: the items that say what this object is, and the whole page or not. */
export interface Subject {
  /** One thing, as each notation of the page describes it. */
  readonly items: readonly DataItem[]
  /** The object is what the page is about, so its head and labels speak of it. */
  readonly isPage: boolean
}

/** A value and the places that say so. */
export interface Found {
  readonly value: Scalar
  readonly leaf: DataLeaf
}

/** The one value that all leaves agree on. */
export function only(leaves: readonly DataLeaf[], shape: ScalarShape, kind: Concept['kind']): Found | undefined {
  const found = leaves.flatMap((leaf) => {
    const value = coerce(leaf.value, shape, kind)
    return value === undefined ? [] : [{ value, leaf }]
  })
  const values = new Set(found.map(({ value }) => (typeof value === 'string' ? value.toLowerCase() : value)))
  return values.size === 1 ? found[0] : undefined
}

/** Several people are one text with commas between. */
export function joined(leaves: readonly DataLeaf[], shape: ScalarShape): Found | undefined {
  const people = leaves.flatMap((leaf) => {
    const value = coerce(leaf.value, shape, 'person')
    return typeof value === 'string' ? [{ value, leaf }] : []
  })
  const names = [...new Map(people.map(({ value }) => [value.toLowerCase(), value])).values()]
  return names.length === 0 ? undefined : { value: names.join(', '), leaf: people[0]!.leaf }
}
