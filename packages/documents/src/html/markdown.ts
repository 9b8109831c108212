// Markdown in files. The only module that imports marked.
import { Marked, type TokenizerAndRendererExtension } from 'marked'

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

/** Returns Markdown as HTML. Formulas between dollar signs are TeX. HTML in it is closed, and its scripts are omitted. Throws `page_too_complex` above 100 nested quotes. */
export function markdownHtml(text: string): string {
  if (tooManyQuotes.test(text))
    throw refuse('too-complex', `The file nests more than ${maxQuotes} quotes, so it is not read.`)
  const html = marked.parse(text, { async: false })
  return pageHtml(html)
}
