// Writes tables whose cells span rows or columns as HTML, which Markdown allows between blank lines. Markdown is not
// interpreted in it, so the content of the cells is HTML, too.
import type { Element, Node } from '../tree/tree.ts'
import { resolve } from './address.ts'
import { footnotesOf, mayRefer } from './footnotes.ts'
import { isScript } from './links.ts'
import { shownText } from './look.ts'
import { beginBlock, type Sheet } from './sheet.ts'
import { laySpans, type Cell, type SpanningCell } from './table-grid.ts'

/** A cell with its element in the page. */
export interface SourceCell extends Cell {
  readonly element: Element
}

/**
 * Writes the table if it needs spans and its cells have only text, links, emphasis, code, lists and line breaks. Returns false,
 * and writes nothing, for other tables.
 */
export function writeSpanTable(sheet: Sheet, cells: readonly (readonly SourceCell[])[], hasHead: boolean): boolean {
  const rows = laySpans(cells)
  if (!rows || !rows.every((row) => row.every(({ cell }) => isSimple(sheet, cell.element)))) return false
  beginBlock(sheet, 'html')
  sheet.out.push('<table>')
  for (const [y, row] of rows.entries()) {
    sheet.out.push(`\n${sheet.prefix}<tr>`)
    for (const each of row) sheet.out.push(writeCell(sheet, each, hasHead && y === 0))
    sheet.out.push('</tr>')
  }
  sheet.out.push(`\n${sheet.prefix}</table>`)
  return true
}

const kept: ReadonlySet<string> = new Set(
  'a b strong i em u s del code kbd mark sub sup ul ol li blockquote pre'.split(' '),
)
const ownLine: ReadonlySet<string> = new Set('p div h1 h2 h3 h4 h5 h6 dl dt dd section'.split(' '))
const transparent: ReadonlySet<string> = new Set(['br', 'span', 'td', 'th', 'font', 'small', 'bdi'])

/** Returns whether all content of a cell can be written as HTML. References to footnotes cannot. */
function isSimple(sheet: Sheet, cell: Element): boolean {
  const pending: Node[] = [cell]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === 'text' || sheet.leftOut.has(node)) continue
    const { name, attributes } = node
    if (!kept.has(name) && !ownLine.has(name) && !transparent.has(name)) return false
    const { href } = attributes
    if (href !== undefined && mayRefer(node, href) && footnotesOf(sheet).references.has(node)) return false
    for (let child = node.first; child; child = child.next) pending.push(child)
  }
  return true
}

function writeCell(sheet: Sheet, { cell, columns, rows }: SpanningCell<SourceCell>, isHead: boolean): string {
  const tag = isHead ? 'th' : cell.element.name
  const across = columns > 1 ? ` colspan="${columns}"` : ''
  const down = rows > 1 ? ` rowspan="${rows}"` : ''
  return `<${tag}${across}${down}>${tidy(contentOf(sheet, cell.element, 0))}</${tag}>`
}

// The edge of a line, and a space in code: control characters, which the content cannot have.
const edge = '\u0001'
const codeSpace = '\u0002'
/** Content that is nested deeper loses its elements. */
const maxDepth = 32

function contentOf(sheet: Sheet, element: Element, depth: number): string {
  let html = ''
  for (let child = element.first; child; child = child.next) html += nodeOf(sheet, child, depth + 1)
  return html
}

function nodeOf(sheet: Sheet, node: Node, depth: number): string {
  if (sheet.leftOut.has(node)) return ''
  if (node.type === 'text') return escapeText(node.text)
  const { name, attributes } = node
  if (depth > maxDepth) return escapeText(shownText(node, sheet.leftOut))
  if (name === 'br') return '<br>'
  if (name === 'pre') return `<pre>${linesOf(shownText(node, sheet.leftOut))}</pre>`
  const inner = contentOf(sheet, node, depth)
  if (ownLine.has(name)) return `${edge}${inner}${edge}`
  if (!kept.has(name) || !/[^ \u0001]/.test(inner)) return inner
  if (name !== 'a') return `<${name}>${inner}</${name}>`
  const { href } = attributes
  const url = href === undefined ? undefined : resolve(sheet.base, href)
  if (url === undefined || isScript(url)) return inner
  return `<a href="${escapeSigns(url)}">${inner}</a>`
}

/** Escapes code. Its line breaks become elements, because an empty line would end the table. */
function linesOf(code: string): string {
  return escapeSigns(code.trimEnd())
    .replaceAll(/[ \t\u0001\u0002]/g, codeSpace)
    .replaceAll(/\r?\n|\r/g, '<br>')
}

const blockTag = /^<\/?(?:ul|ol|li|blockquote|pre)>$/

/** Turns edges of lines into line breaks, except where a cell, list or other block starts or ends. Joins spaces. */
function tidy(html: string): string {
  let line = ''
  let gap = ''
  let isLineStart = true
  const writeGap = (): void => {
    line += gap === edge ? '<br>' : gap
    isLineStart = gap === edge
    gap = ''
  }
  for (const [token] of html.matchAll(/<[^>]*>|[ \u0001]+|[^< \u0001]+/g)) {
    if (token.startsWith(' ') || token.startsWith(edge)) {
      if (!isLineStart && gap !== edge) gap = token.includes(edge) ? edge : ' '
      continue
    }
    const isBlock = blockTag.test(token)
    if (isBlock) gap = ''
    // Gaps before the end of an element are written after it, if anything follows.
    if (gap !== '' && !token.startsWith('</')) writeGap()
    line += token
    if (isBlock || token === '<br>') isLineStart = true
    else if (!token.startsWith('<')) isLineStart = false
  }
  return line.replaceAll(codeSpace, ' ')
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for one line of HTML. */
function escapeText(text: string): string {
  return escapeSigns(text.replaceAll(/[ \t\n\f\r\u0001\u0002]+/g, ' '))
}

function escapeSigns(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
}
