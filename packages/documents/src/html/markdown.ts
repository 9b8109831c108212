// Markdown in files. The only module that imports marked.
import { Marked, type TokenizerAndRendererExtension } from 'marked'

import { formulaHtml } from './formula.ts'
import { refuse } from '../refuse.ts'
import { pageHtml } from './page.ts'
import { plainHtml } from './plain.ts'

const inlineFormula: TokenizerAndRendererExtension = {
  name: 'formula',
  level: 'inline',
  start: (source) => {
    const at = source.indexOf('$')
    return at < 0 ? undefined : at
  },
  tokenizer: (source) => {
    const [raw, block, inline] =
      /^\$\$([^$]{1,5000})\$\$|^\$(?![\s\d])([^$\n]{1,1000}?)(?<![\s\\])\$(?!\d)/.exec(source) ?? []
    if (raw === undefined) return undefined
    return { type: 'formula', raw, text: (block ?? inline ?? '').trim(), isBlock: block !== undefined }
  },
  renderer: (token) => formulaHtml(String(token['text']), token['isBlock'] === true),
}

const marked = new Marked({ async: false, gfm: true, extensions: [inlineFormula] })

const maxQuotes = 100
// The library reads each level with a call of its own.
const tooManyQuotes = new RegExp(`(?:[ \\t]{0,3}>){${maxQuotes + 1}}`)

// The library takes quadratic time for marks without an end in the same paragraph, list item or table cell.
const maxParagraph = 50_000
const fence = /^ {0,3}(?:`{3,}|~{3,})/
const ownBlock = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s)/
const tableHead = /^(?=[^-]*-)[\s:|-]*\|[\s:|-]*$/

function hasLongParagraph(text: string): boolean {
  if (text.length <= maxParagraph) return false
  let length = 0
  let isInFence = false
  let isInTable = false
  for (const line of text.split(/\r\n?|\n/)) {
    const isFence = fence.test(line)
    if (isFence) isInFence = !isInFence
    const isBlank = line.trim() === ''
    if (isBlank) isInTable = false
    if (tableHead.test(line)) isInTable = true
    length = isInFence || isFence || isBlank ? 0 : isInTable || ownBlock.test(line) ? line.length : length + line.length
    if (length > maxParagraph) return true
  }
  return false
}

// Embedded pictures, which the result does not contain.
const dataUrl = /data:image\/[\w+.-]+;base64,[\w+/=]*/g

/**
 * Returns Markdown as HTML. Formulas between dollar signs are TeX. HTML in it is closed, and its scripts are omitted. If a
 * paragraph has more than 50,000 characters, the whole is plain text. Throws `page_too_complex` above 100 nested quotes.
 */
export function markdownHtml(text: string): string {
  if (tooManyQuotes.test(text))
    throw refuse('too-complex', `The file nests more than ${maxQuotes} quotes, so it is not read.`)
  const source = text.replaceAll(dataUrl, '')
  if (hasLongParagraph(source)) return plainHtml(source)
  const html = marked.parse(source, { async: false })
  return pageHtml(html)
}
