// Finds rows of a list that is known from an earlier page. A last page may have only one or two, so repetition does not reveal
// them.
import { type Base, type Element, elementsOf } from '@harvestman/html/internal'
import { isFurniture } from './blocks.ts'
import { cellsOf, type Cell } from './cells.ts'
import { listBounds, type KnownList, type RowShape } from './types.ts'

/** Minimum share of a row's cells that must be at known positions. */
const minShared = 0.5

/**
 * Returns the tag and the most common class of the rows. `undefined` without rows; the class is omitted unless more than half
 * have it.
 */
export function shapeOf(rows: readonly Element[]): RowShape | undefined {
  const [first] = rows
  if (!first) return undefined
  const counts = new Map<string, number>()
  for (const row of rows) for (const name of classesOf(row)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [shared, count] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one), ['', 0])
  return { tag: first.name, ...(count * 2 > rows.length && { class: shared }) }
}

/**
 * Returns the rows of a known list. Returns `found` unchanged if the list is unknown, or if most of these rows belong to it;
 * otherwise the elements that resemble its rows, which may be none.
 */
export function rowsOfKnown(
  root: Element,
  found: readonly Element[],
  base: Base,
  { columns = [], row }: KnownList,
): readonly Element[] {
  if (!row || columns.length === 0) return found
  const places = new Set(columns.map(({ place }) => place))
  const isOfIt = (element: Element): boolean => isLike(cellsOf(element, base), places)
  if (found.length > 0 && found.filter(isOfIt).length * 2 > found.length) return found
  const rows = elementsOf(root).filter((element) => hasShape(element, row) && !isOutside(element))
  return rows.slice(0, listBounds.rows).filter(isOfIt)
}

function isLike(cells: ReadonlyMap<string, Cell>, places: ReadonlySet<string>): boolean {
  const shared = [...cells.keys()].filter((place) => places.has(place)).length
  return shared > 0 && shared >= cells.size * minShared
}

function hasShape(element: Element, row: RowShape): boolean {
  return element.name === row.tag && (row.class === undefined || classesOf(element).includes(row.class))
}

const maxClasses = 8

function classesOf({ attributes }: Element): readonly string[] {
  return (attributes['class'] ?? '').split(/\s+/, maxClasses).filter(Boolean)
}

function isOutside(element: Element): boolean {
  for (let at = element.parent; at; at = at.parent) if (isFurniture(at)) return true
  return false
}
