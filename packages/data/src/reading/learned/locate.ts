// Finds and reads the matches of an alternative.
import { type Element, type Text, readNumber } from '@harvestman/html/internal'
import { isWithin, type Facts } from './facts.ts'
import type { Alternative, LearnedScalar } from './types.ts'
import { isSameValue, readIn } from './ways.ts'

/** A value and its source. */
export interface Found {
  readonly value: LearnedScalar
  readonly quote: string
  /** Index among the text nodes of the page. */
  readonly place: number
}

/** Returns the values that an alternative finds, in page order. Empty if there are none. */
export function valuesOf(facts: Facts, alternative: Alternative): readonly Found[] {
  return elementsFor(facts, alternative).flatMap((element) => {
    const read = readAt(facts, element, alternative)
    return read === undefined ? [] : [{ ...read, place: facts.textAt(element) }]
  })
}

function readAt(facts: Facts, element: Element, alternative: Alternative): Omit<Found, 'place'> | undefined {
  const quote = rawOf(facts, element, alternative.attribute)
  const value = quote === undefined ? undefined : readIn(quote, alternative, facts.base)
  return value === undefined ? undefined : { value, quote: quote! }
}

/** The result of an alternative for a single value: no match, an element without text, a value, or several values. */
export type Outcome = Found | 'several' | 'empty' | undefined

/**
 * Returns the single value of an alternative, or its first one if `pick` is `first`. Otherwise returns `several`, `empty` if
 * all matching elements are without text, or `undefined` if nothing matches or can be read. Stops reading as soon as the
 * result is certain.
 */
export function valueOf(facts: Facts, alternative: Alternative): Outcome {
  let first: Found | undefined
  for (const element of elementsFor(facts, alternative)) {
    const read = readAt(facts, element, alternative)
    if (!read) continue
    if (first) {
      if (isSameValue(read.value, first.value)) continue
      return 'several'
    }
    first = { ...read, place: facts.textAt(element) }
    if (alternative.alone && !isAlone(facts, first)) return 'several'
    if (alternative.pick === 'first') return first
  }
  return first ?? (isEmpty(facts, alternative) ? 'empty' : undefined)
}

/** Whether there are matching elements, but all are empty. */
function isEmpty(facts: Facts, alternative: Alternative): boolean {
  if (alternative.next !== undefined) return false
  const elements = elementsFor(facts, alternative)
  return elements.length > 0 && elements.every((element) => rawOf(facts, element, alternative.attribute) === '')
}

const closest = 80
const price = /\p{Sc}\s?\d[\d.,' ]*|\d[\d.,' ]*\s?\p{Sc}/gu

/** Returns whether all prices in the text around this one, at most 80 characters, have the same amount. */
export function isAlone(facts: Facts, { place, value }: Found): boolean {
  let at: Element | null = facts.texts[place]?.parent ?? null
  let around = ''
  for (let words = ''; at; at = at.parent) {
    words = facts.words(at) ?? ''
    if (words === '' || words.length > closest) break
    around = words
  }
  return (around.match(price) ?? []).every((one) => readNumber(one, true) === value)
}

/** Returns the value of an outcome, or `undefined` if it is not a single one. */
export function oneOf(outcome: Outcome): LearnedScalar | undefined {
  return typeof outcome === 'object' ? outcome.value : undefined
}

/** Returns the values without duplicates, keeping the first of each. Order is unchanged. */
export function distinct(values: readonly LearnedScalar[]): readonly LearnedScalar[] {
  return values.filter((value, index) => values.findIndex((other) => isSameValue(other, value)) === index)
}

/**
 * Returns the distinct values of an alternative as one JSON string, because lists are compared as a whole. `undefined` if
 * there are none.
 */
export function listOf(facts: Facts, alternative: Alternative): Found | undefined {
  const found = valuesOf(facts, alternative)
  if (found.length === 0) return undefined
  const [{ place }] = found as [Found]
  const values = distinct(found.map(({ value }) => value))
  return { value: JSON.stringify(values), quote: found.map(({ quote }) => quote).join(', '), place }
}

/**
 * Returns an element's text, empty if it has none, or the first 2,000 characters of an attribute, if one is named. `undefined`
 * if the attribute is missing or the text is too long.
 */
export function rawOf(facts: Facts, element: Element, attribute: string | undefined): string | undefined {
  return attribute === undefined ? facts.words(element) : element.attributes[attribute]?.slice(0, 2_000)
}

function elementsFor(facts: Facts, { selector, label, next, up = 0 }: Alternative): readonly Element[] {
  if (next === undefined) return selector === undefined ? [] : facts.find(selector)
  const starts =
    label === undefined
      ? (selector === undefined ? [] : facts.find(selector)).map((element) => endOf(facts, element) - 1)
      : facts.labelled(label)
  return starts.flatMap((start) => {
    const text = facts.texts[start + next]
    const element = text && parentOf(text.parent, up)
    if (!element || (label !== undefined && !isLabelOf(facts.texts[start]!, element))) return []
    return [element]
  })
}

/** Returns the index of the first text after an element, or the number of texts if it is the last. */
export function endOf(facts: Facts, element: Element): number {
  let at = facts.textAt(element)
  while (at < facts.texts.length && isWithin(facts.texts[at]!.parent, element)) at += 1
  return at
}

/**
 * Returns whether an element is inside the parent or grandparent of a text node, so that the text can be its label. Links and
 * buttons are never labels.
 */
export function isLabelOf({ parent }: Text, element: Element): boolean {
  if (!parent || parent.name === 'a' || parent.name === 'button') return false
  return isWithin(element, parent) || (parent.parent !== null && isWithin(element, parent.parent))
}

function parentOf(element: Element | null, up: number): Element | null {
  let at = element
  for (let steps = 0; at && steps < up; steps += 1) at = at.parent
  return at
}
