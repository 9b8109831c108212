// A sketch of a page: the smallest hashes of what its elements are named by. Two sketches say how much of two pages is the same.
import { type Element, makeElement } from '@harvestman/html/internal'
import { ownCopy, type ClassNames, type Hashed } from './class-names.ts'
import { isNaming } from './compiled.ts'
import { namingsOf } from './selectors.ts'

/** As many of the smallest hashes stand for all of them. */
export const sketchSize = 64

const longestKnown = 400
/** As many names of elements with one `class` attribute are remembered. */
const mostNames = 50

/** Makes the sketch of a page. */
export class Sketch {
  /** Sorted. */
  readonly smallest: number[] = []

  /** What is named by a `class` attribute: once for each name of an element with it. */
  addClass(name: string, classNames: ClassNames): void {
    this.#addAll(hashesOfClass(name, classNames))
  }

  /** What is named by other attributes. */
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

/** Puts a value in its place, unless it is there. What is then too much is dropped. */
function insert(smallest: number[], value: number): void {
  let at = smallest.length
  while (at > 0 && smallest[at - 1]! > value) at -= 1
  if (smallest[at - 1] === value) return
  smallest.splice(at, 0, value)
  if (smallest.length > sketchSize) smallest.pop()
}

/** What a `class` attribute names an element by is remembered with the attribute. */
function hashesOfClass(name: string, classNames: ClassNames): readonly number[] {
  const { hashed } = classNames
  const before = hashed.find((one) => one.name === name)
  if (before) return before.hashes
  const hashes = read(name, 'class', classNames.classes)
  if (hashed.length < mostNames) hashed.push({ name: ownCopy(name), hashes })
  return hashes
}

type Values = Map<string, Hashed>

/** By attribute and value, with the element that had them last: it is nearly always of one name. Of others nothing. */
const known = new Map<string, Values | undefined>()
const mostKnown = 10_000
let countKnown = 0

/** What is remembered of an attribute that elements are named by. */
function valuesOf(attribute: string): Values | undefined {
  const before = known.get(attribute)
  if (before || known.has(attribute)) return before
  const values: Values | undefined = attribute === 'id' || isNaming(attribute) ? new Map<string, Hashed>() : undefined
  if (attribute.length <= longestKnown) count(() => known.set(ownCopy(attribute), values))
  return values
}

/** What an attribute names an element by is the same on all pages of a site: it is remembered. */
function hashesOf(name: string, attribute: string, value: string, values: Values): readonly number[] {
  const before = values.get(value)
  if (before?.name === name) return before.hashes
  const hashes = read(name, attribute, value)
  if (value.length <= longestKnown) count(() => values.set(ownCopy(value), { name: ownCopy(name), hashes }))
  return hashes
}

function count(remember: () => void): void {
  if (countKnown >= mostKnown) {
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
