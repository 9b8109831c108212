// Markdown in files. The only module that imports marked.
import { Lexer, Marked, type TokenizerAndRendererExtension } from 'marked'

import { formulaHtml } from './formula.ts'
import { refuse } from '../refuse.ts'
import { pageHtml } from './page.ts'

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
const maxInline = 50_000

// Embedded pictures, which the result does not contain.
const dataUrl = /data:image\/[\w+.-]+;base64,[\w+/=]*/g

/**
 * Returns Markdown as HTML. Formulas between dollar signs are TeX. HTML in it is closed, and its scripts are omitted. A
 * paragraph, list item or cell of more than 50,000 characters is plain text, with a warning. Throws `page_too_complex` above 100
 * nested quotes.
 */
export function markdownHtml(text: string, warn: (message: string) => void): string {
  if (tooManyQuotes.test(text))
    throw refuse('too-complex', `The file nests more than ${maxQuotes} quotes, so it is not read.`)
  const lexer = new Lexer(marked.defaults)
  lexer.blockTokens(text.replaceAll(dataUrl, '').replaceAll(/\r\n?/g, '\n'), lexer.tokens)
  for (const { src, tokens } of lexer.inlineQueue) {
    lexer.state.inRawBlock = false
    if (src.length <= maxInline) lexer.inlineTokens(src, tokens)
    else {
      tokens.push({ type: 'text', raw: src, text: src, escaped: false })
      warn(`A paragraph of Markdown has more than ${maxInline} characters, so it is read as plain text.`)
    }
  }
  return pageHtml(marked.parser(lexer.tokens))
}
