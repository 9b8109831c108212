// Writes the content of a slide (text, tables, pictures, diagrams) in the reading order of screen readers.
import { makeBlocks, picture, table, type Blocks, type Cell } from '../html/blocks.ts'
import { resolvePart } from '../relations.ts'
import { escapeText } from '../xml/entities.ts'
import { at, childOf, childrenOf, findAll, type XmlElement } from '../xml/tree.ts'
import type { Deck } from './deck.ts'
import { isTitle, placeOf, type Inherited } from './places.ts'
import { addText, lineOf, type TextWork } from './text.ts'

export interface SlideWork extends TextWork {
  readonly deck: Deck
  readonly name: string
  readonly inherited: Inherited
}

// Dates, footers and numbers are repeated on every slide.
const repeated: ReadonlySet<string | undefined> = new Set(['dt', 'ftr', 'sldNum', 'hdr'])

/**
 * Adds the content of a slide's shapes to the blocks, in document order. Titles, hidden shapes, dates, footers and slide
 * numbers are omitted.
 */
export function addShapes(tree: XmlElement, blocks: Blocks, work: SlideWork): void {
  for (const shape of childrenOf(tree)) addShape(shape, blocks, work)
}

function addShape(shape: XmlElement, blocks: Blocks, work: SlideWork): void {
  const looks = at(childrenOf(shape)[0], 'p:cNvPr').attributes
  if (looks['hidden'] === '1') return
  if (shape.name === 'p:grpSp') addShapes(shape, blocks, work)
  else if (shape.name === 'mc:AlternateContent') {
    addShapes(childOf(shape, 'mc:Choice') ?? at(shape, 'mc:Fallback'), blocks, work)
  } else if (shape.name === 'p:pic') blocks.add(pictureBlock(looks))
  else if (shape.name === 'p:graphicFrame') addGraphic(shape, blocks, work)
  else if (shape.name === 'p:sp') addBox(shape, blocks, work)
}

function pictureBlock(looks: Readonly<Record<string, string>>): string {
  const html = picture(looks['descr'] || looks['title'])
  return html && `<p>${html}</p>`
}

function addBox(shape: XmlElement, blocks: Blocks, work: SlideWork): void {
  const place = placeOf(shape)
  const type = place?.attributes['type']
  const body = childOf(shape, 'p:txBody')
  if (!body || repeated.has(type) || isTitle(shape)) return
  addText(body, blocks, (level) => work.inherited(place, level), work)
}

function addGraphic(frame: XmlElement, blocks: Blocks, work: SlideWork): void {
  const data = at(frame, 'a:graphic', 'a:graphicData')
  const grid = childOf(data, 'a:tbl')
  if (grid) return blocks.add(tableHtml(grid, work))
  const diagram = childOf(data, 'dgm:relIds')?.attributes['r:dm']
  if (diagram !== undefined) return addDiagram(diagram, blocks, work)
  blocks.add(pictureBlock(at(childrenOf(frame)[0], 'p:cNvPr').attributes))
}

/** Writes a diagram as a list of its labels, without arrows. */
function addDiagram(id: string, blocks: Blocks, { deck, name }: SlideWork): void {
  const relation = deck.relations(name).find((candidate) => candidate.id === id && !candidate.isExternal)
  const path = relation && resolvePart(name, relation.target)
  // A diagram occurs in one place, and a small file could refer to a long one very often.
  const model = path === undefined || deck.shown.has(path) ? undefined : deck.part(path)
  if (path !== undefined) deck.shown.add(path)
  for (const body of model ? findAll(model, 'dgm:t') : []) {
    const line = lineOf(body)
    if (line !== '') blocks.item({ level: 0, isOrdered: false, html: escapeText(line) })
  }
}

function tableHtml(grid: XmlElement, work: SlideWork): string {
  const rows = childrenOf(grid, 'a:tr').map((row) =>
    childrenOf(row, 'a:tc')
      .filter(({ attributes }) => attributes['hMerge'] !== '1' && attributes['vMerge'] !== '1')
      .map((cell) => readCell(cell, work)),
  )
  return table(rows, at(grid, 'a:tblPr').attributes['firstRow'] === '1' ? 1 : 0)
}

function readCell(cell: XmlElement, work: SlideWork): Cell {
  const blocks = makeBlocks()
  const body = childOf(cell, 'a:txBody')
  if (body) addText(body, blocks, () => 'none', work)
  const html = blocks.html()
  return {
    html: /^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(html)?.[1] ?? html,
    columns: Number(cell.attributes['gridSpan'] ?? 1) || 1,
    rows: Number(cell.attributes['rowSpan'] ?? 1) || 1,
  }
}
