// Cleans up mammoth's output: links of notes stay, other links inside the document become text.
import { unescapeXml } from '../xml/entities.ts'
import { link } from '../html/blocks.ts'

const anchor = /<a ([^>]*)>(.*?)<\/a>/gs

/**
 * Returns the HTML of mammoth without unused anchors, paragraphs in cells and empty lists of notes. Links inside the document,
 * except those of notes, and links that others cannot reach become text.
 */
export function tidy(html: string): string {
  return html
    .replaceAll(/<a id="note-(?!(?:foot|end)note-)[^"]*"><\/a>/g, '')
    .replaceAll(anchor, (whole, attributes: string, text: string) => {
      const href = /\bhref="([^"]*)"/.exec(attributes)?.[1]
      if (href === undefined || /^#note-(?:foot|end)note-/.test(href)) return whole
      return link(unescapeXml(href), text)
    })
    .replaceAll(/<(td|th)([^>]*)><p>((?:(?!<\/?p>).)*)<\/p><\/\1>/gs, '<$1$2>$3</$1>')
    .replace(/<ol><\/ol>$|<dl><\/dl>$/g, '')
}
