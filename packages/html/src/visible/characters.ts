// Removes invisible characters that do not change how the characters around them are displayed.
import type { Element } from '../tree/tree.ts'
import { nextNode } from '../tree/walk.ts'

/**
 * Excludes U+2061 to U+2064, which are operators in formulas, and soft hyphens, which the output writers handle. U+DB40 is the
 * first half of U+E0000 to U+E03FF: expressions with the flag `u` take longer, and this one searches whole pages.
 */
const invisible =
  /[\uFE00-\uFE0F\u061C\u115F\u1160\u180E\u200B-\u200F\u202A-\u202E\u2060\u2066-\u206F\u3164\uDB40\uFEFF\uFFA0\uFFF9-\uFFFB]/

const references =
  /&(?:zw|zero|lrm|rlm|nobreak|negative|#x0*(?:61c|115f|1160|180e|200[b-f]|202[a-e]|206|3164|fe|ffa|fff|e0)|#0*(?:1564|444[78]|6158|820[3-7]|823[4-8]|8288|829|830|12644|650|65279|654|655|917))/iy

/** The characters after `&` in these references. Most others, such as `&amp;`, have a different one. */
const startsReference = new Uint8Array(128)
for (const character of 'zlrnZLRN#') startsReference[character.charCodeAt(0)] = 1

/** Returns whether HTML source may contain invisible characters, as such or as character references. */
export const mayHaveInvisible = (html: string): boolean => invisible.test(html) || mayRefer(html)

/** Tries the expression only at each `&`: a search with it takes ten times as long. */
function mayRefer(html: string): boolean {
  for (let at = html.indexOf('&'); at >= 0; at = html.indexOf('&', at + 1)) {
    if (startsReference[html.charCodeAt(at + 1)] !== 1) continue
    references.lastIndex = at
    if (references.test(html)) return true
  }
  return false
}

/**
 * Removes invisible characters from text nodes, except in scripts and styles, and from readable attributes, such as `alt`.
 * Changes the tree.
 */
export function cleanTree(root: Element): void {
  for (let node = nextNode(root, root); node; node = nextNode(node, root)) {
    if (node.type === 'text') {
      if (node.parent?.name !== 'script' && node.parent?.name !== 'style') node.text = withoutInvisible(node.text)
      continue
    }
    for (const name of shown) {
      const value = node.attributes[name]
      if (value === undefined || !invisible.test(value)) continue
      // Cast: the tree is not shared before it is complete.
      const attributes = node.attributes as Record<string, string>
      attributes[name] = withoutInvisible(value)
    }
  }
}

const shown = ['alt', 'title', 'aria-label', 'content', 'placeholder', 'label']

const flag = /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{2,6}\u{E007F}/gu
const tags = /[\u{E0000}-\u{E007F}]+/gu
const marks = /[\u061C\u200E\u200F\u2066-\u2069]/g
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
const selectors = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}|(?<![\p{Script=Han}])[\u{E0100}-\u{E01EF}]+/gu
const never = /[\u115F\u1160\u180E\u200B\u202A-\u202E\u2060\u206A-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]+/g
// Joiners matter in scripts such as Arabic and Devanagari, and between emoji.
const joiner = /[\u200C\u200D]+/g
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Hebrew}]/u
const pictured = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F♀♂]/u

/**
 * Returns a string without invisible characters, except those that affect flags, emoji, right-to-left text, and scripts such as
 * Devanagari.
 */
export function withoutInvisible(text: string): string {
  if (!invisible.test(text)) return text
  const flags: string[] = []
  let clean = text
  if (/[\u{E0000}-\u{E007F}]/u.test(clean)) {
    // Tag characters are used only in regional flags. A placeholder replaces these flags while all other tags are removed.
    clean = clean.replaceAll(flag, (found) => {
      flags.push(found)
      return flagMark
    })
    clean = clean.replaceAll(tags, '')
  }
  clean = clean.replaceAll(never, '').replaceAll(selectors, '')
  if (!rightToLeft.test(clean)) clean = clean.replaceAll(marks, '')
  clean = clean.replaceAll(joiner, (found, at: number, whole: string) => {
    const before = characterBefore(whole, at)
    const after = String.fromCodePoint(whole.codePointAt(at + found.length) ?? 32)
    if (joining.test(before) && (joining.test(after) || found[0] === '\u200D' || !/\p{L}/u.test(after)))
      return found[0]!
    return pictured.test(before) && pictured.test(after) && found.includes('\u200D') ? '\u200D' : ''
  })
  return flags.length === 0 ? clean : clean.replaceAll(flagMark, () => flags.shift() ?? '')
}

const flagMark = '\u{10FFFE}'

function characterBefore(text: string, at: number): string {
  const code = text.charCodeAt(at - 1)
  const isLow = code >= 0xdc00 && code <= 0xdfff
  return text.slice(Math.max(0, at - (isLow ? 2 : 1)), at)
}
