// Builds paragraphs, lists and tables from the stream of control words and text.
import type { Take } from '../converting.ts'
import {
  heading,
  isSame,
  joinPreformatted,
  makeBlocks,
  paragraph,
  writeRuns,
  type Blocks,
  type Run,
} from '../html/blocks.ts'
import { escapeText } from '../xml/entities.ts'
import type { State } from './state.ts'
import { makeRtfTable } from './table.ts'

export interface Page {
  text(text: string, state: State): void
  html(html: string, state: State): void
  /** Sets the number or bullet in front of the next paragraph. */
  listText(text: string): void
  style(id: number, name: string, outline: number | undefined): void
  endParagraph(state: State): void
  tableWord(name: string, value: number | undefined, state: State): void
  end(): string
}

function addRun(
  runs: Mutable[],
  html: string,
  { bold, italic, strike, raised, lowered, href }: State,
  take: Take,
): void {
  const marks = { bold, italic, strike, raised, lowered }
  const before = runs.at(-1)
  // In many scripts, each character is a run of its own; runs with the same marks are merged.
  if (before && before.href === href && isSame(before.marks, marks)) before.html += html
  else if (take('run')) runs.push({ html, marks, href })
}

interface Mutable extends Run {
  html: string
}

interface Style {
  readonly heading: number | undefined
  readonly box: 'blockquote' | 'pre' | undefined
}

/**
 * Creates a page: the body of a file, or a note. `text` is escaped, `html` is added unchanged, and `end` returns the HTML.
 * `take` counts its text runs, paragraphs and cells before they are added. Beyond the limits they are omitted.
 */
export function makePage(take: Take): Page {
  const blocks = makeBlocks()
  const grid = makeRtfTable()
  const styles = new Map<number, Style>()
  let runs: Mutable[] = []
  let label: string | undefined
  let cell = makeBlocks()
  let isInTable = false
  let last: State | undefined

  const add = (html: string, state: State): void => addRun(runs, html, state, take)

  const endTable = (): void => {
    if (!isInTable) return
    isInTable = false
    blocks.add(grid.take())
  }

  const endParagraph = (state: State, isLast = false): void => {
    const target = state.isInTable ? cell : blocks
    if (!state.isInTable) endTable()
    const shown = label
    label = undefined
    const html = writeRuns(runs)
    runs = []
    // At the end of the input, add text that was already counted even if the limit is reached.
    if (html.trim() === '' || (!take('p') && !isLast)) return
    addText(target, { html, state, shown, style: styles.get(state.style) })
  }

  const endCell = (state: State): void => {
    if (!take('cell')) return
    isInTable = true
    endParagraph({ ...state, isInTable: true })
    const html = cell.html()
    grid.cell(/^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(html)?.[1] ?? html)
    cell = makeBlocks()
  }

  return {
    text: (text, state) => {
      last = state
      add(escapeText(text), state)
    },
    html: add,
    listText: (text) => {
      label = text.trim()
    },
    style: (id, name, outline) => styles.set(id, styleOf(name, outline)),
    endParagraph,
    tableWord: (name, value, state) => {
      if (name === 'trowd') grid.beginRow()
      else if (name === 'cell') endCell(state)
      else if (name === 'row') grid.endRow()
      // Nested tables are written as plain lines.
      else if (name === 'nestcell') add('\t', state)
      else if (name === 'nestrow') endParagraph({ ...state, isInTable: true })
      else grid.describe(name, value)
    },
    end: () => {
      if (last) endParagraph(runs.length > 0 ? last : { ...last, isInTable: false }, true)
      endTable()
      return joinPreformatted(blocks.html())
    },
  }
}

interface Paragraph {
  readonly html: string
  readonly state: State
  /** Its number or bullet. */
  readonly shown: string | undefined
  readonly style: Style | undefined
}

function addText(target: Blocks, { html, state, shown, style }: Paragraph): void {
  const { outline, isInTable, isInList, listLevel } = state
  const level = outline !== undefined && outline >= 0 && outline < 9 ? outline + 1 : style?.heading
  if (level !== undefined && !isInTable) target.add(heading(level, html.replaceAll(/<\/?strong>/g, '')))
  else if (isInList || shown !== undefined) {
    target.item({ level: listLevel, isOrdered: isNumber(shown), html: html.trim(), ...numberIn(shown) })
  } else target.add(boxed(style?.box, html))
}

function styleOf(name: string, outline: number | undefined): Style {
  const named = /^heading ([1-9])$/i.exec(name)?.[1]
  const outlined = outline !== undefined && outline < 9 ? outline + 1 : undefined
  const level = named === undefined ? outlined : Number(named)
  return { heading: /^title$/i.test(name) ? 1 : level, box: boxOf(name) }
}

function boxOf(name: string): Style['box'] {
  if (/^(?:Quotations|Quote|Intense Quote)$/i.test(name)) return 'blockquote'
  return /^(?:Preformatted Text|HTML Preformatted|Plain Text)$/i.test(name) ? 'pre' : undefined
}

function boxed(box: Style['box'], html: string): string {
  if (box === 'pre') return `<pre>${html}</pre>`
  return box === 'blockquote' ? `<blockquote><p>${html.trim()}</p></blockquote>` : paragraph(html.trim())
}

function isNumber(label: string | undefined): boolean {
  return label !== undefined && /^\(?(?:[\d.]+|[a-z]{1,4})[.):]/i.test(label)
}

function numberIn(label: string | undefined): { number?: number } {
  const number = /^\(?(?:\d+\.)*(\d{1,9})[.):]/.exec(label ?? '')?.[1]
  return number === undefined ? {} : { number: Number(number) }
}
