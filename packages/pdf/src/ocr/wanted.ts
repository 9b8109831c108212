import type { PageItems } from '../types.ts'

/** Which pages are recognized in pictures: none, those without usable text, or all. */
export type OcrScope = 'none' | 'auto' | 'all'

/** Pages to recognize. */
export interface WantedPages {
  readonly pages: readonly number[]
  /** Those of them that have little text, which is enough unless the page has a picture. */
  readonly sparse: readonly number[]
}

// A scan may have a stamp, a page number, or the name of the scanner as text.
const fewLetters = 60

/** Returns the pages to recognize. */
export function pagesToRecognize(pages: readonly PageItems[], scope: OcrScope): WantedPages {
  if (scope === 'none') return { pages: [], sparse: [] }
  const numbers = (some: readonly PageItems[]): number[] => some.map(({ number }) => number)
  if (scope === 'all') return { pages: numbers(pages), sparse: [] }
  const unread = pages.filter((page) => page.isUndecoded || isGarbled(page) || lettersOf(page) < fewLetters)
  return {
    pages: numbers(unread),
    sparse: numbers(unread.filter((page) => !page.isUndecoded && !isGarbled(page) && page.items.length > 0)),
  }
}

/** Returns the number of letters and digits of a page. */
export function lettersOf({ items }: PageItems): number {
  return items.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)
}

// The code of a glyph in place of its character.
const glyphCode = /\(cid:\d+\)/g
// Symbols that hardly occur next to each other in text: a font with wrong codes turns words into them.
const odd = /[^\p{L}\p{M}\p{N}\s.,;:!?'"()\-–—/%&$€£@+=*•·“”‘’«»…]/gu
const maxOddShare = 0.35
const minCharacters = 30

/** Returns whether most text of a page is not language, because its fonts have wrong codes. */
function isGarbled({ items }: PageItems): boolean {
  const text = items.map((item) => item.text).join(' ')
  const characters = text.replaceAll(/\s/g, '').length
  if (characters < minCharacters) return false
  const codes = text.match(glyphCode)?.join('').length ?? 0
  return (codes + (text.match(odd)?.length ?? 0)) / characters > maxOddShare
}

/** Returns the better one of a page as the file has it, and as it was recognized. */
export function betterPage(own: PageItems, recognized: PageItems, scope: OcrScope): PageItems {
  const letters = lettersOf(recognized)
  if (letters === 0) return own
  return scope === 'all' || own.isUndecoded || isGarbled(own) || letters >= 2 * lettersOf(own) ? recognized : own
}
