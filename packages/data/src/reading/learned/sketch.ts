// Sketches of pages (MinHash): the smallest hashes of their element selectors. Comparing two sketches estimates how similar the
// pages are.
import { type Element, makeElement } from '@harvestman/html/internal'
import { ownCopy, type ClassNames, type Hashed } from './class-names.ts'
import { isNaming } from './compiled.ts'
import { namingsOf } from './selectors.ts'

/** Number of hashes in a sketch. */
export const sketchSize = 64

const maxCachedLength = 400
/** Maximum number of tag names cached per `class` attribute. */
const maxNames = 50

/** Builds the sketch of a page. */
export class Sketch {
  /** Sorted. */
  readonly smallest: number[] = []

  /** Adds a `class` attribute. Call it once per tag name that has it. */
  addClass(name: string, classNames: ClassNames): void {
    this.#addAll(hashesOfClass(name, classNames))
  }

  /** Adds the other attributes of an element. */
  addAttributes({ name, attributes }: Element): void {
    for (const attribute in attributes) {
      const values = valuesOf(attribute)
      if (values) this.#addAll(hashesOf(name, attribute, attributes[attribute]!, values))
    }
  }

  #addAll(hashes: readonly number[]): void {
    const { smallest } = this
    for (const value of hashes)
      if (smallest.length < sketchSize || value < smallest[sketchSize - 1]!) insert(smallest, value)
  }
}

/** Inserts a value in order, without duplicates, and drops the largest beyond the limit. */
function insert(smallest: number[], value: number): void {
  let at = smallest.length
  while (at > 0 && smallest[at - 1]! > value) at -= 1
  if (smallest[at - 1] === value) return
  smallest.splice(at, 0, value)
  if (smallest.length > sketchSize) smallest.pop()
}

/** Returns the hashes for a `class` attribute, cached with it. */
function hashesOfClass(name: string, classNames: ClassNames): readonly number[] {
  const { hashed } = classNames
  const before = hashed.find((one) => one.name === name)
  if (before) return before.hashes
  const hashes = read(name, 'class', classNames.classes)
  if (hashed.length < maxNames) hashed.push({ name: ownCopy(name), hashes })
  return hashes
}

type Values = Map<string, Hashed>

/**
 * Cache by attribute and value. Holds the tag name of the last element only, as it rarely differs. `undefined` marks irrelevant
 * attributes.
 */
const known = new Map<string, Values | undefined>()
const maxCached = 10_000
let countKnown = 0

/** Returns the cache of an attribute, or `undefined` if it never identifies elements. */
function valuesOf(attribute: string): Values | undefined {
  const before = known.get(attribute)
  if (before || known.has(attribute)) return before
  const values: Values | undefined = attribute === 'id' || isNaming(attribute) ? new Map<string, Hashed>() : undefined
  if (attribute.length <= maxCachedLength) count(() => known.set(ownCopy(attribute), values))
  return values
}

/** Returns the hashes for an attribute. Cached, because pages of one site share them. */
function hashesOf(name: string, attribute: string, value: string, values: Values): readonly number[] {
  const before = values.get(value)
  if (before?.name === name) return before.hashes
  const hashes = read(name, attribute, value)
  if (value.length <= maxCachedLength) count(() => values.set(ownCopy(value), { name: ownCopy(name), hashes }))
  return hashes
}

function count(remember: () => void): void {
  if (countKnown >= maxCached) {
    known.clear()
    countKnown = 0
  }
  countKnown += 1
  remember()
}

function read(name: string, attribute: string, value: string): readonly number[] {
  return namingsOf(makeElement(name, { [attribute]: value })).map(({ selector }) => hash(name + selector))
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
