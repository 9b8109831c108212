// Scans text in one pass without creating strings: words are identified by hashes.
import { textFamilies } from './vocabulary.ts'

export const textFamilyNames: readonly string[] = Object.keys(textFamilies)

/** Counters of the current block. Reused from block to block. */
export interface Scan {
  chars: number
  words: number
  linkChars: number
  linkWords: number
  strongChars: number
  punctuation: number
  commas: number
  stops: number
  digits: number
  capitals: number
  symbols: number
  quotes: number
  money: number
  ideographs: number
  longest: number
  titleHits: number
  /** For the first words: number found in the lexicon, and sum, minimum and maximum of their scores. */
  known: number
  score: number
  lowest: number
  highest: number
  first: number
  last: number
  hash: number
  wordHash: number
  wordLength: number
  spaceBefore: boolean
  readonly families: Uint16Array
}

/** Creates the counters for the text of a block, all zero. */
export function makeScan(): Scan {
  const families = new Uint16Array(textFamilyNames.length)
  const counts = { chars: 0, words: 0, linkChars: 0, linkWords: 0, strongChars: 0, punctuation: 0, commas: 0, stops: 0 }
  const more = { digits: 0, capitals: 0, symbols: 0, quotes: 0, money: 0, ideographs: 0, longest: 0, titleHits: 0 }
  const lexicon = { known: 0, score: 0, lowest: 0, highest: 0 }
  const state = { first: 0, last: 0, hash: hashSeed, wordHash: hashSeed, wordLength: 0, spaceBefore: false }
  return { ...counts, ...more, ...lexicon, ...state, families }
}

/** Sets all counters to zero for the next block. */
export function resetScan(scan: Scan): void {
  scan.chars = scan.words = scan.linkChars = scan.linkWords = scan.strongChars = 0
  scan.punctuation = scan.commas = scan.stops = scan.digits = scan.capitals = scan.symbols = 0
  scan.quotes = scan.money = scan.ideographs = scan.longest = scan.titleHits = scan.first = scan.last = 0
  scan.known = scan.score = scan.lowest = scan.highest = 0
  scan.hash = scan.wordHash = hashSeed
  scan.wordLength = 0
  scan.spaceBefore = false
  scan.families.fill(0)
}

// A signed 32-bit integer, like the results: larger numbers would make this object field slow.
export const hashSeed = 0x811c9dc5 | 0
const prime = 0x01000193
const kind = {
  other: 0,
  space: 1,
  letter: 2,
  capital: 3,
  digit: 4,
  comma: 5,
  stop: 6,
  mark: 7,
  symbol: 8,
  quote: 9,
  money: 10,
}

/** Character kinds below U+0180. */
const kinds = new Uint8Array(0x180)

function fill(characters: string, value: number): void {
  for (const character of characters) kinds[character.charCodeAt(0)] = value
}

fill(' \t\n\r\f\v\u00a0', kind.space)
for (let code = 0x61; code <= 0x7a; code++) kinds[code] = kind.letter
for (let code = 0x41; code <= 0x5a; code++) kinds[code] = kind.capital
for (let code = 0x30; code <= 0x39; code++) kinds[code] = kind.digit
for (let code = 0xc0; code < 0x180; code++) kinds[code] = code <= 0xde ? kind.capital : kind.letter
fill('_ªµº', kind.letter)
fill('×÷', kind.symbol)
fill(',;', kind.comma)
fill('.!?', kind.stop)
fill(':', kind.mark)
fill('|•·»«>/\\©®™+*#=', kind.symbol)
fill('"', kind.quote)
fill('$£¥€', kind.money)

/** Character kinds from U+0180, as ranges with inclusive ends, in order. */
const ranges: readonly (readonly [end: number, kind: number])[] = [
  [0x3ff, kind.letter],
  [0x42f, kind.capital],
  [0x1fff, kind.letter],
  [0x200a, kind.space],
  [0x200f, kind.other],
  [0x2018, kind.symbol],
  [0x2019, kind.other],
  [0x201b, kind.symbol],
  [0x201f, kind.quote],
  [0x2025, kind.symbol],
  [0x2026, kind.stop],
  [0x20ab, kind.symbol],
  [0x20ac, kind.money],
  [0x2bff, kind.symbol],
  [0x2fff, kind.letter],
  [0x3000, kind.space],
  [0x3001, kind.comma],
  [0x3002, kind.stop],
  [0x303f, kind.symbol],
  [0xfefe, kind.letter],
  [0xfeff, kind.other],
  [0xff00, kind.letter],
  [0xff01, kind.stop],
  [0xff0b, kind.letter],
  [0xff0c, kind.comma],
  [0xff1e, kind.letter],
  [0xff1f, kind.stop],
]

function kindOf(code: number): number {
  if (code < 0x180) return kinds[code]!
  if (code >= 0x3040 && code < 0xfeff) return kind.letter
  for (const [end, what] of ranges) if (code <= end) return what
  return kind.letter
}

const smallA = 0x61
const smallZ = 0x7a

const lower = (code: number): number => {
  if (code >= 0x41 && code <= 0x5a) return code + 32
  if (code >= 0xc0 && code <= 0xde) return code + 32
  if (code >= 0x410 && code <= 0x42f) return code + 32
  return code
}

const isIdeograph = (code: number): boolean => (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)

/** Lao follows Thai. */
const isThaiOrLao = (code: number): boolean => code >= 0xe00 && code < 0xf00
const isBurmese = (code: number): boolean => code >= 0x1000 && code < 0x10a0
const isKhmer = (code: number): boolean => code >= 0x1780 && code < 0x1800

/**
 * Returns the number of characters that count as one word in a script without spaces: about the mean length of its words.
 * Returns `Infinity` for other scripts. Korean has spaces.
 */
function lettersPerWord(code: number): number {
  if (code < 0xe00 || code > 0x9fff) return Infinity
  if (isIdeograph(code)) return 2
  return isThaiOrLao(code) || isBurmese(code) || isKhmer(code) ? 4 : Infinity
}

/** Continues the hash `before` with the characters of a string from index `start` to before `end`. Ignores case. */
export function hashOn(before: number, text: string, start: number, end: number): number {
  let hash = before
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ lower(text.charCodeAt(i)), prime)
  return hash
}

/** Returns the hash of a word, ignoring case. */
export const hashWord = (word: string): number => hashOn(hashSeed, word, 0, word.length)

const familiesOfWords = new Map<number, number>()
Object.values(textFamilies).forEach((list, index) => {
  for (const word of list.split(' ')) {
    const hash = hashWord(word)
    familiesOfWords.set(hash, (familiesOfWords.get(hash) ?? 0) | (1 << index))
  }
})

/** A set of hashes that may also report other ones as known: 1 at the first bits of each hash. */
export type HashFilter = Uint8Array

const filterBits = 14
const slotOf = (hash: number): number => hash >>> (32 - filterBits)

/** Returns a filter of all words in the families, and of these hashes. */
export function filterOf(hashes: Iterable<number>): HashFilter {
  const filter = new Uint8Array(1 << filterBits)
  for (const hash of familiesOfWords.keys()) filter[slotOf(hash)] = 1
  for (const hash of hashes) filter[slotOf(hash)] = 1
  return filter
}

/** Known words by hash: words in the title, and the scores in the lexicon. */
export interface Lookup {
  readonly title: ReadonlySet<number>
  readonly words: ReadonlyMap<number, number>
  /** Contains all known words. Most words of a page are not in it, which saves a search in three tables. */
  readonly known: HashFilter
}

/** Creates the lookup for a page. `ofWords` must be the filter of the lexicon's words. */
export function makeLookup(
  title: ReadonlySet<number>,
  words: ReadonlyMap<number, number>,
  ofWords = filterOf(words.keys()),
): Lookup {
  const known = ofWords.slice()
  for (const hash of title) known[slotOf(hash)] = 1
  return { title, words, known }
}

const lexiconWordLimit = 12

/** Longer blocks are not boilerplate of a specific kind, so further words are not counted. */
const familyWordLimit = 60

/** Counts the word that ends here, and looks it up in the title and the lexicon. Does nothing between words. */
export function endWord(scan: Scan, lookup: Lookup, inLink: boolean): void {
  const length = scan.wordLength
  if (length === 0) return
  scan.words++
  if (inLink) scan.linkWords++
  if (length > scan.longest) scan.longest = length
  if (scan.words <= familyWordLimit && lookup.known[slotOf(scan.wordHash)] === 1) countKnownWord(scan, lookup)
  scan.hash = Math.imul(scan.hash ^ scan.wordHash, prime)
  scan.wordHash = hashSeed
  scan.wordLength = 0
}

function countKnownWord(scan: Scan, lookup: Lookup): void {
  const mask = familiesOfWords.get(scan.wordHash) ?? 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) scan.families[31 - Math.clz32(rest & -rest)]!++
  if (lookup.title.has(scan.wordHash)) scan.titleHits++
  if (scan.words <= lexiconWordLimit) weighWord(scan, lookup.words.get(scan.wordHash))
}

function weighWord(scan: Scan, score: number | undefined): void {
  if (score === undefined) return
  scan.known++
  scan.score += score
  if (score < scan.lowest) scan.lowest = score
  if (score > scan.highest) scan.highest = score
}

/** Adds a string to the counters. A word may continue in the next string. */
export function scanText(scan: Scan, text: string, lookup: Lookup, inLink: boolean, strong: boolean): void {
  const before = scan.chars
  for (let i = 0; i < text.length;) {
    const code = text.charCodeAt(i)
    if (code >= smallA && code <= smallZ) {
      i = scanLowercase(scan, text, i)
      continue
    }
    i++
    const what = kindOf(code)
    if (what >= kind.letter && what <= kind.digit) {
      if (scan.wordLength > 0 && scan.wordLength >= lettersPerWord(code)) endWord(scan, lookup, inLink)
      scan.wordHash = Math.imul(scan.wordHash ^ lower(code), prime)
      scan.wordLength++
      if (what === kind.capital) scan.capitals++
      else if (what === kind.digit) scan.digits++
      else if (code >= 0x3040 && isIdeograph(code)) scan.ideographs++
    } else {
      if (scan.wordLength > 0) endWord(scan, lookup, inLink)
      if (what === kind.space) {
        scan.spaceBefore = scan.chars > 0
        continue
      }
      countMark(scan, what)
    }
    countChars(scan, code, code, 1)
  }
  if (inLink) scan.linkChars += scan.chars - before
  if (strong) scan.strongChars += scan.chars - before
}

/** Fast path for `a` to `z`. Returns the index after them. */
function scanLowercase(scan: Scan, text: string, start: number): number {
  let hash = scan.wordHash
  let end = start
  let last = smallA
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code < smallA || code > smallZ) break
    hash = Math.imul(hash ^ code, prime)
    last = code
    end++
  }
  scan.wordHash = hash
  scan.wordLength += end - start
  countChars(scan, text.charCodeAt(start), last, end - start)
  return end
}

function countChars(scan: Scan, first: number, last: number, count: number): void {
  if (scan.spaceBefore) scan.chars++
  scan.spaceBefore = false
  if (scan.first === 0) scan.first = first
  scan.last = last
  scan.chars += count
}

function countMark(scan: Scan, what: number): void {
  if (what === kind.comma) scan.commas++
  else if (what === kind.stop) scan.stops++
  else if (what === kind.symbol) scan.symbols++
  else if (what === kind.quote) scan.quotes++
  else if (what === kind.money) scan.money++
  if (what === kind.comma || what === kind.stop || what === kind.mark) scan.punctuation++
}

/** Returns whether the character code is punctuation that ends a sentence. */
export const endsSentence = (code: number): boolean => kindOf(code) === kind.stop
/** Returns whether the character code is punctuation or a closing quote that may end a sentence or a part of it. */
export const endsClause = (code: number): boolean => {
  const what = kindOf(code)
  return (
    what === kind.stop || what === kind.mark || what === kind.quote || code === 0x29 || code === 0x27 || code === 0x2019
  )
}
/** Returns whether the character code is a capital letter. */
export const isCapital = (code: number): boolean => kindOf(code) === kind.capital
/** Returns whether the character code is a digit. */
export const isDigit = (code: number): boolean => kindOf(code) === kind.digit
