// Finds bank accounts, cards, and national identity and tax numbers.
import {
  ibanLength,
  isBsn,
  isCard,
  isCodiceFiscale,
  isCpf,
  isDni,
  isGermanTaxId,
  isIban,
  isLuhn,
  isNhs,
  isNir,
  isPesel,
  isRouting,
  isShortDate,
} from './checks.ts'
import { digitsIn, lineBefore, type Find, type FindOptions, type Span } from './span.ts'

interface Notation {
  readonly kind: string
  readonly pattern: RegExp
  /** Must match the text before the number on the same line. */
  readonly label?: RegExp
  /** Receives the match without separators. */
  readonly check?: (text: string, match: string) => boolean
  /** True if the label may be missing in the mode `aggressive`. */
  readonly isChecked?: boolean
}

const after = (words: string): RegExp =>
  new RegExp(
    `(?:^|[^\\p{L}\\p{N}])(?:${words})[^\\p{L}\\p{N}\\n]{0,4}(?:\\p{L}{1,12}[^\\p{L}\\p{N}\\n]{1,3}){0,2}$`,
    'iu',
  )

const taxLabel = after('tax id|steuer-?id\\w*|steuerliche\\w*|idnr|identifikationsnummer|tin')

const notations: readonly Notation[] = [
  {
    kind: 'card',
    pattern: /\d{4}([ -]?)\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ -]?)\d{6}\2\d{4,5}/g,
    check: isCard,
  },
  { kind: 'card code', pattern: /\d{3,4}/g, label: after('cvv2?|cvc2?|card security code') },
  { kind: 'US social security number', pattern: /\d{3}-\d{2}-\d{4}/g, check: isSsn },
  { kind: 'US social security number', pattern: /\d{9}/g, label: after('ssn|social security'), check: isSsn },
  { kind: 'US routing number', pattern: /\d{9}/g, label: after('routing|aba|rtn'), check: isRouting },
  {
    kind: 'account number',
    pattern: /\d{6,17}/g,
    label: after('account|acct|a/c|konto(?:nummer)?|kontonr|rekening\\w*|compte|cuenta|conta|konta'),
  },
  { kind: 'UK sort code', pattern: /\d{2}-\d{2}-\d{2}/g, label: after('sort code') },
  {
    kind: 'UK national insurance number',
    pattern: /[ABCEGHJ-PRSTW-Z][ABCEGHJ-NPRSTW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/g,
    check: (text) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(text),
  },
  { kind: 'NHS number', pattern: /\d{3}[ -]?\d{3}[ -]?\d{4}/g, label: after('nhs'), check: isNhs },
  {
    kind: 'German tax id',
    pattern: /\d{2} ?\d{3} ?\d{3} ?\d{3}/g,
    label: taxLabel,
    check: isGermanTaxId,
    isChecked: true,
  },
  { kind: 'French NIR', pattern: /[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/g, check: isNir },
  { kind: 'Spanish DNI', pattern: /(?:\d{8}|[XYZ]-?\d{7})-?[A-Z]/g, check: isDni },
  { kind: 'Italian codice fiscale', pattern: /[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]/g, check: isCodiceFiscale },
  {
    kind: 'Dutch BSN',
    pattern: /\d{4}[. ]?\d{2}[. ]?\d{3}|\d{9}/g,
    label: after('bsn|burgerservicenummer|sofinummer'),
    check: isBsn,
    isChecked: true,
  },
  { kind: 'Polish PESEL', pattern: /\d{11}/g, label: after('pesel'), check: isPesel, isChecked: true },
  { kind: 'Swedish personnummer', pattern: /(?:19|20)?\d{6}[-+]\d{4}/g, check: (_, match) => isPersonnummer(match) },
  {
    kind: 'Swedish personnummer',
    pattern: /(?:19|20)\d{10}/g,
    label: after('personnummer|personnr|pnr'),
    check: isPersonnummer,
  },
  { kind: 'Brazilian CPF', pattern: /\d{3}\.\d{3}\.\d{3}-\d{2}/g, check: isCpf },
  { kind: 'Brazilian CPF', pattern: /\d{11}/g, label: after('cpf'), check: isCpf, isChecked: true },
]

/** Finds IBANs, cards, bank accounts and identity numbers. */
export const findFinancial: Find = (text, options) => [
  ...findIbans(text),
  ...notations.flatMap((notation) => findNotation(text, notation, options)),
]

function findNotation(
  text: string,
  { kind, pattern, label, check, isChecked = false }: Notation,
  { isAggressive }: FindOptions,
): Span[] {
  const spans: Span[] = []
  for (const { 0: match, index } of text.matchAll(pattern)) {
    const end = index + match.length
    // Skip parts of words, longer numbers, URLs and decimals.
    if (
      /[\p{L}\p{N}_/=&%#+.-]/u.test(text[index - 1] ?? '') ||
      /^(?:[\p{L}\p{N}_/=&%]|[.,-]\d)/u.test(text.slice(end, end + 2))
    )
      continue
    if (label && !(isAggressive && isChecked) && !label.test(lineBefore(text, index))) continue
    if (!check || check(match.replaceAll(/[ .-]/g, ''), match))
      spans.push({ start: index, end, entity: 'FINANCIAL', kind })
  }
  return spans
}

const ibanStart = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?=[ \u00A0]?[A-Z\d]{2})/gu
const maxIban = 45

function findIbans(text: string): Span[] {
  const spans: Span[] = []
  for (const { 0: match, index } of text.matchAll(ibanStart)) {
    const length = ibanLength(match.slice(0, 2))
    if (length === undefined) continue
    let end = index
    let characters = ''
    const limit = Math.min(text.length, index + maxIban)
    for (; end < limit && characters.length < length; end += 1) {
      const character = text[end] ?? ''
      if (/[A-Z\d]/.test(character)) characters += character
      else if (!/[ \u00A0-]/.test(character)) break
    }
    if (isIban(characters) && !/[\p{L}\p{N}]/u.test(text[end] ?? ''))
      spans.push({ start: index, end, entity: 'FINANCIAL', kind: 'iban' })
  }
  return spans
}

function isSsn(digits: string): boolean {
  return (
    !/^(?:000|666|9)/.test(digits) &&
    digits.slice(3, 5) !== '00' &&
    digits.slice(5) !== '0000' &&
    new Set(digits).size > 2
  )
}

function isPersonnummer(text: string): boolean {
  const digits = digitsIn(text).slice(-10)
  const day = Number(digits.slice(4, 6))
  // Coordination numbers add 60 to the day.
  const born = digits.slice(0, 4) + String(day > 60 ? day - 60 : day).padStart(2, '0')
  return isShortDate(born) && isLuhn(digits)
}
