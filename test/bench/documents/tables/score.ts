// Compares the tables of a document that was read with those that were written.
import { parseHtml } from '../../../../packages/html/src/parse/parse.ts'
import { nextNode } from '../../../../packages/html/src/tree/walk.ts'
import type { Element } from '../../../../packages/html/src/tree/tree.ts'

import type { MadeTable } from './made.ts'

export interface Counts {
  /** Cells with text that were written, that were read, and that are right: same text, row, column and spans. */
  readonly written: number
  readonly read: number
  readonly right: number
}

/** Keys of the cells with text of each table, with their row, column and spans. */
export function tablesOf(html: string): string[][] {
  const { root } = parseHtml(html)
  const found: string[][] = []
  for (let node = nextNode(root, root); node; node = nextNode(node, root))
    if (node.type === 'element' && node.name === 'table') found.push(cellsOf(node))
  return found
}

function cellsOf(table: Element): string[] {
  const taken = new Set<string>()
  const cells: string[] = []
  let row = -1
  let column = 0
  for (let node = nextNode(table, table); node; node = nextNode(node, table)) {
    if (node.type !== 'element') continue
    if (node.name === 'tr') {
      row += 1
      column = 0
    }
    if (node.name !== 'td' && node.name !== 'th') continue
    while (taken.has(`${row} ${column}`)) column += 1
    const [colspan, rowspan] = [Number(node.attributes['colspan'] ?? 1), Number(node.attributes['rowspan'] ?? 1)]
    for (let r = row; r < row + rowspan; r++) for (let c = column; c < column + colspan; c++) taken.add(`${r} ${c}`)
    const text = textOf(node)
    if (text !== '') cells.push(keyOf({ text, row, column, colspan, rowspan }))
    column += colspan
  }
  return cells
}

function textOf(cell: Element): string {
  let text = ''
  for (let node = nextNode(cell, cell); node; node = nextNode(node, cell)) if (node.type === 'text') text += node.text
  return text
}

function keyOf({ text, row, column, colspan, rowspan }: MadeTable['cells'][number]): string {
  return [row, column, rowspan, colspan, text.replaceAll(/\s+/g, ' ').trim()].join(' ')
}

/** Counts the right cells. Each written table is compared with the read table that shares most cells with it. */
export function countCells(tables: readonly MadeTable[], read: readonly (readonly string[])[]): Counts {
  const rest = [...read]
  let [written, right] = [0, 0]
  for (const { cells } of tables) {
    const keys = new Set(cells.filter(({ text }) => text !== '').map(keyOf))
    written += keys.size
    const shared = rest.map((table) => table.filter((key) => keys.has(key)).length)
    const most = Math.max(0, ...shared)
    right += most
    if (most > 0) rest.splice(shared.indexOf(most), 1)
  }
  return { written, read: read.reduce((sum, cells) => sum + cells.length, 0), right }
}
