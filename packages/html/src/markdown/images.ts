import { imageSource } from '../addresses/absolute-urls.ts'
import { destination, resolve, titlePart } from './address.ts'
import { escapeText } from './escape.ts'
import { pushRaw } from './run.ts'
import type { ElementWriter, Sheet } from './sheet.ts'
import {
  ampersand,
  backslash,
  backtick,
  closeBracket,
  less,
  openBracket,
  pipe,
  star,
  tilde,
  underscore,
} from './signs.ts'

const base64 = /^data:image\/[^,]{0,100};base64,/i

/** Class of the fallback images in Wikipedia formulas. The formula itself is next to them. */
const drawnFormula = 'mwe-math-fallback'

/**
 * Writes an image with its alternative text and title. Images without a source, and pictures of formulas, are omitted.
 */
export const writeImage: ElementWriter = (sheet, element) => {
  const source = imageSource(element)
  const { alt = '', title, class: classes } = element.attributes
  if (source === undefined || classes?.startsWith(drawnFormula)) return
  pushRaw(sheet.run, `![${writtenAlt(sheet, alt)}](${writtenSource(sheet, source)}${writtenTitle(sheet, title, alt)})`)
}

function writtenSource(sheet: Sheet, source: string): string {
  if (source.startsWith('data:')) {
    return sheet.removeBase64Images && base64.test(source) ? '<Base64-Image-Removed>' : destination(source)
  }
  return destination(resolve(sheet.base, source))
}

const altSigns = star | underscore | backtick | tilde | openBracket | closeBracket | less | ampersand | backslash

function writtenAlt(sheet: Sheet, alt: string): string {
  if (!/[^\w ,.:;'()-]/.test(alt) && !alt.includes('  ')) return alt.trim()
  const mask = sheet.room === 'cell' ? altSigns | pipe : altSigns
  return escapeText(alt.trim().replace(/\s+/g, ' '), mask, { before: 91, after: 93, inLink: true })
}

/**
 * Returns a title in quotation marks with a space before it, escaped for a table cell if necessary. Empty if it is missing or
 * equals `text`.
 */
export function writtenTitle(sheet: Sheet, title: string | undefined, text: string): string {
  if (title === undefined || title === text) return ''
  const part = titlePart(title)
  return sheet.room === 'cell' ? part.replace(/\|/g, '\\|') : part
}
