// Reads OpenDocument presentations.
import type { Converting } from '../converting.ts'
import { openDocumentFacts, type Converted } from '../facts.ts'
import { heading } from '../html/blocks.ts'
import { makeNotes } from '../html/notes.ts'
import { damaged } from '../refuse.ts'
import { escapeText } from '../xml/entities.ts'
import { at, childrenOf, textIn, type XmlElement } from '../xml/tree.ts'
import { odfBlocks } from './blocks.ts'
import { eachOnce, openOdf } from './open.ts'
import { readStyles } from './styles.ts'

/**
 * Reads an OpenDocument presentation. Hidden slides are omitted with a warning. Throws `unsupported_file` if it is damaged or
 * encrypted, and `response_too_large` or `page_too_complex` if it exceeds the limits.
 */
export function readOdp(bytes: Uint8Array, converting: Converting): Converted {
  const { warn } = converting
  const { content, part } = openOdf(bytes, converting)
  const body = at(content, 'office:body', 'office:presentation')
  if (body.name === '') throw damaged('it contains no presentation')
  const notes = makeNotes()
  const styles = readStyles([part('styles.xml'), content])
  const write = odfBlocks((blocks) => ({ styles, notes, blocks, boxes: [], object: eachOnce(part) }))
  const hidden = hiddenStyles(content)
  const pages = childrenOf(body, 'draw:page')
  const parts = pages.map((page, index) => {
    if (!hidden.has(page.attributes['draw:style-name'])) return writePage(page, index + 1, write)
    warn(`Slide ${index + 1} is hidden, so it is left out.`)
    return ''
  })
  return {
    html: parts.join('') + notes.html(),
    facts: { ...openDocumentFacts(part('meta.xml')), numSlides: pages.length },
  }
}

function hiddenStyles(content: XmlElement): ReadonlySet<string | undefined> {
  const styles = childrenOf(at(content, 'office:automatic-styles'), 'style:style')
  const hidden = styles.filter(
    (style) => at(style, 'style:drawing-page-properties').attributes['presentation:visibility'] === 'hidden',
  )
  return new Set(hidden.map(({ attributes }) => attributes['style:name']))
}

// Dates, footers and numbers are repeated on every slide.
const repeated: ReadonlySet<string | undefined> = new Set(['date-time', 'footer', 'page-number', 'header'])

function writePage(page: XmlElement, number: number, write: (element: XmlElement) => string): string {
  const classOf = ({ attributes }: XmlElement): string | undefined => attributes['presentation:class']
  const shapes = childrenOf(page).filter((shape) => !repeated.has(classOf(shape)))
  const titleShape = shapes.find((shape) => classOf(shape) === 'title')
  const title = titleShape
    ? childrenOf(at(titleShape, 'draw:text-box')).map(textIn).join(' ').replaceAll(/\s+/g, ' ').trim()
    : ''
  const others = shapes.filter((shape) => shape !== titleShape && shape.name !== 'presentation:notes')
  const body = write({ name: '', attributes: {}, children: others })
  const notes = childrenOf(at(page, 'presentation:notes'), 'draw:frame').filter((shape) => classOf(shape) === 'notes')
  const spoken = write({ name: '', attributes: {}, children: notes })
  return (
    heading(2, escapeText(title === '' ? `Slide ${number}` : title)) +
    body +
    (spoken === '' ? '' : heading(3, 'Notes') + spoken)
  )
}
