import type { Element } from '../tree/tree.ts'
import { Output, type Spend } from '../tree/output.ts'
import type { Base } from '../addresses/urls.ts'
import { isFixedSpace } from './flanking.ts'
import type { Footnotes } from './footnotes.ts'
import type { LeftOut } from './look.ts'
import { clearRun, closeMarks, makeRun, token, type Run } from './run.ts'
import { settle } from './settle.ts'

// The output state of the Markdown writer: finished chunks, which are joined once at the end, and the start of the next
// line.

export type ElementWriter = (sheet: Sheet, element: Element) => void

/**
 * Where content is written: blocks are possible in `flow`; links, headings and table cells are limited to one logical
 * line.
 */
type Room = 'flow' | 'link' | 'heading' | 'cell'

/** The last block in a container, as far as the next one depends on it. */
export type BlockKind =
  | 'none'
  | 'paragraph'
  | 'heading'
  | 'code'
  | 'quote'
  | 'bullets'
  | 'numbers'
  | 'item'
  | 'table'
  | 'rule'
  | 'html'
  | 'term'
  | 'meaning'

/** The state of the current container, such as a quotation or a list item. */
interface Container {
  /** Start of the next line: the prefix, or markers that wait for their first line. */
  lead: string
  prefix: string
  /** The prefix of an empty line. */
  blank: string
  /** Whether it is still empty. */
  fresh: boolean
  /** Whether to omit empty lines between blocks where Markdown allows. */
  tight: boolean
  lastBlock: BlockKind
  /** Marker of the last list. */
  lastMarker: string
}

export interface Sheet extends Container {
  readonly flowWriters: ReadonlyMap<string, ElementWriter>
  readonly lineWriters: ReadonlyMap<string, ElementWriter>
  readonly root: Element
  readonly leftOut: LeftOut
  readonly base: Base | undefined
  readonly removeBase64Images: boolean
  readonly noscript: boolean
  /** Whether tables with cells that span rows or columns are written as HTML. */
  readonly keepsSpans: boolean
  footnotes: Footnotes | undefined
  readonly out: Output
  readonly run: Run
  room: Room
  /** Number of links so far. */
  links: number
  depth: number
  /** Whether text is code. */
  inCode: boolean
  /**
   * Number of open containers. Beyond a limit they no longer indent, or prefixes would become longer than the content.
   */
  levels: number
  /** A link that waits for a heading inside it. */
  carried: { readonly opening: string; readonly closing: string } | undefined
}

type SheetOptions = Pick<
  Sheet,
  'flowWriters' | 'lineWriters' | 'root' | 'leftOut' | 'base' | 'removeBase64Images' | 'noscript' | 'keepsSpans'
>

/**
 * Creates the state for writing one page or a part of it. `spend` is called as the output grows, and may throw to stop
 * it.
 */
export function makeSheet({ spend, ...options }: SheetOptions & { readonly spend: Spend }): Sheet {
  return {
    lead: '',
    prefix: '',
    blank: '',
    fresh: true,
    tight: false,
    lastBlock: 'none',
    lastMarker: '',
    ...options,
    footnotes: undefined,
    out: new Output(spend),
    run: makeRun(),
    room: 'flow',
    links: 0,
    depth: 0,
    inCode: false,
    levels: 0,
    carried: undefined,
  }
}

/** Returns the line breaks between the last block and the next one. Empty at the start of a container. */
export function gapBefore(sheet: Sheet, kind: BlockKind): string {
  if (sheet.fresh) return ''
  const isDefinition = kind === 'meaning' || (kind === 'term' && sheet.lastBlock === 'term')
  if (isDefinition && (sheet.lastBlock === 'term' || sheet.lastBlock === 'meaning')) return '\n'
  return sheet.tight && follows(sheet.lastBlock, kind) ? '\n' : `\n${sheet.blank}\n`
}

const ends: ReadonlySet<BlockKind> = new Set(['heading', 'code', 'rule'])

/** Returns whether the second block may directly follow the first without an empty line. */
function follows(last: BlockKind, next: BlockKind): boolean {
  if (last === 'html' || last === 'table' || next === 'html' || next === 'table') return false
  switch (next) {
    case 'paragraph':
      return ends.has(last)
    case 'quote':
      return last !== 'quote'
    case 'numbers':
      return last !== 'paragraph'
    default:
      return true
  }
}

/** Starts the first line of a block, after the gap to the block before and the prefix of the container. */
export function beginBlock(sheet: Sheet, kind: BlockKind): void {
  if (!sheet.fresh) sheet.out.push(gapBefore(sheet, kind))
  if (sheet.lead !== '') sheet.out.push(sheet.lead)
  sheet.lead = sheet.prefix
  sheet.fresh = false
  sheet.lastBlock = kind
}

const maxLevel = 40

/**
 * Opens a container and returns the outer one, for `leave`. `gap` has the line breaks before it, `first` and `rest` are the
 * prefixes of its first and its other lines; beyond 40 levels there are no prefixes. The first line is written with the first
 * content, so empty containers are omitted.
 */
export function enter(sheet: Sheet, gap: string, first: string, rest: string): Container {
  const { lead, prefix, blank, fresh, tight, lastBlock, lastMarker } = sheet
  const isDeep = sheet.levels++ >= maxLevel
  sheet.lead = gap + lead + (isDeep ? '' : first)
  if (!isDeep) {
    sheet.prefix = prefix + rest
    sheet.blank = sheet.prefix.trimEnd()
  }
  sheet.fresh = true
  sheet.tight = false
  sheet.lastBlock = 'none'
  sheet.lastMarker = ''
  setRoom(sheet, 'flow')
  return { lead, prefix, blank, fresh, tight, lastBlock, lastMarker }
}

/** Closes a container. Returns whether it has content. */
export function leave(sheet: Sheet, outer: Container, kind: BlockKind): boolean {
  const wrote = !sheet.fresh
  sheet.levels--
  sheet.lead = wrote ? outer.prefix : outer.lead
  sheet.prefix = outer.prefix
  sheet.blank = outer.blank
  sheet.fresh = wrote ? false : outer.fresh
  sheet.tight = outer.tight
  sheet.lastBlock = wrote ? kind : outer.lastBlock
  sheet.lastMarker = outer.lastMarker
  setRoom(sheet, 'flow')
  return wrote
}

/** Sets where content is written, and with it the form of line breaks. */
export function setRoom(sheet: Sheet, room: Room): void {
  sheet.room = room
  sheet.run.lineBreak = lineBreakIn(sheet)
}

function lineBreakIn({ room, prefix }: Sheet): string {
  switch (room) {
    case 'flow':
      return `  \n${prefix}`
    case 'link':
      return `\\\n${prefix}`
    case 'cell':
      return '<br>'
    case 'heading':
      return ' '
  }
}

/** Ends the current paragraph, if there is one, and writes it. */
export function flush(sheet: Sheet): void {
  const { run } = sheet
  if (run.size > 0) finishRun(sheet, 'paragraph', '')
  else clearRun(run)
}

/**
 * Writes the run as a block that starts with the Markdown `opening`, such as `# `, and clears it. Returns false, and writes
 * nothing, if the run has no content.
 */
export function finishRun(sheet: Sheet, kind: BlockKind, opening: string): boolean {
  const { run, out } = sheet
  closeMarks(run)
  const solid = run.solid
  if (solid) {
    trimEdges(run)
    beginBlock(sheet, kind)
    if (opening !== '') out.push(opening)
    settle(run, { startsLine: opening === '', inCell: false, hasFootnotes: sheet.footnotes !== undefined })
    for (let i = 0; i < run.size; i++) out.push(run.texts[i] as string)
  }
  clearRun(run)
  return solid
}

// Drops no-break spaces at the edges of a block, as they are only layout.
function trimEdges(run: Run): void {
  const last = run.size - 1
  if (isEdgeText(run, 0)) run.texts[0] = (run.texts[0] as string).trimStart()
  if (isEdgeText(run, last)) run.texts[last] = (run.texts[last] as string).trimEnd()
}

function isEdgeText(run: Run, at: number): boolean {
  if ((run.kinds[at] as number) > token.linkText) return false
  const text = run.texts[at] as string
  return isFixedSpace(text.charCodeAt(0)) || isFixedSpace(text.charCodeAt(text.length - 1))
}

/** Returns the run as one line, for a table cell, and clears it. Empty if the run has no content. */
export function takeCell(sheet: Sheet): string {
  const { run } = sheet
  closeMarks(run)
  let text = ''
  if (run.solid) {
    settle(run, { startsLine: false, inCell: true, hasFootnotes: sheet.footnotes !== undefined })
    for (let i = 0; i < run.size; i++) text += run.texts[i] as string
  }
  clearRun(run)
  return text
}
