import { decoderFor } from './text-decoder.ts'

// Distinguishes Latin encodings. They share ASCII, but a non-ASCII byte is a letter in one and a symbol in another: `£5` may be
// decoded as `Ł5`, `¿Qué` as `żQué`. So each byte is rated by its character and its neighbours, for each language.

interface Language {
  readonly names: readonly string[]
  readonly letters: string
}

const languages: Readonly<Record<string, readonly Language[]>> = {
  'windows-1252': [
    { names: ['en'], letters: 'éèêñïöüçàâôî' },
    { names: ['es', 'gl'], letters: 'áéíñóúüç' },
    { names: ['de'], letters: 'äöüßéèà' },
    { names: ['fr'], letters: 'éèêëàâîïôùûüçœæÿñ' },
    { names: ['pt'], letters: 'ãáàâçéêíóôõúü' },
    { names: ['it'], letters: 'àèéìíîòóùú' },
    { names: ['ca'], letters: 'àçéèíïóòúü' },
    { names: ['nl', 'af'], letters: 'éëïóöüèêáúçà' },
    { names: ['sv', 'fi'], letters: 'åäöéüàšž' },
    { names: ['da', 'nb', 'nn', 'no'], letters: 'æøåéöäüòôèê' },
    { names: ['sq'], letters: 'ëç' },
  ],
  'windows-1254': [{ names: ['tr', 'az'], letters: 'ığşçöüâîû' }],
  'iso-8859-2': central(),
  'windows-1250': central(),
  'windows-1257': [
    { names: ['lt'], letters: 'ąčęėįšųūž' },
    { names: ['lv'], letters: 'āčēģīķļņšūž' },
    { names: ['et'], letters: 'õäöüšž' },
  ],
}
// Uses the same bytes as Turkish for other characters. Turkish is more common.
const icelandic: Language = { names: ['is', 'fo'], letters: 'áéíóúýþæöðø' }

function central(): readonly Language[] {
  return [
    { names: ['pl'], letters: 'ąćęłńóśźż' },
    { names: ['cs'], letters: 'áčďéěíňóřšťúůýžöü' },
    { names: ['sk'], letters: 'áäčďéíĺľňóôŕšťúýž' },
    { names: ['hu'], letters: 'áéíóöőúüű' },
    { names: ['ro'], letters: 'ăâîşţ' },
    { names: ['hr', 'bs', 'sl'], letters: 'čćđšž' },
  ]
}

const candidates: readonly (readonly [label: string, language: Language])[] = [
  ...Object.entries(languages).flatMap(([label, list]) => list.map((language) => [label, language] as const)),
  ['windows-1252', icelandic],
]

const enough = 0.45
// Bonus if the page declares the language, and bonus of the most common encoding.
const bonus = 0.2
const commonest = 0.03

/**
 * Returns the encoding in which the non-ASCII bytes are most plausible in their positions, or `undefined` if none is plausible.
 * `language` is the code of the page's language, such as `de`, which is preferred; empty if unknown.
 */
export function likeliestLatin(text: Uint8Array, language: string): string | undefined {
  const seen = countPlaces(text)
  let best: { readonly label: string; readonly score: number } | undefined
  for (const [label, candidate] of candidates) {
    const hint = candidate.names.includes(language) ? bonus : 0
    const score = scoreOf(seen, charactersOf(label), candidate) + hint + (label === 'windows-1252' ? commonest : 0)
    if (score >= enough && score > (best?.score ?? 0)) best = { label, score }
  }
  return best?.label
}

/** Classes of neighbours of a byte. `round` are the vowels before which French and others write ç. */
const beside = { blank: 0, mark: 1, digit: 2, capital: 3, round: 4, small: 5, high: 6 } as const
type Beside = (typeof beside)[keyof typeof beside]
const kinds = 7

function kindOf(byte: number | undefined): Beside {
  if (byte === undefined || byte <= 0x20) return beside.blank
  if (byte > 0x7f) return byte === 0xa0 ? beside.blank : beside.high
  if (byte >= 0x30 && byte <= 0x39) return beside.digit
  if (byte >= 0x41 && byte <= 0x5a) return beside.capital
  if (byte >= 0x61 && byte <= 0x7a) return byte === 0x61 || byte === 0x6f || byte === 0x75 ? beside.round : beside.small
  return beside.mark
}

/** Counts how often each non-ASCII byte occurs between each pair of neighbours. */
function countPlaces(text: Uint8Array): Uint32Array {
  const counts = new Uint32Array(128 * kinds * kinds)
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!
    if (byte <= 0x7f) continue
    const place = ((byte - 0x80) * kinds + kindOf(text[at - 1])) * kinds + kindOf(text[at + 1])
    counts[place] = counts[place]! + 1
  }
  return counts
}

const known = new Map<string, readonly string[]>()

function charactersOf(label: string): readonly string[] {
  const before = known.get(label)
  if (before) return before
  const bytes = Uint8Array.from({ length: 128 }, (_, index) => index + 128)
  const characters = Array.from(decoderFor(label)?.decode(bytes) ?? '')
  known.set(label, characters)
  return characters
}

/** Returns how plausible all bytes are, from 0 to 1. */
function scoreOf(counts: Uint32Array, characters: readonly string[], { letters }: Language): number {
  let sum = 0
  let all = 0
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place]!
    if (count === 0) continue
    const character = characters[Math.floor(place / (kinds * kinds))]!
    // The same in all encodings.
    if (character === '\u00A0' || character === '\u00AD') continue
    const before = (Math.floor(place / kinds) % kinds) as Beside
    const after = (place % kinds) as Beside
    sum += count * fit(character, letters, before, after)
    all += count
  }
  return all === 0 ? 0 : sum / all
}

const isLetter = (kind: Beside): boolean => kind >= beside.capital
const isSmall = (kind: Beside): boolean => kind === beside.round || kind === beside.small
// These characters are words on their own in some language.
const words = 'àéèóúíæøöåâ'

function fit(character: string, letters: string, before: Beside, after: Beside): number {
  const lower = character.toLowerCase()
  const isWithin = isLetter(before) && isLetter(after)
  if (!letters.includes(lower)) return signs.get(character)?.(before, after, isWithin) ?? 0
  if (!isLetter(before) && !isLetter(after)) return words.includes(character) ? 0.5 : 0.1
  if (character !== lower) {
    if (isSmall(before) || before === beside.digit) return 0.1
    return isLetter(after) ? 0.9 : 0.4
  }
  if (after === beside.capital) return 0.3
  const isLatinCedilla = character === 'ç' && !letters.includes('ş') && !letters.includes('ë')
  if (isLatinCedilla && after !== beside.round && after !== beside.high) return 0.2
  return 1
}

type SignFit = (before: Beside, after: Beside, isWithin: boolean) => number

const signs: ReadonlyMap<string, SignFit> = new Map(
  (
    [
      [
        '£€¥¢',
        (before, after) => (before === beside.digit || after === beside.digit ? 1 : isLetter(after) ? 0.3 : 0.7),
      ],
      ['©™®', (_, after, isWithin) => (isWithin ? 0.1 : isSmall(after) ? 0.4 : 1)],
      ['°', (before, after) => (before === beside.digit ? 1 : isLetter(before) && isLetter(after) ? 0.1 : 0.7)],
      ['ºª', (before, after) => (before === beside.digit ? 1 : isLetter(before) && !isLetter(after) ? 0.8 : 0.1)],
      [
        '±×÷',
        (before, after, isWithin) => (before === beside.digit || after === beside.digit ? 1 : isWithin ? 0 : 0.6),
      ],
      ['¿¡', (before, after) => (!isLetter(before) && isLetter(after) ? 1 : 0.1)],
      ['«»„“”‚‹›‘', (_, __, isWithin) => (isWithin ? 0.2 : 1)],
      ['’–—…•·', () => 1],
      ['§¶†‡', (_, __, isWithin) => (isWithin ? 0.1 : 1)],
      ['¼½¾', (before, after) => (isLetter(before) || isLetter(after) ? 0.3 : 1)],
      ['²³¹', (before, after) => (isLetter(after) ? 0 : isLetter(before) || before === beside.digit ? 1 : 0.4)],
      ['´¨¸˜ˆ¯¬¦', (_, __, isWithin) => (isWithin ? 0 : 0.5)],
      ['µ¤‰', (_, __, isWithin) => (isWithin ? 0.1 : 0.6)],
    ] as const satisfies readonly (readonly [string, SignFit])[]
  ).flatMap(([characters, sign]) => Array.from(characters, (character) => [character, sign as SignFit] as const)),
)
