// Reads the cells of a row, with their positions in the template.
import { type Base, type Element, type Node, lineOf, nextNode, resolveUrl } from '@harvestman/html/internal'
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

/** Reads the cells in the first 600 nodes of a row in document order, one per position. */
export function cellsOf(row: Element, base: Base): ReadonlyMap<string, Cell> {
  const cells = new Map<string, Cell>()
  const places = new Map<Element, string>([[row, '']])
  const taken = new Map<string, number>()
  let node: Node | null = row
  for (let left = listBounds.nodesOfRow; node && left > 0; left -= 1) {
    if (node.type === 'text') node = nextNode(node, row)
    else {
      if (node !== row) places.set(node, placeOf(node, places, taken))
      for (const cell of ofElement(node, places.get(node)!, base)) cells.set(cell.place, cell)
      node = nextNode(node, row, unshown.has(node.name) || places.get(node)!.length > maxPathLength)
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
