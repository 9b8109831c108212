// Writes the inline content of OpenDocument paragraphs.
import { link, marked, picture } from '../html/blocks.ts'
import type { Notes } from '../html/notes.ts'
import { escapeText } from '../xml/entities.ts'
import { at, childOf, textIn, type XmlElement } from '../xml/tree.ts'
import type { Styles } from './styles.ts'

export interface OdfWork {
  readonly styles: Styles
  readonly notes: Notes
  /** Returns the parsed part of an embedded object. */
  readonly object: (path: string) => XmlElement | undefined
  /** Writes blocks inside text, such as notes and text boxes. */
  readonly blocks: (element: XmlElement) => string
  /** Text boxes anchored to the paragraph, to be written after it. */
  readonly boxes: string[]
}

/**
 * Writes the inline content of an element as HTML. Text boxes and tables in it are added to `work.boxes`, notes to
 * `work.notes`. Only spans are emphasis; bold or italic in a paragraph's style is its normal appearance.
 */
export function inline(element: XmlElement, work: OdfWork): string {
  return element.children
    .map((child) => (typeof child === 'string' ? escapeText(collapse(child)) : one(child, work)))
    .join('')
}

// Whitespace in the source counts as one space; more spaces and line breaks are separate elements.
function collapse(text: string): string {
  return text.replaceAll(/[ \t\r\n]+/g, ' ')
}

const maxBlanks = 100

function one(element: XmlElement, work: OdfWork): string {
  const { attributes } = element
  switch (element.name) {
    case 'text:span':
      return marked(inline(element, work), work.styles.marks(attributes['text:style-name']))
    case 'text:a':
    case 'draw:a':
      return link(attributes['xlink:href'], inline(element, work))
    case 'text:s':
      return ' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, maxBlanks))
    case 'text:tab':
      return '\t'
    case 'text:line-break':
      return '<br>'
    case 'text:note':
      return note(element, work)
    case 'draw:frame':
      return frame(element, work)
    case 'draw:custom-shape':
    case 'draw:rect':
    case 'draw:g':
      work.boxes.push(work.blocks(element))
      return ''
    default:
      return silent.has(element.name) ? '' : inline(element, work)
  }
}

const silent: ReadonlySet<string> = new Set([
  'office:annotation',
  'office:annotation-end',
  'text:tracked-changes',
  'text:bookmark',
  'text:soft-page-break',
  'text:note-citation',
  'svg:title',
  'svg:desc',
  'text:ruby-text',
  'text:hidden-text',
  'office:event-listeners',
  'office:forms',
])

function note(element: XmlElement, work: OdfWork): string {
  const label = textIn(at(element, 'text:note-citation')).trim()
  return work.notes.add(label, work.blocks(at(element, 'text:note-body')))
}

function frame(element: XmlElement, work: OdfWork): string {
  const box = childOf(element, 'draw:text-box')
  if (box) {
    work.boxes.push(work.blocks(box))
    return ''
  }
  if (childOf(element, 'table:table')) {
    work.boxes.push(work.blocks(element))
    return ''
  }
  const object = childOf(element, 'draw:object')
  const formula = object && formulaIn(object, work)
  if (formula !== undefined) return formula
  return picture(textIn(childOf(element, 'svg:desc')) || textIn(childOf(element, 'svg:title')))
}

function formulaIn(object: XmlElement, { object: open }: OdfWork): string | undefined {
  const inside = childOf(object, 'math:math')
  const path = object.attributes['xlink:href']?.replaceAll(/^\.\/|\/$/g, '')
  const root = inside ?? (path === undefined ? undefined : open(`${path}/content.xml`))
  return root && /^(?:math:)?math$/.test(root.name) ? mathMl(root) : undefined
}

/** Writes MathML for web pages, without annotations such as LibreOffice's own formula language. */
function mathMl(element: XmlElement): string {
  const name = element.name.replace(/^math:/, '')
  if (!/^[a-z]+$/.test(name) || name === 'annotation') return ''
  const inner = element.children.map((child) => (typeof child === 'string' ? escapeText(child) : mathMl(child)))
  return `<${name}>${inner.join('')}</${name}>`
}
