import type { Element } from '../tree.ts'
import { destination, resolve, titlePart } from './address.ts'
import { escapeText } from './escape.ts'
import { pushRaw } from './run.ts'
import type { ElementWriter, Sheet } from './sheet.ts'
import { ampersand, backslash, backtick, closeBracket, less, openBracket, pipe, star, tilde, underscore } from './signs.ts'

const base64 = /^data:image\/[^,]{0,100};base64,/i

export const writeImage: ElementWriter = (sheet, element) => {
  const source = imageSource(element)
  const { alt = '', title } = element.attributes
  if (source === undefined) return
  pushRaw(sheet.run, `![${writtenAlt(sheet, alt)}](${writtenSource(sheet, source)}${writtenTitle(sheet, title, alt)})`)
}

function writtenSource(sheet: Sheet, source: string): string {
  if (source.startsWith('data:')) {
    return sheet.removeBase64Images && base64.test(source) ? '<Base64-Image-Removed>' : destination(source)
  }
  return destination(resolve(sheet.address, source))
}

const altSigns =
  star | underscore | backtick | tilde | openBracket | closeBracket | less | ampersand | backslash

function writtenAlt(sheet: Sheet, alt: string): string {
  if (!/[^\w ,.:;'()-]/.test(alt) && !alt.includes('  ')) return alt.trim()
  const mask = sheet.room === 'cell' ? altSigns | pipe : altSigns
  return escapeText(alt.trim().replace(/\s+/g, ' '), mask, { before: 91, after: 93, inLink: true })
}

export function writtenTitle(sheet: Sheet, title: string | undefined, text: string): string {
  if (title === undefined || title === text) return ''
  const part = titlePart(title)
  return sheet.room === 'cell' ? part.replace(/\|/g, '\\|') : part
}

const lazySources = ['data-src', 'data-original', 'data-lazy-src', 'data-actualsrc', 'data-hi-res-src'] as const

/** Where an image really is: the largest candidate, and behind a placeholder what a script would put in its place. */
export function imageSource(element: Element): string | undefined {
  const { attributes } = element
  const { src } = attributes
  const set = attributes.srcset ?? attributes['data-srcset']
  const largest = set === undefined ? undefined : largestCandidate(set, src)
  if (largest !== undefined) return largest
  if (src === undefined || src === '' || src.startsWith('data:') || src.startsWith('about:')) {
    for (const name of lazySources) if (attributes[name]) return attributes[name]
  }
  return src
}

/** The candidate of the greatest width or density. Without a description a candidate, like `src`, counts as 1x. */
export function largestCandidate(set: string, src: string | undefined): string | undefined {
  let largest = src !== undefined && src !== '' && !src.startsWith('data:') ? src : undefined
  let size = largest === undefined ? 0 : 1
  for (const { url, width, density } of candidates(set)) {
    const own = width ?? density
    // A width says more than the size of an image without one.
    if (own > size || largest === undefined) {
      largest = url
      size = own
    }
  }
  return largest
}

interface Candidate {
  readonly url: string
  readonly width: number | undefined
  readonly density: number
}

const candidate = /[\s,]*([^\s,][^\s]*)(?:\s+([^,]*))?/y

function* candidates(set: string): Generator<Candidate> {
  candidate.lastIndex = 0
  let found = candidate.exec(set)
  while (found) {
    const at = candidate.lastIndex
    const [, raw = '', description = ''] = found
    const url = raw.replace(/,+$/, '')
    // A comma right behind the address ends the candidate.
    const size = url === raw ? description.trim() : ''
    const number = Number.parseFloat(size)
    yield {
      url,
      width: size.endsWith('w') && number > 0 ? number : undefined,
      density: size.endsWith('x') && number > 0 ? number : 1,
    }
    candidate.lastIndex = url === raw ? at : found.index + found[0].indexOf(raw) + raw.length
    found = candidate.exec(set)
  }
}
