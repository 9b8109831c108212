// The door of this room: a page becomes the rows of its list.
import { openPage } from '../page/page.ts'
import type { Base } from '../addresses/urls.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf, lineOf, textOf } from '../tree/walk.ts'
import { findRows } from './blocks.ts'
import { cellsOf, type Cell } from './cells.ts'
import { totalOf } from './total.ts'
import { listBounds, type ItemColumn, type ItemList, type ItemRow, type ItemValue } from './types.ts'
import { kindOf, readValue } from './values.ts'

type Cells = ReadonlyMap<string, Cell>

interface Placed extends ItemColumn {
  readonly place: string
}

interface Read {
  readonly element: Element
  readonly cells: Cells
}

/** Reads the list of a page: its columns, its rows without duplicates, and how many items the page says there are. */
export function readItems(html: string, url: string): ItemList {
  const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  return itemsIn(root, base)
}

/** The same of a page that is parsed already. */
export function itemsIn(root: Element, base: Base): ItemList {
  const elements = findRows(root)
  const rows = readRows(elements, base)
  const columns = columnsOf(rows, headersOf(elements))
  const total = totalOf(root, new Set(elements))
  return {
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    rows: distinct(rows, columns),
    ...(total === undefined ? {} : { total }),
  }
}

function readRows(elements: readonly Element[], base: Base): readonly Read[] {
  const rows = elements.filter((element) => !isHeader(element))
  return rows.map((element) => ({ element, cells: cellsOf(element, base) })).filter(({ cells }) => cells.size > 0)
}

function isHeader({ name, first }: Element): boolean {
  if (name !== 'tr') return false
  for (let child = first; child; child = child.next) if (child.type === 'element' && child.name !== 'th') return false
  return true
}

/** The words over the columns of a table. */
function headersOf([first]: readonly Element[]): readonly string[] {
  const table =
    first?.name === 'tr' ? (first.parent?.name === 'table' ? first.parent : first.parent?.parent) : undefined
  const header = table && elementsOf(table).find((element) => element.name === 'tr' && isHeader(element))
  return header
    ? elementsOf(header)
        .filter(({ name }) => name === 'th')
        .map((cell) => lineOf(textOf(cell)))
    : []
}

/** A place that fewer of the rows have is a peculiarity of these rows. */
const leastPart = 0.1

function columnsOf(rows: readonly Read[], headers: readonly string[]): readonly Placed[] {
  const byPlace = new Map<string, Cell[]>()
  for (const { cells } of rows) {
    for (const [place, cell] of cells) {
      const all = byPlace.get(place)
      if (all) all.push(cell)
      else if (byPlace.size < listBounds.columns * 4) byPlace.set(place, [cell])
    }
  }
  const names = new Set<string>()
  const kept = [...byPlace].filter(([, cells]) => cells.length >= rows.length * leastPart).slice(0, listBounds.columns)
  return kept.map(([place, cells]) => {
    const [{ kind, name }] = cells as [Cell]
    const header = kind === 'text' ? headers[Number(/^>td\.[^>]*?(?::(\d+))?(?:>|$)/.exec(place)?.[1] ?? 0)] : undefined
    return {
      place,
      kind: kind === 'text' ? kindOf(cells.map(({ words }) => words)) : kind,
      name: freeName(header || name || 'text', names),
    }
  })
}

function freeName(wanted: string, names: Set<string>): string {
  let name = wanted
  for (let count = 2; names.has(name); count += 1) name = `${wanted}${count}`
  names.add(name)
  return name
}

/** Rows by identity: two items that read the same are two items when their ids or links differ. */
function distinct(rows: readonly Read[], columns: readonly Placed[]): readonly ItemRow[] {
  const found = new Map<string, ItemRow>()
  const tellers = [...ids.map(byAttribute), ...columns.filter(({ kind }) => kind === 'link').map(byLink)]
  const own = tellers.find((tell) => tellsApart(rows.map(tell)))
  for (const read of rows) {
    const row = rowOf(read.cells, columns)
    const identity = own?.(read) ?? JSON.stringify(row)
    if (!found.has(identity)) found.set(identity, row)
  }
  return [...found.values()]
}

type Tell = (row: Read) => string | undefined

const ids = ['data-id', 'data-item-id', 'data-product-id', 'data-key', 'data-sku', 'data-asin', 'id'] as const

const byAttribute =
  (name: string): Tell =>
  ({ element: { attributes } }) =>
    attributes[name] ? `${name}=${attributes[name]}` : undefined

const byLink =
  ({ place }: Placed): Tell =>
  ({ cells }) =>
    cells.get(place)?.words

/** Whether these are identities: most rows have one, and few share it, as they would the link to their seller. */
function tellsApart(told: readonly (string | undefined)[]): boolean {
  const said = told.filter((one) => one !== undefined)
  return said.length * 2 > told.length && new Set(said).size * 2 > said.length
}

function rowOf(cells: Cells, columns: readonly Placed[]): ItemRow {
  const entries: [string, ItemValue][] = []
  for (const { place, name, kind } of columns) {
    const words = cells.get(place)?.words
    const value = words === undefined ? undefined : readValue(words, kind)
    if (value !== undefined) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}
