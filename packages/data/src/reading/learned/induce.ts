// Derives the alternatives for each value from one page with known values.
import type { Element } from '@harvestman/html/internal'
import { labelOf, surroundingsOf, type Facts } from './facts.ts'
import { distinct, endOf, isAlone, isLabelOf, oneOf, rawOf, valueOf, valuesOf } from './locate.ts'
import { selectorsFor } from './selectors.ts'
import { learnedBounds, type Alternative, type AlternativeKind, type LearnedScalar, type Way } from './types.ts'
import { isSameValue, readIn, waysTo } from './ways.ts'

const attributes = ['content', 'datetime', 'href', 'src', 'title', 'alt', 'value', 'aria-label', 'data-src'] as const
const unseen = new Set(['html', 'body', 'head', 'script', 'style', 'noscript', 'template'])
const maxPlaces = 24
const maxTries = 80
/** Maximum number of alternatives of one kind, so that a redesign does not break all of them. */
const maxOfKind = 3

/** Where a value is on the page, and how it is read there. */
interface Place {
  readonly element: Element
  readonly attribute: string | undefined
  readonly way: Way
  readonly value: LearnedScalar
}

type Draft = Omit<Alternative, 'right' | 'wrong' | 'none'>

/**
 * Returns at most 12 alternatives, and 3 of each kind, that find a value on a page; those that read the full text of an
 * element come first. Empty if the page does not show the value, and for booleans.
 */
export function alternativesFor(facts: Facts, value: LearnedScalar): readonly Alternative[] {
  const isRight = (draft: Draft): boolean => {
    const found = oneOf(valueOf(facts, { ...draft, right: 0, wrong: 0, none: 0 }))
    return found !== undefined && isSameValue(found, value)
  }
  return choose(facts, placesOf(facts, value), (draft) => {
    if (says(draft, value)) return undefined
    if (isRight(draft)) return draft
    const first: Draft = { ...draft, pick: 'first' }
    return isRight(first) ? first : undefined
  })
}

/** Whether the selector or label contains the value itself. Then it identifies this value, not the field. */
function says({ selector = '', label = '' }: Draft, value: LearnedScalar): boolean {
  const words = plainWords(String(value))
  return words.length >= 3 && plainWords(selector + label).includes(words)
}

const plainWords = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Returns the alternatives that find exactly these values, in this order. Empty if none does, and for values that repeat. */
export function alternativesForMany(facts: Facts, values: readonly LearnedScalar[]): readonly Alternative[] {
  const [first] = values
  if (first === undefined) return []
  return choose(facts, placesOf(facts, first), (draft) => {
    const found = distinct(valuesOf(facts, { ...draft, right: 0, wrong: 0, none: 0 }).map(({ value }) => value))
    const isSame = found.length === values.length && found.every((value, index) => isSameValue(value, values[index]!))
    return isSame ? draft : undefined
  })
}

function choose(facts: Facts, places: readonly Place[], tried: (draft: Draft) => Draft | undefined): Alternative[] {
  const chosen = new Map<string, Alternative>()
  const ofKind = new Map<AlternativeKind, number>()
  for (const place of places) {
    let tries = 0
    for (const draft of draftsFor(facts, place)) {
      if (chosen.size >= learnedBounds.alternatives || ++tries > maxTries) break
      const count = ofKind.get(draft.by) ?? 0
      const key = keyOf(draft)
      if (count >= maxOfKind || chosen.has(key)) continue
      const good = tried(draft)
      if (!good) continue
      chosen.set(key, { ...good, right: 1, wrong: 0, none: 0 })
      ofKind.set(draft.by, count + 1)
    }
  }
  return [...chosen.values()]
}

/**
 * Returns the identity of an alternative: where it finds a value and how it reads it, without its statistics, `pick` and
 * `alone`.
 */
export function keyOf(one: Draft): string {
  const { by, selector, label, next, up, attribute, as, before, after, until, order } = one
  return JSON.stringify([by, selector, label, next, up, attribute, as, before, after, until, order])
}

function placesOf(facts: Facts, value: LearnedScalar): readonly Place[] {
  const places: Place[] = []
  for (const element of facts.elements) {
    if (unseen.has(element.name)) continue
    for (const attribute of [undefined, ...attributes]) {
      if (attribute !== undefined && element.attributes[attribute] === undefined) continue
      const raw = rawOf(facts, element, attribute)
      if (raw === undefined || raw.length > learnedBounds.text * 2) continue
      for (const way of waysTo(raw, value, facts.base)) places.push({ element, attribute, way, value })
    }
  }
  const surroundings = surroundingsOf(facts)
  const own = places.filter(({ element }) => !surroundings.has(element))
  const hasFullText = own.some(
    ({ way }) => way.before === undefined && way.after === undefined && way.until === undefined,
  )
  const usable = hasFullText ? own : [...own, ...places.filter(({ element }) => surroundings.isDoubted(element))]
  const single = usable.filter((place) => !isOfRow(facts, place))
  return (single.length > 0 ? single : usable).toSorted((one, other) => rankOf(other) - rankOf(one)).slice(0, maxPlaces)
}

const maxAncestors = 4

/** Whether a number is one of several similar siblings, as in a product comparison table. */
function isOfRow(facts: Facts, { element, attribute, way, value }: Place): boolean {
  if (typeof value !== 'number' || attribute !== undefined) return false
  let at: Element | null = element
  for (let steps = 0; at?.parent && at.name !== 'body' && steps < maxAncestors; steps += 1, at = at.parent) {
    const { name, attributes } = at
    const others = elementsIn(at.parent).filter(
      (other) => other !== at && other.name === name && other.attributes['class'] === attributes['class'],
    )
    const also = others.filter((other) => readIn(facts.words(other) ?? '', way, facts.base) !== undefined)
    if (also.length >= fewest) return true
  }
  return false
}

const fewest = 2

function elementsIn(parent: Element): readonly Element[] {
  const elements: Element[] = []
  for (let node = parent.first; node; node = node.next) if (node.type === 'element') elements.push(node)
  return elements
}

/** Returns a rank: higher for values that are an element's full text than for parts of it, and for `h1` and `meta`. */
function rankOf({ element, way }: Place): number {
  const isCut = way.before !== undefined || way.after !== undefined
  return (
    (way.until === undefined ? 4 : 0) + (isCut ? 0 : 2) + (element.name === 'h1' || element.name === 'meta' ? 1 : 0)
  )
}

function* draftsFor(facts: Facts, { element, attribute, way, value }: Place): Generator<Draft> {
  const isLonely =
    way.as === 'price' &&
    typeof value === 'number' &&
    isAlone(facts, { value, quote: '', place: facts.textAt(element) })
  const read = { ...(attribute !== undefined && { attribute }), ...way, ...(isLonely && { alone: true as const }) }
  for (const { by, selector } of selectorsFor(element, facts.root)) yield { by, selector, ...read }
  if (element.name !== 'meta') yield* countedDrafts(facts, element, read)
}

const farthest = 8

/** Yields alternatives by the label before the value, and by the distance from the main heading. */
function* countedDrafts(facts: Facts, element: Element, read: Omit<Draft, 'by'>): Generator<Draft> {
  const place = facts.textAt(element)
  const text = facts.texts[place]
  const up = text && stepsUp(text.parent, element)
  if (up === undefined) return
  const before = facts.texts[place - 1]
  const label = before && isLabelOf(before, element) ? labelOf(before.text) : undefined
  if (label !== undefined) yield { by: 'label', label, next: 1, up, ...read }
  const [heading] = facts.find('h1')
  const distance = heading === undefined ? 0 : place - endOf(facts, heading) + 1
  if (distance > 0 && distance <= farthest) yield { by: 'near', selector: 'h1', next: distance, up, ...read }
}

function stepsUp(from: Element | null, to: Element): number | undefined {
  let steps = 0
  for (let at = from; at && steps <= 5; at = at.parent, steps += 1) if (at === to) return steps
  return undefined
}
