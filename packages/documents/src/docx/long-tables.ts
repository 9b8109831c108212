// Mammoth holds a document four times while it reads. Tables are what makes documents long, so a long one is taken out
// and read in pieces of some rows each: memory, and the time that is lost for want of it, stay those of a piece.
import { childOf, childrenOf, elementsIn, type XmlElement } from '../xml/tree.ts'

// Cells of one piece; a table of less than two pieces is left where it is.
const pieceCells = 2_000

/** A table, cut into tables. */
export type Pieces = XmlElement[]

/** Takes the long tables out of a body; where one stood is a paragraph that `placeOf` makes. */
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

// Notes are numbered through the document, and a field may begin in one row and end in another.
const whole = new Set(['w:footnoteReference', 'w:endnoteReference', 'w:fldChar'])

function cut(table: XmlElement): Pieces {
  const pieces: XmlElement[][] = []
  let cells = Infinity
  for (const row of childrenOf(table)) {
    if (row.name !== 'w:tr') continue
    for (const { name } of elementsIn(row)) if (whole.has(name)) return []
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

/** A cell of the row above reaches into it. */
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

/** One table again, of the HTML of its pieces. */
export function joinTables(pieces: readonly string[]): string {
  const [first = '', ...others] = pieces
  const end = /(?:<\/tbody>)?<\/table>$/.exec(first)?.[0] ?? ''
  const rows = others.map((html) => html.replace(/^<table>(?:<tbody>)?/, '').replace(/(?:<\/tbody>)?<\/table>$/, ''))
  return first.slice(0, first.length - end.length) + rows.join('') + end
}
