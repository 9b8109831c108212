import { writeDetails, writeHeading, writeQuote, writeRule } from './blocks.ts'
import { unlessCodeLabel } from './code-label.ts'
import { writeCode } from './code-span.ts'
import { writePre, writePreInLine } from './code.ts'
import { writeMeaning, writeTerm } from './definitions.ts'
import { writeBlock, writeChildren, writeNode } from './descend.ts'
import { writeImage } from './images.ts'
import {
  writeApart,
  writeBreak,
  writeEmphasis,
  writeLine,
  writeNothing,
  writeQuoted,
  writeRaised,
  writeReading,
  writeStrong,
  writeStruck,
  writeTagged,
} from './inline.ts'
import { writeLink } from './links.ts'
import { writeList, writeOrphanItem } from './lists.ts'
import { leftOutOf } from './look.ts'
import { aroundFormulas, writeMath, writeMathContainer, writeScript, writeSpan } from './math.ts'
import { writeAsHtml, writeCellAsHtml, writeHeadingInLine, writeRuleInLine } from './one-line.ts'
import { flush, makeSheet, type ElementWriter } from './sheet.ts'
import { writeTable } from './tables.ts'
import { spendNothing, type Spend } from '../tree/output.ts'
import type { Element, Node } from '../tree/tree.ts'
import type { Base } from '../addresses/urls.ts'

export interface MarkdownOptions {
  /** Nodes to skip, with all their descendants. */
  readonly removed?: ReadonlySet<Node>
  /** Includes elements that browsers hide, unless they are removed. */
  readonly readsHidden?: boolean
  /** Makes the URLs of links and images absolute. */
  readonly base?: Base
  /** Replaces inline base64 images with a short placeholder. */
  readonly removeBase64Images?: boolean
  /** Includes `<noscript>`, for pages that have their content there. */
  readonly noscript?: boolean
  /** Writes tables with cells that span rows or columns as HTML. By default the cells that they cover are empty. */
  readonly keepsSpans?: boolean
  readonly spend?: Spend
}

/** Converts the tree below `root` to GitHub Flavored Markdown. The tree is not changed. Throws only what `spend` throws. */
export function writeMarkdown(root: Element, options: MarkdownOptions = {}): string {
  const sheet = makeSheet({
    flowWriters,
    lineWriters,
    root,
    leftOut: leftOutOf(options.removed, options.readsHidden ?? false),
    base: options.base,
    removeBase64Images: options.removeBase64Images ?? false,
    noscript: options.noscript ?? false,
    keepsSpans: options.keepsSpans ?? false,
    spend: options.spend ?? spendNothing,
  })
  if (isDocument(root)) writeChildren(sheet, root)
  else writeNode(sheet, root)
  flush(sheet)
  return sheet.out.join()
}

function isDocument({ name }: Element): boolean {
  return name === '#document' || name === 'html' || name === 'noscript'
}

const unless =
  (write: ElementWriter): ElementWriter =>
  (sheet, element) => {
    if (sheet.noscript) write(sheet, element)
  }

const rows = (names: string, write: ElementWriter): (readonly [string, ElementWriter])[] =>
  names.split(' ').map((name) => [name, write] as const)

const inlineRows = [
  ...rows('a', writeLink),
  ...rows('em i', writeEmphasis),
  ...rows('strong b', writeStrong),
  ...rows('del s strike', writeStruck),
  ...rows('code tt samp', writeCode),
  ...rows('sub ins kbd mark', writeTagged),
  ...rows('sup', writeRaised),
  ...rows('q', writeQuoted),
  ...rows('rt', writeReading),
  ...rows('br', writeBreak),
  ...rows('img', writeImage),
  ...rows('math', writeMath),
  ...rows('mjx-container', writeMathContainer),
  ...rows('script', writeScript),
  ...rows('span', unlessCodeLabel(writeSpan)),
  ...rows('button option', writeApart),
  ...rows(
    'head style template title meta link base param source track area map col colgroup svg canvas audio video iframe ' +
      'object embed applet frame noframes datalist input progress meter wbr',
    writeNothing,
  ),
]

const blockNames =
  'address article aside blockquote body caption center dialog dir dl fieldset figcaption figure footer form frameset header hgroup ' +
  'html legend main menu nav optgroup p search section select summary table tbody td tfoot th thead tr'

const flowWriters: ReadonlyMap<string, ElementWriter> = new Map([
  ...inlineRows,
  ...rows(blockNames, writeBlock),
  ...rows('div', unlessCodeLabel(aroundFormulas(writeBlock))),
  ...rows('h1 h2 h3 h4 h5 h6', writeHeading),
  ...rows('hr', writeRule),
  ...rows('blockquote', writeQuote),
  ...rows('ul ol menu dir', writeList),
  ...rows('li', writeOrphanItem),
  ...rows('dt', writeTerm),
  ...rows('dd', writeMeaning),
  ...rows('pre listing xmp plaintext textarea', writePre),
  ...rows('table', writeTable),
  ...rows('details', writeDetails),
  ...rows('noscript', unless(writeBlock)),
])

const lineWriters: ReadonlyMap<string, ElementWriter> = new Map([
  ...inlineRows,
  ...rows(blockNames, writeLine),
  ...rows('div', aroundFormulas(writeLine)),
  ...rows('h1 h2 h3 h4 h5 h6', writeHeadingInLine),
  ...rows('hr', writeRuleInLine),
  ...rows('blockquote ul ol li menu dir table tr', writeAsHtml),
  ...rows('td th', writeCellAsHtml),
  ...rows('dt dd details', writeLine),
  ...rows('pre listing xmp plaintext textarea', writePreInLine),
  ...rows('noscript', unless(writeLine)),
])
