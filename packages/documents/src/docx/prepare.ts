// Changes a document before mammoth reads it, to retain information that mammoth ignores: formulas, headings by outline level,
// list numbers, header rows. It is inserted as marks, which `unmark` turns into HTML.
import { at, childOf, childrenOf, elementsIn, textIn, type XmlElement, type XmlNode } from '../xml/tree.ts'
import { picture } from '../html/blocks.ts'
import { unescapeXml } from '../xml/entities.ts'
import { escapedFormula } from '../html/formula.ts'
import { formulasOf, isDisplayed, texOf } from './math.ts'
import type { Counter } from './numbering.ts'
import { headingStyle, outlineLevel, type Style } from './styles.ts'

// Two Unicode noncharacters, which never occur in text although XML allows them.
const open = '\ufdd0'
const end = '\ufdd1'

export interface Preparing {
  readonly styles: ReadonlyMap<string, Style>
  readonly counter: Counter
  /** Ids of the relations of the part. */
  readonly targets: ReadonlySet<string>
  /** Notes referenced so far. Each is shown once, because a small file could refer to a long note very often. */
  readonly notes: Set<string>
}

/** Returns the XML of a part without our marks, so that a file cannot contain any itself. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/[\ufdd0\ufdd1]|&#(?:x0*fdd[01]|0*6497[67]);/gi, '')
}

/**
 * Changes the tree of a document or of its notes so that mammoth loses nothing of it: headings, numbers, pictures, formulas
 * and links get marks, which `unmark` turns into HTML. Comments, deleted text and repeated references to a note are removed.
 */
export function prepare(root: XmlElement, work: Preparing): void {
  for (const child of childrenOf(root)) prepareElement(child, work)
}

function prepareElement(element: XmlElement, work: Preparing): void {
  if (element.name === 'w:tbl') prepareTable(element)
  if (element.name === 'w:rPr') prepareLook(element)
  if (element.name === 'w:hyperlink') prepareLink(element, work)
  element.children = element.children.flatMap((child) => replace(child, work))
  if (element.name === 'w:p') prepareParagraph(element, work)
  for (const child of element.children) if (typeof child !== 'string') prepareElement(child, work)
}

const dropped = new Set(['w:commentReference', 'w:del', 'w:moveFrom'])

function replace(node: XmlNode, work: Preparing): XmlNode | XmlNode[] {
  if (typeof node === 'string') return node
  if (isSecondReference(node, work)) return []
  if (dropped.has(node.name)) return []
  if (node.name === 'm:oMath' || node.name === 'm:oMathPara') return formulaRun(node)
  if (node.name === 'w:drawing' || node.name === 'w:pict') return withoutPicture(node)
  return node.name === 'mc:AlternateContent' ? chosen(node).flatMap((child) => replace(child, work)) : node
}

function isSecondReference({ name, attributes }: XmlElement, { notes }: Preparing): boolean {
  if (name !== 'w:footnoteReference' && name !== 'w:endnoteReference') return false
  const note = `${name} ${attributes['w:id']}`
  if (notes.has(note)) return true
  notes.add(note)
  return false
}

/** Returns one variant of a text box or picture, which files contain twice: for new and for old versions of Office. */
function chosen(alternatives: XmlElement): XmlNode[] {
  const fallback = childOf(alternatives, 'mc:Fallback')
  if (fallback && textIn(fallback) !== '') return fallback.children
  const choice = childOf(alternatives, 'mc:Choice')
  const boxes = choice ? boxesIn(choice) : []
  return boxes.length === 0 && choice ? choice.children : boxed(boxes)
}

function boxed(boxes: readonly XmlElement[]): XmlElement[] {
  return boxes.length === 0
    ? []
    : [
        element(
          'w:pict',
          boxes.map((box) => element('v:textbox', [box])),
        ),
      ]
}

/** Replaces a picture by its description. Its file may be missing, which would be an error in mammoth. */
function withoutPicture(drawing: XmlElement): XmlNode[] {
  const boxes = boxesIn(drawing)
  if (boxes.length > 0) return boxed(boxes)
  const words = [...elementsIn(drawing)].map(descriptionOf).find((said) => said !== '')
  return words === undefined ? [] : [element('w:t', [`${open}P${words}${end}`])]
}

function descriptionOf({ name, attributes }: XmlElement): string {
  if (name === 'wp:docPr') return (attributes['descr'] || attributes['title'] || '').trim()
  return name === 'v:shape' ? (attributes['alt'] ?? '').trim() : ''
}

/** Removes references to missing relations, which would be an error in mammoth. */
function prepareLink(link: XmlElement, { targets }: Preparing): void {
  const { 'r:id': id, ...others } = link.attributes
  if (id !== undefined && !targets.has(id)) link.attributes = others
}

function boxesIn(choice: XmlElement): XmlElement[] {
  return childrenOf(choice).flatMap((child) => (child.name === 'w:txbxContent' ? [child] : boxesIn(child)))
}

function formulaRun(math: XmlElement): XmlElement[] {
  const kind = isDisplayed(math) ? 'D' : 'M'
  return formulasOf(math)
    .map(texOf)
    .filter((tex) => tex !== '')
    .map((tex) => element('w:r', [element('w:t', [`${open}${kind}${tex}${end}`])]))
}

function prepareParagraph(paragraph: XmlElement, { styles, counter }: Preparing): void {
  const properties = at(paragraph, 'w:pPr')
  const id = at(properties, 'w:pStyle').attributes['w:val']
  const style = id === undefined ? undefined : styles.get(id)
  const heading = outlineLevel(properties)
  if (style?.heading !== undefined) at(properties, 'w:pStyle').attributes = { 'w:val': headingStyle(style.heading) }
  if (heading !== undefined && style?.heading === undefined) mark(paragraph, `H${heading}`)
  const numId = at(properties, 'w:numPr', 'w:numId').attributes['w:val'] ?? style?.numId
  const isHeading = (heading ?? style?.heading) !== undefined
  if (numId === undefined || numId === '0' || isHeading) {
    if (textIn(paragraph).trim() !== '') counter.interrupt()
    return
  }
  const level = Number(at(properties, 'w:numPr', 'w:ilvl').attributes['w:val'] ?? style?.level ?? 0)
  const number = counter.next(numId, Number.isInteger(level) && level >= 0 && level < 9 ? level : 0)
  if (number !== undefined) mark(paragraph, `N${number}`)
}

function mark(paragraph: XmlElement, what: string): void {
  const at = paragraph.children.findIndex((child) => typeof child !== 'string' && child.name === 'w:pPr')
  paragraph.children.splice(at + 1, 0, element('w:r', [element('w:t', [`${open}${what}${end}`])]))
}

// In half points. Smaller shifts only adjust the alignment of characters.
const minShift = 2

/** Converts small characters in a raised or lowered position, as some applications write them, to super- or subscript. */
function prepareLook(properties: XmlElement): void {
  const shift = Number(at(properties, 'w:position').attributes['w:val'] ?? 0)
  if (!(Math.abs(shift) >= minShift) || !childOf(properties, 'w:sz') || childOf(properties, 'w:vertAlign')) return
  const value = shift > 0 ? 'superscript' : 'subscript'
  properties.children.push({ name: 'w:vertAlign', attributes: { 'w:val': value }, children: [] })
}

/** Marks the first row as a header row if the table formats it differently. */
function prepareTable(table: XmlElement): void {
  const rows = childrenOf(table, 'w:tr')
  const [first] = rows
  if (!first || rows.length < 2 || !looksDifferent(at(table, 'w:tblPr', 'w:tblLook'))) return
  if (rows.some((row) => childOf(childOf(row, 'w:trPr'), 'w:tblHeader'))) return
  const properties = childOf(first, 'w:trPr')
  if (properties) properties.children.push(element('w:tblHeader', []))
  else first.children.unshift(element('w:trPr', [element('w:tblHeader', [])]))
}

function looksDifferent({ attributes }: XmlElement): boolean {
  const firstRow = attributes['w:firstRow']
  if (firstRow !== undefined) return firstRow === '1' || firstRow === 'true' || firstRow === 'on'
  return (Number.parseInt(attributes['w:val'] ?? '0', 16) & 0x20) !== 0
}

function element(name: string, children: XmlNode[]): XmlElement {
  return { name, attributes: name === 'w:t' ? { 'xml:space': 'preserve' } : {}, children }
}

/** Returns a paragraph that marks the location of a removed table. */
export function tableMark(index: number): XmlElement {
  return element('w:p', [element('w:r', [element('w:t', [`${open}T${index}${end}`])])])
}

/** Puts tables in place of their marks, by index. A mark without a table is removed. */
export function placeTables(html: string, tables: readonly string[]): string {
  return html.replaceAll(/<p>\ufdd0T(\d+)\ufdd1<\/p>/g, (_, index: string) => tables[Number(index)] ?? '')
}

/** Returns mammoth's output with our marks turned into HTML. */
export function unmark(html: string): string {
  return html
    .replaceAll(/<p>\ufdd0H([1-6])\ufdd1(.*?)<\/p>/gs, '<h$1>$2</h$1>')
    .replaceAll(/<li>\ufdd0N(\d+)\ufdd1/g, '<li value="$1">')
    .replaceAll(/\ufdd0P(.*?)\ufdd1/gs, (_, words: string) => picture(unescapeXml(words)))
    .replaceAll(/\ufdd0M(.*?)\ufdd1/gs, (_, tex: string) => escapedFormula(tex, false))
    .replaceAll(/\ufdd0D(.*?)\ufdd1/gs, (_, tex: string) => escapedFormula(tex, true))
    .replaceAll(/\ufdd0[NH]\d+\ufdd1|[\ufdd0\ufdd1]/g, '')
}
