// Finds the rows of a list of objects.
import type { Element } from '@harvestman/html/internal'
import { readFacts, type Facts } from './facts.ts'
import type { LearnedRecord } from './pointers.ts'
import { selectorsFor } from './selectors.ts'
import { learnedBounds, type LearnedScalar } from './types.ts'
import { waysTo } from './ways.ts'

const maxSelectors = 4
const maxTries = 80

/**
 * Returns the elements that contain one object each, and selectors that match exactly these. Returns `undefined` if they are
 * not found, and for fewer than 2 or more than 1,000 objects.
 */
export function rowsOf(
  facts: Facts,
  items: readonly LearnedRecord[],
): { readonly rows: readonly Element[]; readonly selectors: readonly string[] } | undefined {
  if (items.length < 2 || items.length > learnedBounds.rows) return undefined
  for (const name of Object.keys(items[0]!)) {
    const rows = rowsBy(facts, items, name)
    const selectors = rows && selectorsOf(facts, rows)
    if (rows && selectors && selectors.length > 0) return { rows, selectors }
  }
  return undefined
}

function rowsBy(facts: Facts, items: readonly LearnedRecord[], name: string): readonly Element[] | undefined {
  const values = items.map((item) => item[name])
  if (!values.every((value): value is LearnedScalar => typeof value === 'string' || typeof value === 'number'))
    return undefined
  if (new Set(values).size !== values.length) return undefined
  const anchors: Element[] = []
  let from = 0
  for (const value of values) {
    const at = facts.elements.findIndex((element, index) => index >= from && holds(facts, element, value))
    if (at < 0) return undefined
    anchors.push(facts.elements[at]!)
    from = at + 1
  }
  return below(commonParent(anchors[0]!, anchors[1]!), anchors)
}

function holds(facts: Facts, element: Element, value: LearnedScalar): boolean {
  const words = facts.words(element)
  return (
    words !== undefined &&
    waysTo(words, value, facts.base).some(({ before, after, until }) => !before && !after && !until)
  )
}

function commonParent(one: Element, other: Element): Element | undefined {
  const above = new Set<Element>()
  for (let at: Element | null = one; at; at = at.parent) above.add(at)
  for (let at: Element | null = other; at; at = at.parent) if (above.has(at)) return at
  return undefined
}

function below(parent: Element | undefined, anchors: readonly Element[]): readonly Element[] | undefined {
  const rows: Element[] = []
  for (const anchor of anchors) {
    let at: Element | null = anchor
    while (at && at.parent !== parent) at = at.parent
    if (!at || rows.includes(at)) return undefined
    rows.push(at)
  }
  return rows
}

function selectorsOf(facts: Facts, rows: readonly Element[]): readonly string[] {
  const [first] = rows
  const chosen = new Set<string>()
  let tries = 0
  for (const { selector } of selectorsFor(first!, facts.root)) {
    if (chosen.size >= maxSelectors || ++tries > maxTries) break
    const plain = selector.replace(/:nth-of-type\(\d+\)$/, '')
    if (isSameList(facts.find(plain), rows)) chosen.add(plain)
  }
  return [...chosen]
}

function isSameList(one: readonly Element[], other: readonly Element[]): boolean {
  return one.length === other.length && one.every((element, index) => element === other[index])
}

/**
 * Finds the rows on another page. At least half of the selectors must match, and all of those the same elements; otherwise,
 * and for more than 1,000 rows, returns `undefined`.
 */
export function findRows(facts: Facts, selectors: readonly string[]): readonly Element[] | undefined {
  const found = selectors.map((selector) => facts.find(selector)).filter((rows) => rows.length > 0)
  const [first] = found
  if (!first || first.length > learnedBounds.rows || found.length * 2 < selectors.length) return undefined
  return found.every((rows) => isSameList(rows, first)) ? first : undefined
}

/** Indexes a row as if it were a page. */
export function factsOfRow(facts: Facts, row: Element): Facts {
  return readFacts(row, facts.base)
}
