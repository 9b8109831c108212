import { resolveUrl, type Base } from '../addresses/urls.ts'

// Writes URLs of links and images so that Markdown parses them unchanged.

/**
 * Returns the absolute URL. Fragment links, and URLs that cannot be resolved, stay as they are, without line breaks, tabs and
 * white space and control characters at the ends, which browsers ignore. So do all URLs without a base.
 */
export function resolve(base: Base | undefined, raw: string): string {
  const isPlace = raw.charCodeAt(0) === 35
  return (base === undefined || isPlace ? undefined : resolveUrl(raw, base)) ?? clean(raw)
}

function clean(raw: string): string {
  const url = raw.trim()
  if (!/[\u0000-\u001f]/.test(url)) return url
  const line = url.replaceAll(/[\t\n\r]+/g, '')
  let [start, end] = [0, line.length]
  while (start < end && line.charCodeAt(start) <= space) start += 1
  while (end > start && line.charCodeAt(end - 1) <= space) end -= 1
  return line.slice(start, end)
}

const space = 32

const simple = /^[^\s()<>\\|&`\u0000-\u001f\u007f]+$/

/** Escapes a URL as a link destination, so that nothing in it ends the link early. */
export function destination(url: string): string {
  if (simple.test(url)) return url
  let written = url.replace(/[\s\u0000-\u001f\u007f<>\\|`]/g, encode)
  if (written.includes('&')) written = written.replace(/&(?=#?\w{1,32};)/g, '&amp;')
  return isBalanced(written) ? written : written.replace(/[()]/g, '\\$&')
}

function encode(character: string): string {
  return character === '\u00a0' ? character : encodeURIComponent(character.toWellFormed())
}

function isBalanced(url: string): boolean {
  let depth = 0
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (code === 40) depth++
    else if (code === 41) depth--
    if (depth < 0 || depth > 30) return false
  }
  return depth === 0
}

/**
 * Returns a link title in quotation marks, escaped, with a space before it; an empty string if there is none or it is blank.
 */
export function titlePart(title: string | undefined): string {
  if (title === undefined) return ''
  const text = title.trim().replace(/\s+/g, ' ')
  return text === '' ? '' : ` "${text.replace(/["\\]/g, '\\$&').replace(/&(?=#?\w{1,32};)/g, '&amp;')}"`
}
