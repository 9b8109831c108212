// What pages of one template have in common: the shape of their addresses, and the names in their structure.
import type { Facts } from './facts.ts'
import { namingsOf } from './selectors.ts'

const mostSegments = 12
/** As many of the smallest hashes stand for all of them. */
const sketch = 64
const mostNames = 4_000

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

/** A sketch of the names of the elements of a page. */
export function printOf({ elements }: Facts): readonly number[] {
  const hashes = new Set<number>()
  const seen = new Set<string>()
  for (const element of elements) {
    const { name, attributes } = element
    // Most elements are like others.
    const kind = `${name} ${attributes['id'] ?? ''} ${attributes['class'] ?? ''}`
    if (name === 'meta' || seen.has(kind)) continue
    seen.add(kind)
    for (const { selector } of namingsOf(element)) if (hashes.size < mostNames) hashes.add(hash(name + selector))
  }
  return [...hashes].toSorted((one, other) => one - other).slice(0, sketch)
}

/** How much of the structure of two pages is the same, from 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 1 : 0
  const size = Math.min(sketch, Math.max(one.length, other.length))
  const both = [...new Set([...one, ...other])].toSorted((a, b) => a - b).slice(0, size)
  const inOne = new Set(one)
  const inOther = new Set(other)
  return both.filter((value) => inOne.has(value) && inOther.has(value)).length / both.length
}

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}
