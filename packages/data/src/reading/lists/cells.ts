// Reads the cells of a row, with their positions in the template.
import { type Base, type Element, type Node, lineOf, nextNode, resolveUrl } from '@harvestman/html/internal'
import type { PlacedCell } from './spans.ts'
import { listBounds } from './types.ts'

/** A cell: its position in the template, a name suggested by its element, and its text or URL. */
export interface Cell {
  readonly place: string
  readonly name: string | undefined
  readonly kind: 'text' | 'link' | 'image'
  readonly words: string
}

const unshown = new Set(['script', 'style', 'template', 'noscript', 'svg', 'select'])

/** Limits of the position strings, because the page determines names and depth. */
const maxNameLength = 60
const maxPathLength = 2_000

/**
 * Reads the cells in the first 600 nodes of a row in document order, one per position. In a table with spans, `placed` has the
 * cells of the row with their columns.
 */
export function cellsOf(row: Element, base: Base, placed?: readonly PlacedCell[]): ReadonlyMap<string, Cell> {
  const budget = { left: listBounds.nodesOfRow }
  if (!placed) return cellsIn(row, '', base, budget)
  const parts = placed.map(({ cell, column }) => {
    const step = `>${cell.name}.${classOf(cell) ?? ''}`
    return cellsIn(cell, column === 0 ? step : `${step}:${column}`, base, budget)
  })
  return new Map(parts.flatMap((part) => [...part]))
}

function cellsIn(root: Element, place: string, base: Base, budget: { left: number }): Map<string, Cell> {
  const cells = new Map<string, Cell>()
  const places = new Map<Element, string>([[root, place]])
  const taken = new Map<string, number>()
  let node: Node | null = root
  for (; node && budget.left > 0; budget.left -= 1) {
    if (node.type === 'text') node = nextNode(node, root)
    else {
      if (node !== root) places.set(node, placeOf(node, places, taken))
      for (const cell of ofElement(node, places.get(node)!, base)) cells.set(cell.place, cell)
      node = nextNode(node, root, unshown.has(node.name) || places.get(node)!.length > maxPathLength)
    }
  }
  return cells
}

/** Counts among siblings with the same tag and class, so that a missing part does not shift the others. */
function placeOf(element: Element, places: ReadonlyMap<Element, string>, taken: Map<string, number>): string {
  const above = element.parent ? (places.get(element.parent) ?? '') : ''
  const step = `${above}>${element.name}.${classOf(element) ?? ''}`
  const count = taken.get(step) ?? 0
  taken.set(step, count + 1)
  return count === 0 ? step : `${step}:${count}`
}

function classOf({ attributes }: Element): string | undefined {
  const name = attributes['itemprop'] ?? attributes['class']?.trim().split(/\s+/, 1)[0]
  return name?.slice(0, maxNameLength) || undefined
}

function ofElement(element: Element, place: string, base: Base): readonly Cell[] {
  if (unshown.has(element.name)) return []
  const { name: tag, attributes } = element
  const name = classOf(element)
  const cells: Cell[] = []
  const address =
    tag === 'a' ? attributes['href'] : tag === 'img' ? (attributes['src'] ?? attributes['data-src']) : undefined
  const url = address === undefined ? undefined : resolveUrl(address, base)
  const kind = tag === 'a' ? 'link' : 'image'
  if (url !== undefined) cells.push({ place: `${place}@`, name: kind, kind, words: url })
  const words = attributes['datetime'] ?? ownWords(element)
  if (words !== '') cells.push({ place, name, kind: 'text', words })
  return cells
}

function ownWords(element: Element): string {
  let text = ''
  for (let child = element.first; child; child = child.next) if (child.type === 'text') text += ` ${child.text}`
  return lineOf(text)
}
