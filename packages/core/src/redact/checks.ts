// Check digits of cards, bank accounts and identity numbers. Each function receives the characters without separators.

/** Returns whether the last digit is right by the Luhn algorithm. Expects only digits. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Returns the remainder of a decimal number of any length when divided by `by`. */
export function remainder(digits: string, by: number): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % by
  return rest
}

const ibanLengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, BY: 28, CH: 21, CR: 22, CY: 28 },
  ...{ CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23, GL: 18 },
  ...{ GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32 },
  ...{ LI: 21, LT: 20, LU: 20, LV: 21, LY: 25, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18, NO: 15 },
  ...{ PK: 24, PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, SA: 24, SC: 31, SE: 24, SI: 19, SK: 24, SM: 27, ST: 25 },
  ...{ SV: 28, TL: 23, TN: 24, TR: 26, UA: 29, VA: 22, VG: 24, XK: 20 },
}

/**
 * Returns the number of characters of the IBANs of a country, given by its two capital letters; `undefined` if the country does
 * not use them.
 */
export const ibanLength = (country: string): number | undefined =>
  Object.hasOwn(ibanLengths, country) ? ibanLengths[country] : undefined

/** Returns whether an IBAN, in upper case and without spaces, has the length of its country and the right check digits. */
export function isIban(text: string): boolean {
  if (text.length !== ibanLength(text.slice(0, 2))) return false
  const moved = text.slice(4) + text.slice(0, 4)
  return (
    remainder(
      moved.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  )
}

/**
 * Returns whether a number belongs to a card network, by its first digits, its length and its check digit. Expects only digits.
 */
export function isCard(digits: string): boolean {
  const { length } = digits
  const fits =
    (digits.startsWith('4') && [16, 19].includes(length)) ||
    (/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits) && length === 16) ||
    (/^3[47]/.test(digits) && length === 15) ||
    (/^(?:6011|65|64[4-9]|62)/.test(digits) && length >= 16) ||
    (/^35(?:2[89]|[3-8])/.test(digits) && length === 16) ||
    (/^3(?:0[0-5]|[68])/.test(digits) && length === 14)
  return fits && new Set(digits).size > 1 && isLuhn(digits)
}

/** Returns whether the digits are a possible day, month and year of two digits, in the order `yymmdd`. */
export function isShortDate(digits: string): boolean {
  const month = Number(digits.slice(2, 4))
  const day = Number(digits.slice(4, 6))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

const down = (from: number, to: number): number[] => Array.from({ length: from - to + 1 }, (_, index) => from - index)

/** Returns whether the digits are a valid CPF (Brazil): 11 digits with two check digits. */
export function isCpf(digits: string): boolean {
  if (digits.length !== 11 || new Set(digits).size === 1) return false
  const check = (count: number): number => ((weighted(digits, down(count + 1, 2)) * 10) % 11) % 10
  return check(9) === Number(digits[9]) && check(10) === Number(digits[10])
}

/** Returns whether the digits are a valid PESEL (Poland): 11 digits with a date of birth and a check digit. */
export function isPesel(digits: string): boolean {
  if (digits.length !== 11) return false
  const month = Number(digits.slice(2, 4)) % 20
  const day = Number(digits.slice(4, 6))
  if (month < 1 || month > 12 || day < 1 || day > 31) return false
  return (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === Number(digits[10])
}

/** Returns whether the digits are a valid BSN (the Netherlands): 9 digits that pass the test of eleven. */
export function isBsn(digits: string): boolean {
  if (digits.length !== 9 || new Set(digits).size === 1) return false
  return (weighted(digits, down(9, 2)) - Number(digits[8])) % 11 === 0
}

/** Returns whether the digits are a valid NHS number (the United Kingdom): 10 digits with a check digit. */
export function isNhs(digits: string): boolean {
  return digits.length === 10 && (11 - (weighted(digits, down(10, 2)) % 11)) % 11 === Number(digits[9])
}

/** Returns whether the digits are a valid tax id (Germany): 11 digits with a check digit by ISO 7064 MOD 11,10. */
export function isGermanTaxId(digits: string): boolean {
  if (digits.length !== 11 || digits.startsWith('0')) return false
  let product = 10
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

/** Returns whether the characters are a valid NIR (France): 15 digits, or with `2A` or `2B` for Corsica. */
export function isNir(text: string): boolean {
  const digits = text.replace('2A', '19').replace('2B', '18')
  if (!/^[12]\d{2}(?:0[1-9]|1[0-2]|[2-9]\d)\d{10}$/.test(digits)) return false
  return 97 - remainder(digits.slice(0, 13), 97) === Number(digits.slice(13))
}

/** Returns whether a DNI or NIE (Spain) has the right check letter. Does not check its length. */
export function isDni(text: string): boolean {
  const digits = text.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === text.at(-1)
}

const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Returns whether a codice fiscale (Italy), in upper case, has the right check letter. Does not check its form. */
export function isCodiceFiscale(text: string): boolean {
  let sum = 0
  for (const [index, character] of Array.from(text.slice(0, 15)).entries()) {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65
    sum += index % 2 === 0 ? (odd[value] ?? 0) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === text[15]
}

/** Returns whether the digits are a valid routing number of a bank in the United States: 9 digits with a check digit. */
export function isRouting(digits: string): boolean {
  return digits.length === 9 && digits !== '000000000' && weighted(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}
