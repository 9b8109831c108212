import { digitsIn, lineBefore, type Find, type FindOptions, type Span } from './span.ts'

// Digits and the separators between groups of digits.
const candidate = /(?:\+|\(\+?)?\d(?:[ ()./\-\u00A0\u2010-\u2013\u202F]{0,3}\d){6,16}(?!\d)/g
const label =
  /(?:\b(?:tele(?:ph|f)on[eo]?|tel|t[ée]l|t[ée]l[ée]phone|tel[ée]fono|telefoon|telefone|phone|ph|fax|mob(?:ile?|il|iel)?|cell(?:ular)?|celular|cellulare|portable|m[óo]vil|handy|call|hotline|whatsapp|sms|text|dial|rufnummer|telefonnummer|kontakt|contact|tfn|tfno|kom(?:[óo]rka)?|numer telefonu|ring|bel)\b|[☎📞📱✆])[^\n\d+@]{0,24}$/iu
const other =
  /(?:isbn|issn|ean|upc|gtin|asin|sku|order|bestell\w*|commande|pedido|ordine|zam[óo]wieni\w*|invoice|rechnung\w*|facture|factura|fattura|faktura|item|article|artikel\w*|art\.|part|model|serial|serien\w*|tracking|parcel|shipment|sendung\w*|ref(?:erence)?|patent|doi|pmid|orcid|isrc|version|build|id|vat|ust\w*|tva|siret|siren|cnpj|nip|regon|krs|hrb|kvk|abn|acn|ein|license|licence|case|ticket|coordinates|lat|lon|lng|gps)\b[^\n\d]{0,18}$|[#№$€£¥]\s?$/i

// Calling codes by their first digits.
const callingCode =
  /^(?:1|7|2[07]|2[1-6]\d|29\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[789]\d|8[1246]|8[058]\d|9[0-58]|9[679]\d)/

// National notations that are only used for phone numbers.
const national: readonly RegExp[] = [
  // The United States, Canada
  /^\([2-9]\d{2}\) ?[2-9]\d{2}[-. ]\d{4}$/,
  /^(?:1[-. ])?[2-9]\d{2}([-.])[2-9]\d{2}\1\d{4}$/,
  /^1[- ][2-9]\d{2}[- ][2-9]\d{2}[- ]\d{4}$/,
  // France, Spain
  /^0[1-9](?:[ .-]\d{2}){4}$/,
  /^[67]\d{2} \d{2} \d{2} \d{2}$/,
  /^9[1-8]\d \d{2} \d{2} \d{2}$/,
  // Spain, Poland
  /^[1-9]\d \d{3} \d{2} \d{2}$/,
  // Brazil
  /^\(\d{2}\) ?(?:9\d{4}|[2-5]\d{3})-\d{4}$/,
  // The area code after a zero: Germany, the United Kingdom, Italy, the Netherlands, Sweden, Australia
  /^\(0\d{1,5}\) ?\d{2,8}(?:[ -]\d{1,6}){0,3}$/,
  /^0[1-9]\d{0,4} ?[/-] ?\d{2,9}(?:[ -]\d{2,5}){0,3}$/,
  /^0[1-9]\d{0,3} \d{6,8}$/,
  /^0[1-9]\d{1,4}(?: \d{2,8}){1,4}$/,
  /^0[1-9](?: \d{2,4}){2,4}$/,
  /^3[2-9]\d[ .-]\d{6,7}$/,
]

const date = /^(?:\d{1,2}([-./ ])\d{1,2}\1(?:19|20)\d{2}|(?:19|20)\d{2}([-./ ])\d{1,2}\2\d{1,2})(?!\d)/

/** Finds phone and fax numbers: international ones, numbers after a label, and national ones in their usual notation. */
export const findPhones: Find = (text, options) => {
  const spans: Span[] = []
  const pattern = new RegExp(candidate)
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { 0: run, index } = match
    const length = phoneAt(text, index, run, options)
    const end = index + length
    if (length > 0) spans.push({ start: index, end, entity: 'PHONE', kind: 'phone' })
    // A run of digits and separators can contain several numbers, also one that begins in the middle.
    const later = run.slice(1).search(/[+(]/)
    if (length > 0) pattern.lastIndex = end
    else if (later >= 0) pattern.lastIndex = index + 1 + later
  }
  return spans
}

/** Returns the length of the phone number at the start of a run of digits and separators, or 0. */
function phoneAt(text: string, start: number, run: string, { isAggressive }: FindOptions): number {
  const head = lineBefore(text, start)
  const isLink = /tel:\s?$|wa\.me\/$/i.test(head)
  if (/[\w@&%=.,$€£/\\-]/.test(text[start - 1] ?? '') && !isLink) return 0
  if (/[\w@%=]/.test(text[start + run.length] ?? '')) return 0
  const isLabelled = label.test(head)
  const isOther = !isLabelled && other.test(head)
  const isNumber = (number: string): boolean => {
    const count = digitsIn(number).length
    if (count < 7 || count > 15 || !balanced.test(number)) return false
    if (isLink) return true
    if (/^\(?\+/.test(number)) return count >= 8 && callingCode.test(digitsIn(number)) && !/\d{13}/.test(number)
    if (isOther || date.test(number) || /^\d+\.\d+$/.test(number)) return false
    const groups = number.split(/\D+/).filter((group) => group !== '')
    if (isLabelled) return !isYears(groups)
    if (/^00[1-9]/.test(number)) return count >= 10 && groups.length > 1
    if (count < 9 || count > 13) return false
    const plain = number.replaceAll(/[\u00A0\u202F]/g, ' ').replaceAll(/[\u2010-\u2013]/g, '-')
    if (national.some((notation) => notation.test(plain))) return true
    return isAggressive && count <= 12 && groups.length > 1 && groups.length < 6 && !isYears(groups)
  }
  // Other digits may follow the number, so drop the last group until the rest is a number.
  for (let number = run; number.length > 6; number = number.replace(/\D*\d+$/, '')) {
    if (isNumber(number)) return number.length
    if (!/\D/.test(number)) break
  }
  return 0
}

const balanced = /^[^()]*(?:\([^()]*\)[^()]*)?$/

function isYears(groups: readonly string[]): boolean {
  return groups.length > 1 && groups.every((group) => /^(?:19|20)\d{2}$/.test(group))
}
