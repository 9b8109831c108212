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
    const href = withoutEnd(found, ".,;:!?)]'*_")
    out.push(escapeText(line.slice(at, index)), `<a href="${escapeValue(href)}">${escapeText(href)}</a>`)
    at = index + href.length
  }
  out.push(escapeText(line.slice(at)))
  return out.join('')
}

/** Removes the characters of `end` from the end of a string. An expression with `+$` takes quadratic time. */
export function withoutEnd(text: string, end: string): string {
  let length = text.length
  while (length > 0 && end.includes(text[length - 1] ?? '')) length -= 1
  return text.slice(0, length)
}
