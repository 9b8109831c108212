import { likeliestLatin } from './latin.ts'
import { decoderFor } from './text-decoder.ts'

/** The most common non-ASCII letters of languages that share encodings and have a script of their own. */
interface Alphabet {
  readonly labels: readonly string[]
  readonly letters: string
  readonly languages: readonly string[]
}

const alphabets: readonly Alphabet[] = [
  {
    labels: ['windows-1251', 'koi8-u', 'ibm866', 'iso-8859-5', 'x-mac-cyrillic'],
    letters: 'оеаинтсрвлкмдпуяыьіјщъ',
    languages: ['be', 'bg', 'mk', 'ru', 'sr', 'uk'],
  },
  { labels: ['windows-1253'], letters: 'αοιετσνηυρπκμλςάίόέή', languages: ['el'] },
  { labels: ['windows-1255'], letters: 'יולאהמרתבשנכםדעקחפ', languages: ['he', 'iw', 'yi'] },
  { labels: ['windows-1256', 'iso-8859-6'], letters: 'اليمنوترهبدعةسفكقحأ', languages: ['ar', 'fa', 'ur'] },
  { labels: ['windows-874'], letters: 'านรอกเงมยลวดทต่้สีัิไปคะหแ', languages: ['th'] },
]

const enough = 0.5
// Minimum number of non-ASCII characters to assume a script other than Latin.
const minForeignCharacters = 8
// Bonus if the page declares the language.
const bonus = 0.2

/**
 * Returns the single-byte encoding of Cyrillic, Greek, Hebrew, Arabic or Thai whose decoded characters best match their common
 * letters, otherwise the most plausible Latin one, or `undefined` if none matches well enough. `language` is the code of the
 * page's language, such as `ru`, which is preferred; empty if unknown.
 */
export function likeliestAlphabet(text: Uint8Array, language: string): string | undefined {
  if (!areAdjacent(text)) return likeliestLatin(text, language)
  const high = text.filter((byte) => byte > 0x7f)
  if (high.length < minForeignCharacters) return undefined
  let best: { readonly label: string; readonly score: number } | undefined
  for (const alphabet of alphabets) {
    const own = alphabet.languages.includes(language) ? bonus : 0
    for (const label of alphabet.labels) {
      const score = shareOf(alphabet.letters, decoderFor(label)?.decode(high) ?? '') + own
      if (score >= enough && score > (best?.score ?? 0)) best = { label, score }
    }
  }
  // In short text, non-ASCII Latin letters may be adjacent by chance.
  return best?.label ?? likeliestLatin(text, language)
}

/** Returns whether most non-ASCII bytes follow another one, as in Greek or Cyrillic words. */
function areAdjacent(text: Uint8Array): boolean {
  let together = 0
  let all = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at]! <= 0x7f) continue
    all += 1
    // Ignore sequences of dashes or dots.
    if ((text[at - 1] ?? 0) > 0x7f && text[at - 1] !== text[at]) together += 1
  }
  return together > all / 2
}

/**
 * Returns the share of the expected letters. Capitals count half: if most are capitals, upper and lower case are probably
 * swapped.
 */
function shareOf(letters: string, text: string): number {
  let found = 0
  for (const letter of text) {
    if (letters.includes(letter)) found += 1
    else if (letters.includes(letter.toLowerCase())) found += 0.5
  }
  return text.length === 0 ? 0 : found / text.length
}
