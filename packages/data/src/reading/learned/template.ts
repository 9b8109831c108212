// What pages of one template have in common: the shape of their addresses, and the names in their structure.
import type { Facts } from './facts.ts'
import { sketchSize } from './sketch.ts'

/** Pages whose structure is less like that of a program are of another template, or of a site that was made anew. */
export const sameTemplate = 0.5

/** What is missing on such a page may be said to be absent: on those less alike it may have moved. */
export const surelyTheSame = 0.65

const mostSegments = 12

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

/** What the names of the elements of a page are, as a sketch. */
export const printOf = ({ sketch }: Facts): readonly number[] => sketch

/** How much of the structure of two pages is the same, from 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 1 : 0
  const size = Math.min(sketchSize, Math.max(one.length, other.length))
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
