import type { DataBuilder } from '../data/builder.ts'
import { valuesAt } from '../data/items.ts'
import type { DataItem, DataLeaf, PageData } from '../data/types.ts'
import { cleanText } from '../data/values.ts'
import type { Element } from '../tree/tree.ts'

/** A value and its source on the page. */
export interface Fact {
  readonly value: string
  readonly leaf: DataLeaf
}

/** The data of a page, as the readings of its facts need it. */
export interface Page {
  readonly data: PageData
  readonly elements: readonly Element[]
  readonly builder: DataBuilder
  /** The items that are the page's main subject. */
  readonly main: readonly DataItem[]
  /** The element of each source. */
  readonly sourceElements: readonly Element[]
}

/** Returns the name of the page's site, or `undefined` if the page has none. */
export function siteNameOf(data: PageData): Fact | undefined {
  const sites = data.items.filter(({ types }) => types.includes('WebSite'))
  const leaves = [
    ...leavesOf(data, ['og:site_name']),
    ...sites.flatMap((item) => valuesAt(data, item, 'name')),
    ...leavesOf(data, ['application-name', 'apple-mobile-web-app-title']),
  ]
  return firstText(leaves)
}

/** Returns the first value with text, as plain text, or `undefined` if none has any. */
export function firstText(leaves: readonly DataLeaf[]): Fact | undefined {
  for (const leaf of leaves) {
    const value = cleanText(String(leaf.value))
    if (value !== '') return { value, leaf }
  }
  return undefined
}

/** Returns the values of the page's metadata with these names, in the order of the names. Empty if there are none. */
export function leavesOf({ meta }: PageData, names: readonly string[]): readonly DataLeaf[] {
  return names.flatMap((name) => meta.filter(({ label }) => label === name))
}
