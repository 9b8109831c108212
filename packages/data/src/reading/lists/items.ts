// Reads the main list of a page.
import { type Base, type Element, elementsOf, lineOf, openPage, textOf } from '@harvestman/html/internal'
import { rowsOfKnown, shapeOf } from './again.ts'
import { findRows } from './blocks.ts'
import { cellsOf, type Cell } from './cells.ts'
import { joinRecords, type ShownRows } from './joined.ts'
import { moreOf, nextInHead } from './more.ts'
import { recordListsIn, recordListsOf } from './records.ts'
import { selectorOf } from './selector.ts'
import { placeCells, tableCells } from './spans.ts'
import { totalOf } from './total.ts'
import {
  listBounds,
  type ItemList,
  type ItemRow,
  type ItemValue,
  type KnownColumn,
  type KnownList,
  type Listing,
  type PlacedColumn,
} from './types.ts'
import { kindOf, readValue } from './values.ts'

type Cells = ReadonlyMap<string, Cell>

interface Read {
  readonly element: Element
  readonly cells: Cells
}

/**
 * Reads the main list of a page: columns, rows without duplicates, and the total number according to the page. Without a list,
 * there are no rows.
 */
export function readItems(html: string, url: string): ItemList {
  const { root, base } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  return itemsIn(root, base)
}

/** Reads the main list of a parsed page, as `readItems` does for HTML. Without a list, there are no rows. */
export function itemsIn(root: Element, base: Base): ItemList {
  const { columns, rows, total, next, json } = listingIn(root, base)
  const named = columns.map(({ name, kind }) => ({ name, kind }))
  return {
    columns: named,
    rows,
    ...(json && { json }),
    ...(total !== undefined && { total }),
    ...(next !== undefined && { next }),
  }
}

/** Reads the list of a parsed page, with the data needed to continue it. Known columns keep their names. */
export function listingIn(root: Element, base: Base, known: KnownList = {}): Listing {
  const elements = rowsOfKnown(root, findRows(root), base, known)
  const rows = readRows(elements, base)
  const columns = columnsOf(rows, headersOf(elements), known.columns ?? [])
  const row = shapeOf(elements)
  const { found, by } = distinct(rows, columns)
  const shown = { columns, rows: found.map(({ row }) => row), ids: found.map(({ id }) => id), ...(by && { by }) }
  const answered = recordListsOf(known.answers ?? [])
  const lists = answered.length > 0 ? answered : recordListsIn(root, found.length * minRecords)
  const joined = joinRecords(shown, lists, base)
  const total = totalOf(root, new Set(elements)) ?? joined.total
  const [first] = elements
  const { more } = moreOf(root, elements, base)
  const next = more?.url ?? nextInHead(root, base)
  return {
    columns: joined.columns,
    rows: joined.rows,
    ids: joined.ids,
    ...(joined.json && { json: joined.json }),
    ...(row && { row }),
    ...(total !== undefined && { total }),
    ...(first?.parent && { place: selectorOf(first.parent) }),
    ...(more && { more }),
    ...(next !== undefined && { next }),
  }
}

/** JSON lists with fewer records than this share of the rows are other lists. */
const minRecords = 0.9

function readRows(elements: readonly Element[], base: Base): readonly Read[] {
  const placed = placeCells(elements)
  const rows = elements.filter((element) => !isHeader(element))
  return rows
    .map((element) => ({ element, cells: cellsOf(element, base, placed?.get(element)) }))
    .filter(({ cells }) => cells.size > 0)
}

function isHeader({ name, first }: Element): boolean {
  if (name !== 'tr') return false
  for (let child = first; child; child = child.next) if (child.type === 'element' && child.name !== 'th') return false
  return true
}

const maxHeaders = 4

/** Returns the column headers of a table. Headers above several columns are in front of those below them. */
function headersOf([first]: readonly Element[]): readonly string[] {
  const table =
    first?.name === 'tr' ? (first.parent?.name === 'table' ? first.parent : first.parent?.parent) : undefined
  const rows = table ? elementsOf(table).filter(({ name }) => name === 'tr') : []
  const start = rows.findIndex(isHeader)
  if (start < 0) return []
  const after = rows.slice(start, start + maxHeaders)
  const end = after.findIndex((row) => !isHeader(row))
  const headers = end < 0 ? after : after.slice(0, end)
  const placed = placeCells(headers)
  if (!placed) return tableCells(headers[0]!).map((cell) => lineOf(textOf(cell)))
  const names: Set<string>[] = []
  for (const { cell, column, columns } of headers.flatMap((row) => placed.get(row) ?? []))
    for (let at = column; at < column + columns; at++) (names[at] ??= new Set()).add(lineOf(textOf(cell)))
  return Array.from(names, (texts) => [...(texts ?? [])].filter(Boolean).join(' '))
}

/** Positions that occur in a smaller share of the rows are omitted. */
const minShare = 0.1

function columnsOf(
  rows: readonly Read[],
  headers: readonly string[],
  known: readonly KnownColumn[],
): readonly PlacedColumn[] {
  const byPlace = new Map<string, Cell[]>()
  for (const { cells } of rows) {
    for (const [place, cell] of cells) {
      const all = byPlace.get(place)
      if (all) all.push(cell)
      else if (byPlace.size < listBounds.columns * 4) byPlace.set(place, [cell])
    }
  }
  const nameOf = new Map(known.map(({ place, name }) => [place, name]))
  const names = new Set(nameOf.values())
  const frequent = [...byPlace]
    .filter(([, cells]) => cells.length >= rows.length * minShare)
    .slice(0, listBounds.columns)
  return frequent.map(([place, cells]) => {
    const [{ kind, name }] = cells as [Cell]
    const header = kind === 'text' ? headers[Number(/^>td\.[^>]*?(?::(\d+))?(?:>|$)/.exec(place)?.[1] ?? 0)] : undefined
    return {
      place,
      kind: kind === 'text' ? kindOf(cells.map(({ words }) => words)) : kind,
      name: nameOf.get(place) ?? freeName(header || name || 'text', names),
    }
  })
}

function freeName(wanted: string, names: Set<string>): string {
  let name = wanted
  for (let count = 2; names.has(name); count += 1) name = `${wanted}${count}`
  names.add(name)
  return name
}

interface Found {
  readonly id: string
  readonly row: ItemRow
}

/** Removes duplicate rows. Rows with equal values but different ids or links are distinct. */
function distinct(
  rows: readonly Read[],
  columns: readonly PlacedColumn[],
): { readonly found: readonly Found[]; readonly by: ShownRows['by'] } {
  const found = new Map<string, Found>()
  const tellers = [
    ...ids.map((attribute) => ({ tell: byAttribute(attribute), by: { attribute } })),
    ...columns
      .filter(({ kind }) => kind === 'link')
      .map((column) => ({ tell: byLink(column), by: { column: column.name } })),
    { tell: byElement, by: undefined },
  ]
  const { tell: own, by } = tellers.find(({ tell }) => tellsApart(rows.map(tell))) ?? {}
  for (const read of rows) {
    const row = rowOf(read.cells, columns)
    const words = JSON.stringify(row)
    const identity = own?.(read) ?? words
    // An element id may depend on the position and recur on the next page, so it is only used within this page.
    if (!found.has(identity)) found.set(identity, { id: own === byElement ? words : identity, row })
  }
  return { found: [...found.values()], by }
}

type Tell = (row: Read) => string | undefined

const ids = ['data-id', 'data-item-id', 'data-product-id', 'data-key', 'data-sku', 'data-asin'] as const

const byAttribute =
  (name: string): Tell =>
  ({ element: { attributes } }) =>
    attributes[name] ? `${name}=${attributes[name]}` : undefined

const byElement = byAttribute('id')

const byLink =
  ({ place }: PlacedColumn): Tell =>
  ({ cells }) =>
    cells.get(place)?.words

/** Whether these values identify rows: most rows have one, and few share it. Links to a seller, for example, do not. */
function tellsApart(values: readonly (string | undefined)[]): boolean {
  const present = values.filter((one) => one !== undefined)
  return present.length * 2 > values.length && new Set(present).size * 2 > present.length
}

function rowOf(cells: Cells, columns: readonly PlacedColumn[]): ItemRow {
  const entries: [string, ItemValue][] = []
  for (const { place, name, kind } of columns) {
    const words = cells.get(place)?.words
    const value = words === undefined ? undefined : readValue(words, kind)
    if (value !== undefined) entries.push([name, value])
  }
  return Object.fromEntries(entries)
}
