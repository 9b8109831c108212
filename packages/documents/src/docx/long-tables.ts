// Reads long tables in chunks of rows. Mammoth has four copies of a document in memory while it reads, and most long documents
// are long because of tables. Without them, memory is limited to a multiple of the chunk size, and garbage collection takes
// little time.
import { childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'

// Cells per chunk; smaller tables stay in the document.
const pieceCells = 2_000

/** A table, split into several tables. */
export type Pieces = XmlElement[]

/**
 * Removes the tables of more than about 2,000 cells from a body and returns their chunks, in order. Tables with notes or
 * fields stay. In the body, each table is replaced by the paragraph that `placeOf` returns for its index.
 */
export function takeLongTables(body: XmlElement, placeOf: (index: number) => XmlElement): readonly Pieces[] {
  const taken: Pieces[] = []
  body.children = body.children.map((child) => {
    const pieces = typeof child !== 'string' && child.name === 'w:tbl' ? cut(child) : []
    if (pieces.length < 2) return child
    taken.push(pieces)
    return placeOf(taken.length - 1)
  })
  return taken
}

// Tables with these elements stay whole: notes are numbered through the document, and a field may begin in one row and end in
// another.
const unsplittable = new Set(['w:footnoteReference', 'w:endnoteReference', 'w:fldChar'])

function cut(table: XmlElement): Pieces {
  const pieces: XmlElement[][] = []
  let cells = Infinity
  for (const row of childrenOf(table)) {
    if (row.name !== 'w:tr') continue
    for (const { name } of elementsIn(row)) if (unsplittable.has(name)) return []
    if (cells >= pieceCells && !goesOn(row)) {
      pieces.push([])
      cells = 0
    }
    pieces.at(-1)?.push(pieces.length > 1 ? withoutHead(row) : row)
    cells += row.children.length
  }
  const around = childrenOf(table).filter(({ name }) => name !== 'w:tr')
  const { name, attributes } = table
  return pieces.map((rows) => ({ name, attributes, children: [...around, ...rows] }))
}

/** Returns whether a cell of the row above extends into this row. */
function goesOn(row: XmlElement): boolean {
  return childrenOf(row, 'w:tc').some((cell) => {
    const merge = childOf(childOf(cell, 'w:tcPr'), 'w:vMerge')
    return merge !== undefined && merge.attributes['w:val'] !== 'restart'
  })
}

function withoutHead(row: XmlElement): XmlElement {
  const children = row.children.map((child) =>
    typeof child !== 'string' && child.name === 'w:trPr'
      ? { ...child, children: childrenOf(child).filter(({ name }) => name !== 'w:tblHeader') }
      : child,
  )
  return { ...row, children }
}

/** Returns the HTML of the chunks joined into one table. Empty without chunks. */
export function joinTables(pieces: readonly string[]): string {
  const [first = '', ...others] = pieces
  const end = /(?:<\/tbody>)?<\/table>$/.exec(first)?.[0] ?? ''
  const rows = others.map((html) => html.replace(/^<table>(?:<tbody>)?/, '').replace(/(?:<\/tbody>)?<\/table>$/, ''))
  return first.slice(0, first.length - end.length) + rows.join('') + end
}
