// Markdown in files. The only module that imports marked.
import { Marked, type TokenizerAndRendererExtension } from 'marked'

import { formulaHtml } from './formula.ts'
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

/** Returns Markdown as HTML. Formulas between dollar signs are TeX. HTML in it is closed, and its scripts are omitted. */
export function markdownHtml(text: string): string {
  const html = marked.parse(text, { async: false })
  return pageHtml(html)
}
