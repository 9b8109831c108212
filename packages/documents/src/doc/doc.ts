// Reads Word documents of the years before 2007.
import type { CompoundStorage } from '@harvestman/toolbox/compound-file'

import { countElements, type Converting, type Take } from '../converting.ts'
import type { Converted } from '../facts.ts'
import { heading, joinPreformatted, makeBlocks, paragraph, type Blocks } from '../html/blocks.ts'
import { makeNotes } from '../html/notes.ts'
import { makeRtfTable, type RtfTable } from '../rtf/table.ts'
import { summaryFacts } from '../compound/summary.ts'
import { openDoc, type DocFile } from './file.ts'
import { paragraphProperties, textProperties, type Properties } from './properties.ts'
import { docLists, docStyles, type DocList, type DocStyle } from './styles.ts'
import { paragraphsIn, type TextWork } from './text.ts'

const parts = { footnoteMarks: 2, footnotes: 3, texts: 12, paragraphs: 13, endnoteMarks: 46, endnotes: 47 } as const

/**
 * Reads a Word document of the years 1997 to 2006: headings, lists with their numbers, tables with merged cells, links and notes.
 * Throws `unsupported_file` if it is damaged, encrypted or older.
 */
export function readDoc(root: CompoundStorage, work: Converting): Converted {
  const file = openDoc(root)
  const take = countElements(work)
  const notes = makeNotes()
  const { body, footnotes, headers, comments, endnotes } = file.lengths
  const textWork: TextWork = {
    file,
    paragraphAt: paragraphProperties(file.part(parts.paragraphs), file.main),
    textAt: textProperties(file.part(parts.texts), file.main),
    note: () => '',
  }
  const inNote = (from: number, to: number): string => {
    const texts: string[] = []
    for (const { html } of paragraphsIn(from, to, textWork)) {
      if (!take('p')) break
      texts.push(html)
    }
    return joined(texts.map((html) => html.trim()))
  }
  const atFootnote = noteRanges(file, parts.footnoteMarks, parts.footnotes, { start: body, length: footnotes })
  const endStart = body + footnotes + headers + comments
  const atEndnote = noteRanges(file, parts.endnoteMarks, parts.endnotes, { start: endStart, length: endnotes })
  const note = (position: number): string => {
    const range = atFootnote.get(position) ?? atEndnote.get(position)
    return range ? notes.add('', inNote(range.from, range.to)) : ''
  }
  const html = writeBody(body, { ...textWork, note }, take)
  return { html: joinPreformatted(html) + notes.html(), facts: summaryFacts(root) }
}

interface Range {
  readonly from: number
  readonly to: number
}

/** Returns the range of each note by the position of its mark. Ranges that overlap an earlier one are omitted. */
function noteRanges(
  file: DocFile,
  marks: number,
  texts: number,
  { start, length }: { readonly start: number; readonly length: number },
): ReadonlyMap<number, Range> {
  const found = new Map<number, Range>()
  const places = file.part(marks)
  const edges = file.part(texts)
  const count = Math.min(Math.floor((places.length - 4) / 6), Math.floor(edges.length / 4) - 1)
  let last = 0
  for (let index = 0; index < count; index += 1) {
    const from = Math.min(edges.readUInt32LE(index * 4), length)
    const to = Math.min(edges.readUInt32LE(index * 4 + 4), length)
    if (to <= from || from < last) continue
    last = to
    found.set(places.readUInt32LE(index * 4), { from: start + from, to: start + to })
  }
  return found
}

function writeBody(length: number, work: TextWork, take: Take): string {
  const styleOf = docStyles(work.file)
  const listOf = docLists(work.file)
  const numbers = makeNumbers()
  const blocks = makeBlocks()
  const table = makeRtfTable()
  let cell: string[] = []
  let isInTable = false
  for (const { html, properties, endsCell } of paragraphsIn(0, length, work)) {
    if (!take('p')) break
    const style = styleOf(properties.style)
    if (properties.isInTable) {
      isInTable = true
      if (properties.isRowEnd) endRow(table, properties)
      else cell.push(html)
      if (endsCell && !properties.isRowEnd) table.cell(joined(cell))
      if (endsCell) cell = []
      continue
    }
    if (isInTable) blocks.add(table.take())
    isInTable = false
    addParagraph(blocks, html, { style, properties, listOf, numbers })
  }
  if (isInTable) blocks.add(table.take())
  return blocks.html()
}

function joined(paragraphs: readonly string[]): string {
  return paragraphs.filter((html) => html.trim() !== '').join('<br>')
}

interface ParagraphWork {
  readonly style: DocStyle
  readonly properties: Properties
  readonly listOf: (number: number) => DocList | undefined
  readonly numbers: Numbers
}

function addParagraph(blocks: Blocks, html: string, { style, properties, listOf, numbers }: ParagraphWork): void {
  const { outline = 9 } = properties
  const level = style.heading ?? (outline < 9 ? outline + 1 : undefined)
  if (level !== undefined) return blocks.add(heading(level, html))
  if (style.block === 'quote') return blocks.add(`<blockquote>${paragraph(html)}</blockquote>`)
  if (style.block === 'code') return blocks.add(`<pre>${html}</pre>`)
  const list = listOf(properties.list ?? style.properties.list ?? 0)
  if (!list || html.trim() === '') return blocks.add(paragraph(html))
  const depth = Math.min(properties.level ?? style.properties.level ?? 0, 8)
  const start = list.start(depth)
  if (start === undefined) blocks.item({ level: depth, isOrdered: false, html })
  else blocks.item({ level: depth, isOrdered: true, html, number: numbers.next(list.id, depth, start) })
}

interface Numbers {
  next(list: number, level: number, start: number): number
}

/** Counts the items of each list. An item restarts the numbers of the levels below it. */
function makeNumbers(): Numbers {
  const counts = new Map<number, number[]>()
  return {
    next: (list, level, start) => {
      const levels = (counts.get(list) ?? []).slice(0, level + 1)
      levels[level] = (levels[level] ?? start - 1) + 1
      counts.set(list, levels)
      return levels[level]
    },
  }
}

const maxCells = 63
const cellSize = 20
const continuesLeft = 2
const isMergedDown = 0x20
const beginsDown = 0x40

/** Ends a row: its edges and merges are in the properties of the paragraph after its last cell. */
function endRow(table: RtfTable, { cells, merges, isHead }: Properties): void {
  table.beginRow()
  if (isHead) table.describe('trhdr', undefined)
  if (cells) describeCells(table, cells, merges)
  table.endRow()
}

function describeCells(table: RtfTable, cells: Buffer, merges: Properties['merges']): void {
  const count = Math.min(cells[0] ?? 0, maxCells)
  for (let index = 0; index < count; index += 1) {
    const right = 1 + (index + 1) * 2
    const flagsAt = 1 + (count + 1) * 2 + index * cellSize
    const flags = flagsAt + 2 <= cells.length ? cells.readUInt16LE(flagsAt) : 0
    const isContinued = (flags & isMergedDown) !== 0 && (flags & beginsDown) === 0
    const down = merges?.get(index)
    if ((flags & continuesLeft) !== 0) table.describe('clmrg', undefined)
    else if (down === undefined ? isContinued : down === 1) table.describe('clvmrg', undefined)
    if (right + 2 <= cells.length) table.describe('cellx', cells.readInt16LE(right))
  }
}
