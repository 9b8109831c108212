import type { Face } from '../types.ts'

const subset = /^[A-Z]{6}\+/
const boldName = /bold|black|heavy|demi|cmbx|cmssbx|[-_,]bd\b|sfbx|ecbx|[-_ ](?:b|bi)$|medi(?:ital)?$/i
const italicName = /ital|obliq|slant|^cmti|^cmsl|^sfti|^sfsl|^ecti|^ecsl|[-_ ](?:it|bi|i)$/i
const monoName =
  /mono(?!type)|courier|cousine|^cm(?:sl|i|vt)?tt|^(?:sf|ec|la)tt|^txtt|typewriter|consol|menlo|fixed|terminal|code|lmtt|lettergothic|hack\b|iosevka|nimbusmon/i
// Mathematical fonts are italic by nature, which is not emphasis.
const mathName = /^(?:cmmi|cmsy|cmex|msam|msbm|stmary|wasy)|math|symbol/i

/**
 * Returns the weight, slope and kind of a font by its name, regular if there is none. Equal character widths would not show a
 * monospaced font: files contain only the characters they use, and digits have equal widths in most fonts.
 */
export function faceOf(fontName: string | undefined): Face {
  const name = (fontName ?? '').replace(subset, '')
  const isMath = mathName.test(name)
  return {
    name,
    bold: !isMath && boldName.test(name),
    italic: !isMath && italicName.test(name),
    mono: monoName.test(name),
    ...(isMath && { math: true }),
  }
}
