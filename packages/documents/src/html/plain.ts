import { escapeText, escapeValue } from '../xml/entities.ts'

const url = /https?:\/\/[^\s<>"]{1,2000}/g

/** Returns plain text as HTML: blank lines separate paragraphs, line breaks are retained, and URLs become links. */
export function plainHtml(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replace(/^\n+/, '').trimEnd())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${paragraph.split('\n').map(lineHtml).join('<br>')}</p>`)
    .join('')
}

function lineHtml(line: string): string {
  const out: string[] = []
  let at = 0
  for (const { 0: found, index } of line.matchAll(url)) {
    const href = found.replace(/[.,;:!?)\]'*_]+$/, '')
    out.push(escapeText(line.slice(at, index)), `<a href="${escapeValue(href)}">${escapeText(href)}</a>`)
    at = index + href.length
  }
  out.push(escapeText(line.slice(at)))
  return out.join('')
}
