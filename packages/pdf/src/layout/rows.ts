import type { Segment, TextItem } from '../types.ts'
import { zoneAt, type Zone } from './zones.ts'

/** The segments on one baseline of the page, from left to right. */
export type PageRow = readonly Segment[]

// Minimum gap between segments, as a multiple of the font size. Smaller gaps are spaces.
const apart = 1.05
const apartInTable = 0.6
// One space in a monospaced font is 0.6.
const apartInMono = 0.9
// Maximum length of a superscript or subscript. Whether there is larger text next to it is checked when all rows are known.
const maxMarkLength = 4
const ascent = 0.75
const descent = 0.22

/**
 * Groups text runs by baseline, from top to bottom, and splits each baseline at wide gaps, in `zones` also at narrower ones.
 * Superscripts join the row of their text, and text that is drawn twice to look bold is in it once.
 */
export function rowsOf(items: readonly TextItem[], zones: readonly Zone[] = []): PageRow[] {
  const groups = groupByBaseline(withoutShadows(items))
  return groups
    .map((group) =>
      segmentsOf(
        group.toSorted((a, b) => a.x - b.x),
        zones,
      ),
    )
    .toSorted((a, b) => baseline(a) - baseline(b))
}

function baseline(row: PageRow): number {
  return row[0]?.y ?? 0
}

/** Drops text that is drawn twice with a tiny offset to look bold. */
function withoutShadows(items: readonly TextItem[]): TextItem[] {
  const seen = new Map<string, TextItem[]>()
  return items.filter((item) => {
    const same = seen.get(item.text) ?? []
    const reach = item.size * 0.15
    const isShadow = same.some(({ x, y }) => Math.abs(x - item.x) < reach && Math.abs(y - item.y) < reach)
    if (isShadow) return false
    // Files repeat single characters thousands of times; a shadow follows its original directly, so only the last few are
    // compared.
    seen.set(item.text, [...same.slice(-3), item])
    return true
  })
}

function groupByBaseline(items: readonly TextItem[]): TextItem[][] {
  const sorted = items.toSorted((a, b) => a.y - b.y || b.size - a.size)
  const groups: Group[] = []
  for (const item of sorted) if (!isShort(item)) addLevel(groups, item)
  const homeless: TextItem[] = []
  for (const item of sorted) {
    if (!isShort(item)) continue
    const home = nearGroups(groups, item).find(({ first }) => isLevel(first, item))
    if (home) home.items.push(item)
    else homeless.push(item)
  }
  // A superscript may belong to a short word, so short words are assigned to rows first.
  const alone: Group[] = []
  for (const item of homeless)
    if (!nearGroups(groups, item).some((group) => takesMark(group, item))) addLevel(alone, item)
  return [...groups, ...alone].map((group) => group.items)
}

interface Group {
  readonly first: TextItem
  readonly items: TextItem[]
}

function isShort({ text }: TextItem): boolean {
  return text.trim().length <= maxMarkLength
}

function addLevel(groups: Group[], item: TextItem): void {
  const group = groups.slice(-6).findLast(({ first }) => isLevel(first, item))
  if (group) group.items.push(item)
  else groups.push({ first: item, items: [item] })
}

function isLevel(a: TextItem, b: TextItem): boolean {
  const size = Math.min(a.size, b.size)
  const ratio = size / Math.max(a.size, b.size)
  return Math.abs(a.y - b.y) < size * (ratio > 0.85 ? 0.28 : 0.12)
}

/** Returns the rows near enough for a short run. */
function nearGroups(groups: readonly Group[], item: TextItem): Group[] {
  const near: Group[] = []
  for (let index = firstFrom(groups, item.y - item.size * 2.5); index < groups.length; index++) {
    const group = groups[index]
    if (!group || group.first.y > item.y + item.size * 2.5) break
    near.push(group)
  }
  return near
}

/** Adds a superscript or subscript to the row of larger text that it touches. Returns false if it touches none. */
function takesMark(group: Group, item: TextItem): boolean {
  if (!group.items.some((other) => isMarkOf(item, other))) return false
  group.items.push(item)
  return true
}

function firstFrom(groups: readonly Group[], y: number): number {
  let [low, high] = [0, groups.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((groups[middle]?.first.y ?? 0) < y) low = middle + 1
    else high = middle
  }
  return low
}

function isMarkOf(mark: TextItem, other: TextItem): boolean {
  if (mark.size > other.size * 0.86) return false
  const gap = Math.max(mark.x - (other.x + other.width), other.x - (mark.x + mark.width))
  const overlap =
    Math.min(mark.y + mark.size * descent, other.y + other.size * descent) -
    Math.max(mark.y - mark.size * ascent, other.y - other.size * ascent)
  return gap < other.size * 0.5 && overlap > mark.size * 0.3
}

function segmentsOf(items: readonly TextItem[], zones: readonly Zone[]): Segment[] {
  const groups: TextItem[][] = []
  let right = -Infinity
  let size = 0
  for (const item of items) {
    const group = groups.at(-1)
    const isTable =
      zones.length > 0 && zoneAt(zones, { left: item.x, right: item.x + item.width, y: item.y }) !== undefined
    const least = isTable ? (item.face.mono ? apartInMono : apartInTable) : apart
    if (group && item.x - right < Math.max(size, item.size) * least) group.push(item)
    else groups.push([item])
    right = group && groups.at(-1) === group ? Math.max(right, item.x + item.width) : item.x + item.width
    size = item.size
  }
  return groups.map(toSegment)
}

const everywhere: Zone = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity, rules: 0 }

/** Splits segments on one baseline at narrower gaps, as between the columns of a tight table. */
export function splitTightly(segments: readonly Segment[]): Segment[] {
  return segmentsOf(
    segments.flatMap(({ items }) => items).toSorted((a, b) => a.x - b.x),
    [everywhere],
  )
}

/** Joins text runs on one baseline into a segment, with the largest font size among them. There must be at least one. */
export function toSegment(items: readonly TextItem[]): Segment {
  const main = items.reduce((a, b) => (b.size > a.size ? b : a))
  return {
    items,
    y: main.y,
    size: main.size,
    left: Math.min(...items.map(({ x }) => x)),
    right: Math.max(...items.map(({ x, width }) => x + width)),
    top: main.y - main.size * ascent,
    bottom: main.y + main.size * descent,
  }
}
