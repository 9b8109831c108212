// What pages of one template have in common: the shape of their addresses, and the names in their structure.
import { makeElement } from '../tree/tree.ts'
import { ownCopy } from './class-names.ts'
import { isNaming } from './compiled.ts'
import type { Facts } from './facts.ts'
import { namingsOf } from './selectors.ts'

/** Pages whose structure is less like that of a program are of another template, or of a site that was made anew. */
export const sameTemplate = 0.5

/** What is missing on such a page may be said to be absent: on those less alike it may have moved. */
export const surelyTheSame = 0.65

const mostSegments = 12
/** As many of the smallest hashes stand for all of them. */
const sketch = 64
const longestKind = 400

/** An address without what differs from page to page: `/news/#/*`. */
export function pathShape(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '/'
  const segments = path.split('/').filter(Boolean).slice(0, mostSegments)
  return `/${segments.map((segment, index) => segmentShape(segment, index === segments.length - 1)).join('/')}`
}

function segmentShape(segment: string, isLast: boolean): string {
  if (/^\d+$/.test(segment)) return '#'
  if (isLast || /\d{2}|%|[-_].*[-_]/.test(segment) || segment.length > 20) return '*'
  return segment.toLowerCase()
}

/** A sketch of the names of the elements of a page: the smallest of their hashes, sorted. */
export function printOf({ kinds }: Facts): readonly number[] {
  const smallest: number[] = []
  const take = (hashes: readonly number[]): void => {
    for (const value of hashes) if (smallest.length < sketch || value < smallest.at(-1)!) insert(smallest, value)
  }
  for (const { name, attributes } of kinds) {
    take(hashesOf(name, 'class', attributes['class'] ?? ''))
    for (const attribute in attributes)
      if (attribute === 'id' || isNaming(attribute)) take(hashesOf(name, attribute, attributes[attribute]!))
  }
  return smallest
}

/** Puts a value in its place, unless it is there. What is then too much is dropped. */
function insert(smallest: number[], value: number): void {
  let at = smallest.length
  while (at > 0 && smallest[at - 1]! > value) at -= 1
  if (smallest[at - 1] === value) return
  smallest.splice(at, 0, value)
  if (smallest.length > sketch) smallest.pop()
}

const known = new Map<string, readonly number[]>()
const mostKnown = 10_000

/** What an attribute names an element by is the same on all pages of a site: it is remembered. */
function hashesOf(name: string, attribute: string, value: string): readonly number[] {
  const kind = `${name} ${attribute} ${value}`
  const before = known.get(kind)
  if (before) return before
  const namings = namingsOf(makeElement(name, { [attribute]: value }))
  const hashes = namings.map(({ selector }) => hash(name + selector))
  if (known.size >= mostKnown) known.clear()
  if (kind.length <= longestKind) known.set(ownCopy(kind), hashes)
  return hashes
}

/** How much of the structure of two pages is the same, from 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 1 : 0
  const size = Math.min(sketch, Math.max(one.length, other.length))
  let [inOne, inOther, seen, shared] = [0, 0, 0, 0]
  // Both are sorted: the smallest of all are compared.
  while (seen < size && (inOne < one.length || inOther < other.length)) {
    const [left, right] = [one[inOne] ?? Infinity, other[inOther] ?? Infinity]
    if (left === right) shared += 1
    if (left <= right) inOne += 1
    if (right <= left) inOther += 1
    seen += 1
  }
  return shared / seen
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
