import type { Element } from '../tree/tree.ts'
import { writeBlock, writeChildren, writeNode } from './descend.ts'
import { childNamed, findMatching, isBlankText, isEmpty, shownText } from './look.ts'
import { addMark, endMark, pushToken, token } from './run.ts'
import {
  beginBlock,
  enter,
  finishRun,
  flush,
  gapBefore,
  leave,
  setRoom,
  type ElementWriter,
  type Sheet,
} from './sheet.ts'

// Writes blocks other than lists, tables and code.

/** Writes `h1` to `h6` as a Markdown heading. Empty headings, and the heading of footnotes, are omitted. */
export const writeHeading: ElementWriter = (sheet, element) => {
  flush(sheet)
  if (isHeadOfNotes(element)) return
  const { run, carried } = sheet
  setRoom(sheet, 'heading')
  if (carried) addMark(run, 0, carried.opening, carried.closing)
  writeChildren(sheet, element)
  if (carried) {
    if (run.solid) sheet.carried = undefined
    endMark(run)
  }
  setRoom(sheet, 'flow')
  keepTrailingHashes(sheet)
  finishRun(sheet, 'heading', `${'#'.repeat(Number(element.name.charAt(1)))} `)
}

/** Returns whether this is the screen reader heading that GitHub adds before footnotes. */
function isHeadOfNotes({ attributes }: Element): boolean {
  return attributes.id === 'footnote-label' && attributes.class?.includes('sr-only') === true
}

/** Returns whether a rule separates footnotes from the body. It is not needed if they become Markdown footnotes. */
function startsNotes({ attributes, parent, previous }: Element): boolean {
  if (attributes.class === 'footnotes-sep') return true
  const { class: names = '', role } = parent?.attributes ?? {}
  return (role === 'doc-endnotes' || /(?:^|\s)footnotes?(?:\s|$)/.test(names)) && (!previous || isBlankText(previous))
}

// Trailing hashes would be parsed as the closing sequence of a heading.
function keepTrailingHashes({ run }: Sheet): void {
  const last = run.size - 1
  if (last < 0 || (run.kinds[last] as number) > token.linkText) return
  const text = run.texts[last] as string
  if (!/(?:^|\s)#+$/.test(text)) return
  run.texts[last] = text.slice(0, -1)
  pushToken(run, token.raw, '\\#')
}

/** Writes a `blockquote`. One without content is written as an empty quote only if it is also empty in the source. */
export const writeQuote: ElementWriter = (sheet, element) => {
  flush(sheet)
  const outer = enter(sheet, gapBefore(sheet, 'quote'), '> ', '> ')
  writeChildren(sheet, element)
  flush(sheet)
  if (leave(sheet, outer, 'quote') || !isEmpty(element)) return
  beginBlock(sheet, 'quote')
  sheet.out.push('>')
}

/**
 * Writes a horizontal rule. Uses underscores where dashes would turn the line above into a heading or start front
 * matter.
 */
export const writeRule: ElementWriter = (sheet, element) => {
  flush(sheet)
  if (sheet.footnotes && startsNotes(element)) return
  const isSafe = !sheet.fresh && !sheet.tight
  beginBlock(sheet, 'rule')
  sheet.out.push(isSafe ? '---' : '___')
}

/** Writes `details` as HTML, as in GFM. Its content is Markdown. */
export const writeDetails: ElementWriter = (sheet, element) => {
  flush(sheet)
  const summary = childNamed(element, 'summary')
  beginBlock(sheet, 'html')
  sheet.out.push(element.attributes.open === undefined ? '<details>' : '<details open>')
  if (summary) writeSummary(sheet, summary)
  for (let child = element.first; child; child = child.next) {
    if (child !== summary) writeNode(sheet, child)
  }
  flush(sheet)
  beginBlock(sheet, 'html')
  sheet.out.push('</details>')
}

const rich: ReadonlySet<string> = new Set([
  'a',
  'img',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'ul',
  'ol',
  'table',
  'pre',
  'code',
])

// HTML blocks last until an empty line, so a summary with links or headings is put between empty lines.
function writeSummary(sheet: Sheet, summary: Element): void {
  const { out, prefix, leftOut } = sheet
  if (!findMatching(summary, ({ name }) => rich.has(name))) {
    const text = shownText(summary, leftOut).trim().replace(/\s+/g, ' ')
    out.push(`\n${prefix}<summary>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</summary>`)
    return
  }
  out.push(`\n${prefix}<summary>`)
  writeBlock(sheet, summary)
  beginBlock(sheet, 'html')
  out.push('</summary>')
}
