// What pages of one template share: the shape of their URLs and the structure of their elements.
import type { Facts } from './facts.ts'
import { sketchSize } from './sketch.ts'

/** Pages below this likeness belong to another template or a redesigned site. */
export const sameTemplate = 0.5

/** Minimum likeness to report a missing field as absent. Below this it may have moved. */
export const surelyTheSame = 0.65

const maxSegments = 12

/** Returns the URL path with its variable parts replaced, as in `/news/#/*`. `/` for an invalid URL. */
export function pathShape(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : '/'
  const segments = path.split('/').filter(Boolean).slice(0, maxSegments)
  return `/${segments.map((segment, index) => segmentShape(segment, index === segments.length - 1)).join('/')}`
}

function segmentShape(segment: string, isLast: boolean): string {
  if (/^\d+$/.test(segment)) return '#'
  if (isLast || /\d{2}|%|[-_].*[-_]/.test(segment) || segment.length > 20) return '*'
  return segment.toLowerCase()
}

/** Returns the structural fingerprint of a page, to be compared with `likeness`. */
export const printOf = ({ sketch }: Facts): readonly number[] => sketch

/** Estimates the similarity of two pages from their fingerprints, from 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  if (one.length === 0 || other.length === 0) return one.length === other.length ? 1 : 0
  const size = Math.min(sketchSize, Math.max(one.length, other.length))
  let [inOne, inOther, seen, shared] = [0, 0, 0, 0]
  // Both are sorted, so this compares the smallest hashes of the union.
  while (seen < size && (inOne < one.length || inOther < other.length)) {
    const [left, right] = [one[inOne] ?? Infinity, other[inOther] ?? Infinity]
    if (left === right) shared += 1
    if (left <= right) inOne += 1
    if (right <= left) inOther += 1
    seen += 1
  }
  return shared / seen
}
