import type { Face } from '../types.ts'

const subset = /^[A-Z]{6}\+/
const boldName = /bold|black|heavy|demi|cmbx|cmssbx|[-_,]bd\b|sfbx|ecbx|[-_ ](?:b|bi)$|medi(?:ital)?$/i
const italicName = /ital|obliq|slant|^cmti|^cmsl|^sfti|^sfsl|^ecti|^ecsl|[-_ ](?:it|bi|i)$/i
const monoName =
  /mono(?!type)|courier|cousine|^cm(?:sl|i|vt)?tt|^(?:sf|ec|la)tt|^txtt|typewriter|consol|menlo|fixed|terminal|code|lmtt|lettergothic|hack\b|iosevka|nimbusmon/i
// Letters of formulas are slanted by nature, which stresses nothing.
const mathName = /^(?:cmmi|cmsy|cmex|msam|msbm|stmary|wasy)|math|symbol/i

/**
 * Reads the weight, the slope and the kind of a typeface off its name. That all its letters are of one width says
 * nothing: files keep only the letters they use, and digits are of one width in most faces.
 */
export function faceOf(fontName: string | undefined): Face {
  const name = (fontName ?? '').replace(subset, '')
  const isMath = mathName.test(name)
  return {
    name,
    bold: !isMath && boldName.test(name),
    italic: !isMath && italicName.test(name),
    mono: monoName.test(name),
  }
}
