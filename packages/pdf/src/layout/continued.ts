// Tables that continue on the next page.
import type { Block, Cell, Row, Table, TableBlock } from '../types.ts'
import { joinRuns, type Words } from './join.ts'
import { textOf } from './lines.ts'

const near = 6
const maxNoteLength = 80
const title =
  /(?:table|tab\.|tabelle|tableau|tabla|tabela|tabella|cuadro) ?(?:[a-z]{0,2}\d+[a-z]?|[ivxlc]+|[a-z])(?:[.-]\d+)*[.:]?/
const continued =
  /continued(?: overleaf| (?:on|from) (?:(?:the )?(?:next|previous) page|(?:page|p\.) ?\d+))?|cont['\u2019]?d?|fortsetzung|fortgesetzt|continuaci[o\u00f3]n|continua\u00e7\u00e3o/
// The whole line, so that no sentence with such a word is taken for a note. After a caption only in brackets, and without
// markers that are also other words.
const note = new RegExp(
  `^(?:(?:${title.source})?[\\s([\\u2013\\u2014,-]*(?:${continued.source}|forts|suite|continua)[\\s)\\].:\\u2026]*|(?:${title.source})[^()]{1,80}\\((?:${continued.source})\\)[\\s.:]*)$`,
  'iu',
)
// Words at the beginning of a row that is not the rest of the one before.
const total = /^(?:sub|grand )?(?:total|sum(?:me|a)?\b|gesamt|insgesamt|summe|somme|saldo|balance)/iu
const units =
  /(?<!\p{L})(?:EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|BRL|MXN|kr|kg|mg|lb|oz|km|cm|mm|ml|min|pcs|Stk|Mio|Mrd|bn|mn)(?!\p{L})/gu

/** A table to which the following pages may still add rows. */
interface OpenTable {
  /** Its part on the first page, with the head of all. */
  readonly first: TableBlock
  readonly head: readonly string[]
  readonly rows: Row[]
  /** Its part on the last page so far. */
  last: TableBlock
  /** Whether the first cell of each row has text. */
  isNamed: boolean
  /** Notes after it. */
  notes: Block[]
}

/**
 * Joins tables that continue on the next page: the last block of one page and the first one of the next. Heads that are repeated
 * there, and notes such as "Table 2 (continued)" between the parts, are omitted. A row that the page break splits becomes one.
 */
export function joinTables(blocks: readonly Block[], words: Words): Block[] {
  const joined: Block[] = []
  let open: OpenTable | undefined
  const close = (): void => {
    if (open) joined.push(open.last === open.first ? open.first : { ...open.first, rows: open.rows }, ...open.notes)
    open = undefined
  }
  for (const block of blocks) {
    if (open && isNote(block) && block.page <= open.last.page + 1) open.notes.push(block)
    else if (open && block.kind === 'table' && block.page === open.last.page + 1 && isSameTable(open, block))
      addPart(open, block, words)
    else {
      close()
      if (block.kind === 'table') open = openTable(block)
      else joined.push(block)
    }
  }
  close()
  return joined
}

function openTable(first: TableBlock): OpenTable {
  const { rows } = first
  const head = rows.slice(0, Math.max(1, rows.filter(({ isHead }) => isHead).length)).map(keyOf)
  return { first, head, rows: [...rows], last: first, isNamed: rows.every(isNamed), notes: [] }
}

/** Returns whether a block is a note that a table continues. */
function isNote(block: Block): boolean {
  return block.kind === 'text' && block.lines === 1 && block.text.length <= maxNoteLength && note.test(block.text)
}

/**
 * Returns whether a table has the same columns: with the same head, at the same place, or with its text at the same place. A table
 * with a head of its own in bold is another one.
 */
function isSameTable({ first, head }: OpenTable, second: TableBlock): boolean {
  if (widthOf(first.rows) !== widthOf(second.rows) || !first.box || !second.box) return false
  if (repeatedRows(head, second.rows) > 0) return true
  const isOpen = first.isOpenBelow === true || second.isOpenAbove === true
  if (!isOpen && hasBoldHead(first) && hasBoldHead(second)) return false
  return (
    (isNear(first.box.left, second.box.left) && isNear(first.box.right, second.box.right)) ||
    areSameColumns(first, second)
  )
}

/** Returns whether the first row has words in all cells, in bold, and the second one is not in bold. Totals have numbers. */
function hasBoldHead({ rows: [top, second] }: Table): boolean {
  if (!top || !second || !isBold(top) || isBold(second)) return false
  return top.cells.every(({ runs }) => /\p{L}{2}/u.test(textOf(runs)))
}

function isBold({ cells }: Row): boolean {
  return cells.every(({ runs }) => runs.every(({ bold, text }) => bold || text.trim() === ''))
}

/** Returns whether the text of each column begins or ends at the same position, in at least two columns. */
function areSameColumns(first: Table, second: Table): boolean {
  if (first.columns.length !== second.columns.length) return false
  const pairs = first.columns.flatMap((column, at) => {
    const other = second.columns[at]
    return column && other ? [isNear(column.left, other.left) || isNear(column.right, other.right)] : []
  })
  return pairs.length >= 2 && pairs.every(Boolean)
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < near
}

/** Returns the number of columns, from the first row, in which no cell can come from above. */
function widthOf([first]: readonly Row[]): number {
  return first?.cells.reduce((sum, { colspan }) => sum + colspan, 0) ?? 0
}

/** Adds the rows of the next page. Its time does not depend on the number of rows before. */
function addPart(table: OpenTable, part: TableBlock, words: Words): void {
  const repeated = repeatedRows(table.head, part.rows)
  const [top, ...rest] = part.rows.slice(repeated).map((row) => ({ ...row, isHead: false }))
  const bottom = table.rows.at(-1)
  const isOpen = table.last.isOpenBelow === true || (repeated === 0 && part.isOpenAbove === true)
  const isAlwaysNamed = table.isNamed && rest.every(isNamed)
  table.isNamed = isAlwaysNamed
  table.last = part
  table.notes = []
  if (!top) return
  if (bottom && isRestOfRow(bottom, top, isOpen, isAlwaysNamed)) {
    const cells = bottom.cells.map((cell, at) => {
      const below = top.cells[at]
      return below && !isEmpty(below) ? { ...cell, runs: joinRuns(cell.runs, below.runs, words) } : cell
    })
    table.rows[table.rows.length - 1] = { ...bottom, cells }
  } else {
    table.rows.push(top)
    table.isNamed &&= isNamed(top)
  }
  for (const row of rest) table.rows.push(row)
}

/**
 * Returns whether the first row of a page is the rest of the last row before it. Each of its filled cells continues a filled
 * cell, none is a number or a total, and it has an empty cell unless the lines of the table are open at the page break. Either
 * its first cell is empty as in no other row, or all of its cells continue in the middle of a sentence.
 */
function isRestOfRow(bottom: Row, top: Row, isOpen: boolean, isAlwaysNamed: boolean): boolean {
  const cells = [...bottom.cells, ...top.cells]
  if (bottom.isHead || bottom.cells.length !== top.cells.length) return false
  if (cells.some(({ colspan, rowspan }) => colspan > 1 || rowspan > 1)) return false
  if (!isOpen && !top.cells.some(isEmpty)) return false
  const pairs = top.cells.flatMap((cell, at) => {
    const above = bottom.cells[at]
    return isEmpty(cell) ? [] : [[above ? textOf(above.runs).trim() : '', textOf(cell.runs).trim()] as const]
  })
  if (pairs.length === 0 || pairs.some(([above, below]) => above === '' || isNumber(below) || total.test(below)))
    return false
  if (!isNamed(top) && isAlwaysNamed) return isOpen || pairs.every(([above, below]) => mayGoOn(above, below))
  return pairs.every(([above, below]) => goesOn(above, below))
}

function isNamed({ cells: [name] }: Row): boolean {
  return name !== undefined && !isEmpty(name)
}

/** Returns whether a cell is a number, perhaps with a unit or a currency. */
function isNumber(text: string): boolean {
  return /\p{N}/u.test(text) && !/\p{L}{2}/u.test(text.replaceAll(units, ''))
}

/** Returns whether words may continue on the next page: they are long, or the first one there is in lower case. */
function mayGoOn(above: string, below: string): boolean {
  const areWords = /\p{L}{2}/u.test(above) && /\p{L}{2}/u.test(below)
  return areWords && (above.length > 20 || /^\p{Ll}/u.test(below))
}

function goesOn(above: string, below: string): boolean {
  return /[\p{L}\p{N},\-\u2010\u00ad]\s*$/u.test(above) && /^\s*\p{Ll}/u.test(below) && above.length > 20
}

function isEmpty({ runs }: Cell): boolean {
  return textOf(runs).trim() === ''
}

/** Returns how many rows at the beginning of a table repeat the head. */
function repeatedRows(head: readonly string[], rows: readonly Row[]): number {
  const other = head.findIndex((key, at) => {
    const row = rows[at]
    return !row || keyOf(row) !== key
  })
  return other < 0 ? head.length : other
}

function keyOf({ cells }: Row): string {
  return JSON.stringify(cells.map(({ runs, colspan }) => [textOf(runs).trim(), colspan]))
}
