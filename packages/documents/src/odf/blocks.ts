// Writes the blocks of OpenDocument files: paragraphs, headings, nested lists, tables.
import { heading, isBlank, makeBlocks, paragraph, table, type Blocks, type Cell } from '../html/blocks.ts'
import { childrenOf, type XmlElement } from '../xml/tree.ts'
import { inline, type OdfWork } from './inline.ts'
import { listWriter, unwrapped } from './lists.ts'

type Write = (element: XmlElement, target: Blocks) => void

/**
 * Creates a function that writes the blocks inside an element as HTML, and numbers lists that continue after other text.
 * `make` receives this function and returns the context of the file.
 */
export function odfBlocks(make: (blocks: (element: XmlElement) => string) => OdfWork): (element: XmlElement) => string {
  const blocks = (element: XmlElement): string => {
    const target = makeBlocks()
    fill(element, target)
    return target.html()
  }
  const work = make(blocks)

  const fill: Write = (element, target) => {
    for (const child of childrenOf(element)) block(child, target)
  }

  const block: Write = (element, target) => {
    const write = Object.hasOwn(writers, element.name) ? writers[element.name] : undefined
    if (write) write(element, target)
    else if (!silent.has(element.name)) fill(element, target)
  }

  /** Text boxes are written after the paragraph that they are anchored to. */
  const withBoxes = (write: () => string): string => {
    const before = work.boxes.length
    const html = write()
    return html + work.boxes.splice(before).join('')
  }

  const text = (element: XmlElement): string =>
    withBoxes(() => styled(inline(element, work), work.styles.ancestry(element.attributes['text:style-name'])))

  const title = (element: XmlElement): string =>
    withBoxes(() => heading(Number(element.attributes['text:outline-level'] ?? 1) || 1, inline(element, work)))

  const list = listWriter({ work, fill, blocks })

  const adding =
    (write: (element: XmlElement) => string): Write =>
    (element, target) =>
      target.add(write(element))

  const writers: Readonly<Record<string, Write>> = {
    'text:p': adding(text),
    'text:h': adding(title),
    'text:list': (element, target) => list(element, { style: undefined, level: 0 }, target),
    'table:table': adding((element) => grid(element, blocks)),
    'draw:frame': adding((element) =>
      withBoxes(() => paragraph(inline({ name: '', attributes: {}, children: [element] }, work))),
    ),
  }
  return blocks
}

function styled(html: string, ancestry: readonly string[]): string {
  if (ancestry.includes('Title')) return heading(1, html)
  const level = ancestry.map((name) => /^Heading (\d)$/.exec(name)?.[1]).find((found) => found !== undefined)
  if (level !== undefined) return heading(Number(level), html)
  if (ancestry.includes('Preformatted Text')) return `<pre>${html}</pre>`
  return ancestry.includes('Quotations') || ancestry.includes('Quote') ? quote(html) : paragraph(html)
}

const silent: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'svg:title',
  'svg:desc',
  'text:index-title-template',
  'text:table-of-content-source',
  'table:covered-table-cell',
])

function quote(html: string): string {
  return isBlank(html) ? '' : `<blockquote><p>${html}</p></blockquote>`
}

function grid(element: XmlElement, blocks: (element: XmlElement) => string): string {
  const head = childrenOf(element, 'table:table-header-rows').flatMap((rows) => childrenOf(rows, 'table:table-row'))
  const rows = rowsOf(element).map((row) => childrenOf(row, 'table:table-cell').map((cell) => readCell(cell, blocks)))
  return table(rows, head.length)
}

function readCell(cell: XmlElement, blocks: (element: XmlElement) => string): Cell {
  return {
    html: unwrapped([blocks(cell)]),
    columns: Number(cell.attributes['table:number-columns-spanned'] ?? 1) || 1,
    rows: Number(cell.attributes['table:number-rows-spanned'] ?? 1) || 1,
  }
}

/** Returns the rows, including those in nested groups. */
function rowsOf(element: XmlElement): XmlElement[] {
  return childrenOf(element).flatMap((child) =>
    child.name === 'table:table-row' ? [child] : rowGroups.has(child.name) ? rowsOf(child) : [],
  )
}

const rowGroups: ReadonlySet<string> = new Set(['table:table-header-rows', 'table:table-rows', 'table:table-row-group'])
