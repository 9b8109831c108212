import type { Converting } from '../converting.ts'
import { factsOf, openDocumentFacts, type Converted } from '../facts.ts'
import { makeNotes } from '../html/notes.ts'
import { damaged } from '../refuse.ts'
import { at, childrenOf, type XmlElement } from '../xml/tree.ts'
import { joinPreformatted } from '../html/blocks.ts'
import { odfBlocks } from './blocks.ts'
import { eachOnce, openOdf } from './open.ts'
import { readStyles } from './styles.ts'

/**
 * Reads OpenDocument text files. Throws `unsupported_file` if the file is damaged or encrypted, and `response_too_large` or
 * `page_too_complex` if it exceeds the limits.
 */
export function readOdt(bytes: Uint8Array, converting: Converting): Converted {
  const { content, part } = openOdf(bytes, converting)
  const body = at(content, 'office:body', 'office:text')
  if (body.name === '') throw damaged('it contains no text')
  const notes = makeNotes()
  const styles = readStyles([part('styles.xml'), content])
  const write = odfBlocks((blocks) => ({ styles, notes, blocks, boxes: [], object: eachOnce(part) }))
  const html = joinPreformatted(write(body))
  return {
    html: html + notes.html(),
    facts: { ...factsOf({ language: languageOf(part('styles.xml')) }), ...openDocumentFacts(part('meta.xml')) },
  }
}

function languageOf(styles: XmlElement | undefined): string | undefined {
  const defaults = childrenOf(at(styles, 'office:styles'), 'style:default-style')
  const paragraphs = defaults.find(({ attributes }) => attributes['style:family'] === 'paragraph')
  const { 'fo:language': language, 'fo:country': country } = at(paragraphs, 'style:text-properties').attributes
  if (language === undefined || language === 'none') return undefined
  return country === undefined || country === 'none' ? language : `${language}-${country}`
}
