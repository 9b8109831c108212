import type { Box, Rule } from '../types.ts'

/** An area between horizontal lines of equal length, as in tables without vertical lines. */
export interface Zone extends Box {
  readonly rules: number
}

const near = 4
// Lines below the page header and above the footer enclose the whole page, which is not a table.
const highest = 0.6

/**
 * Returns the areas between horizontal lines of equal width, which are tables without vertical lines. Areas higher than 60% of
 * the page are ignored.
 */
export function zonesOf(rules: readonly Rule[], pageHeight: number): Zone[] {
  const flat = rules.filter(({ top, bottom, left, right }) => top === bottom && right - left > 40)
  const groups = Map.groupBy(flat, ({ left, right }) => `${Math.round(left / near)} ${Math.round(right / near)}`)
  return [...groups.values()].flatMap((group) => {
    const tops = [...new Set(group.map(({ top }) => Math.round(top)))].toSorted((a, b) => a - b)
    const [first] = group
    const [top = 0, bottom = 0] = [tops[0], tops.at(-1)]
    if (!first || tops.length < 2 || bottom - top > pageHeight * highest) return []
    return [{ left: first.left - near, right: first.right + near, top, bottom, rules: tops.length }]
  })
}

/** Returns the zone that contains this part of a baseline, or `undefined` if there is none. */
export function zoneAt(
  zones: readonly Zone[],
  { left, right, y }: { left: number; right: number; y: number },
): Zone | undefined {
  return zones.find((zone) => y > zone.top && y < zone.bottom + near && left >= zone.left && right <= zone.right)
}
