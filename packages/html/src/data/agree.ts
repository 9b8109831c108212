import type { Concept } from './concepts.ts'
import type { ScalarShape } from './shape.ts'
import type { DataItem, DataLeaf, Scalar } from './types.ts'
import { coerce } from './values.ts'

/** The entity that an object of the schema describes. */
export interface Subject {
  /** The items for this entity, one per notation (JSON-LD, microdata, RDFa). */
  readonly items: readonly DataItem[]
  /** Whether it is the page's main subject, so that the page's meta tags and labels apply to it too. */
  readonly isPage: boolean
}

/** A value and its source on the page. */
export interface Found {
  readonly value: Scalar
  readonly leaf: DataLeaf
}

/**
 * Returns the value of the leaves, ignoring case, or `undefined` if they differ or there is none. Leaves whose value does not fit
 * the shape are ignored.
 */
export function only(leaves: readonly DataLeaf[], shape: ScalarShape, kind: Concept['kind']): Found | undefined {
  const found = leaves.flatMap((leaf) => {
    const value = coerce(leaf.value, shape, kind)
    return value === undefined ? [] : [{ value, leaf }]
  })
  const values = new Set(found.map(({ value }) => (typeof value === 'string' ? value.toLowerCase() : value)))
  return values.size === 1 ? found[0] : undefined
}

/** Joins the distinct names of people with commas. Returns `undefined` if there are none. */
export function joined(leaves: readonly DataLeaf[], shape: ScalarShape): Found | undefined {
  const people = leaves.flatMap((leaf) => {
    const value = coerce(leaf.value, shape, 'person')
    return typeof value === 'string' ? [{ value, leaf }] : []
  })
  const names = [...new Map(people.map(({ value }) => [value.toLowerCase(), value])).values()]
  return names.length === 0 ? undefined : { value: names.join(', '), leaf: people[0]!.leaf }
}
