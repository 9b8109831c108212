import { likeliestLatin } from './latin.ts'
import { decoderFor } from './text-decoder.ts'

/** The commonest letters beyond ASCII of languages that share encodings, in scripts of their own. */
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
// Of another script there are more than a few, or none.
const fewestLetters = 8
// What a page says of its language weighs this much.
const bonus = 0.2

/** Picks the encoding of one byte a letter in which the text holds the letters that its language uses most. */
export function likeliestAlphabet(text: Uint8Array, language: string): string | undefined {
  if (!standTogether(text)) return likeliestLatin(text, language)
  const high = text.filter((byte) => byte > 0x7f)
  if (high.length < fewestLetters) return undefined
  let best: { readonly label: string; readonly score: number } | undefined
  for (const alphabet of alphabets) {
    const own = alphabet.languages.includes(language) ? bonus : 0
    for (const label of alphabet.labels) {
      const score = shareOf(alphabet.letters, decoderFor(label)?.decode(high) ?? '') + own
      if (score >= enough && score > (best?.score ?? 0)) best = { label, score }
    }
  }
  // In a line of few words letters of Latin may stand together by chance.
  return best?.label ?? likeliestLatin(text, language)
}

/** Whether most bytes beyond ASCII have another one before them, as in words of another script. */
function standTogether(text: Uint8Array): boolean {
  let together = 0
  let all = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at]! <= 0x7f) continue
    all += 1
    // A row of dashes or dots is no word.
    if ((text[at - 1] ?? 0) > 0x7f && text[at - 1] !== text[at]) together += 1
  }
  return together > all / 2
}

/** A capital counts half: where most letters are capitals, upper and lower case are likely swapped. */
function shareOf(letters: string, text: string): number {
  let found = 0
  for (const letter of text) {
    if (letters.includes(letter)) found += 1
    else if (letters.includes(letter.toLowerCase())) found += 0.5
  }
  return text.length === 0 ? 0 : found / text.length
}
