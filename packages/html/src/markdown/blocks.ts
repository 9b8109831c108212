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

// Blocks but for lists, tables and code.

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

/** The heading that GitHub adds to notes for those who cannot see that they are notes. */
function isHeadOfNotes({ attributes }: Element): boolean {
  return attributes.id === 'footnote-label' && attributes.class?.includes('sr-only') === true
}

/** Notes need no line above them once they are written as notes. */
function startsNotes({ attributes, parent, previous }: Element): boolean {
  if (attributes.class === 'footnotes-sep') return true
  const { class: names = '', role } = parent?.attributes ?? {}
  return (role === 'doc-endnotes' || /(?:^|\s)footnotes?(?:\s|$)/.test(names)) && (!previous || isBlankText(previous))
}

// Hashes at the end of a heading would be taken for its closing.
function keepTrailingHashes({ run }: Sheet): void {
  const last = run.size - 1
  if (last < 0 || (run.kinds[last] as number) > token.linkText) return
  const text = run.texts[last] as string
  if (!/(?:^|\s)#+$/.test(text)) return
  run.texts[last] = text.slice(0, -1)
  pushToken(run, token.raw, '\\#')
}

export const writeQuote: ElementWriter = (sheet, element) => {
  flush(sheet)
  const outer = enter(sheet, gapBefore(sheet, 'quote'), '> ', '> ')
  writeChildren(sheet, element)
  flush(sheet)
  if (leave(sheet, outer, 'quote') || !isEmpty(element)) return
  beginBlock(sheet, 'quote')
  sheet.out.push('>')
}

// Dashes below a text would make it a heading, and at the start of a file they open its front matter.
export const writeRule: ElementWriter = (sheet, element) => {
  flush(sheet)
  if (sheet.footnotes && startsNotes(element)) return
  const isSafe = !sheet.fresh && !sheet.tight
  beginBlock(sheet, 'rule')
  sheet.out.push(isSafe ? '---' : '___')
}

/** Stays HTML, as GFM has it. What stands inside is Markdown again. */
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

// Up to the next empty line nothing is read as Markdown, so a summary with links or headings stands between two of them.
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
