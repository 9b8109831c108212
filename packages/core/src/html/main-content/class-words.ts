import { nameWords, type Lexicon } from './lexicon.ts'
import { classFamilies } from './vocabulary.ts'

/** The families that the words of one class attribute (or id) belong to, as two bit sets. */
export interface Families {
  readonly low: number
  readonly high: number
}

export interface NameInfo extends Families {
  /** Whether the lexicon knows a word of it, and the sum of what it says. */
  readonly known: boolean
  readonly score: number
}

const none: Families = Object.freeze({ low: 0, high: 0 })
const limits = { cachedWords: 40_000, cachedNames: 20_000, nameLength: 300 } as const

interface Tables {
  readonly exact: ReadonlyMap<string, Families>
  readonly stems: ReadonlyMap<string, Families>
}

const join = (a: Families, b: Families | undefined): Families =>
  b && (b.low | b.high) !== 0 ? { low: a.low | b.low, high: a.high | b.high } : a

function readTables(): Tables {
  const exact = new Map<string, Families>()
  const stems = new Map<string, Families>()
  Object.values(classFamilies).forEach((list, index) => {
    const bit: Families = index < 31 ? { low: 1 << index, high: 0 } : { low: 0, high: 1 << (index - 31) }
    for (const entry of list.split(' ')) {
      const word = entry.replace('*', '')
      exact.set(word, join(exact.get(word) ?? none, bit))
      if (entry.endsWith('*')) stems.set(word, join(stems.get(word) ?? none, bit))
    }
  })
  return { exact, stems }
}

const tables = readTables()
const shortestStem = 4
const wordCache = new Map<string, Families>()

function familiesOfWord(word: string): Families {
  const known = wordCache.get(word)
  if (known) return known
  let found = tables.exact.get(word) ?? none
  const longest = Math.min(word.length - 1, 14)
  for (let length = shortestStem; length <= longest; length++) {
    found = join(found, tables.stems.get(word.slice(0, length)))
    found = join(found, tables.stems.get(word.slice(-length)))
  }
  if (wordCache.size >= limits.cachedWords) wordCache.clear()
  wordCache.set(word, found)
  return found
}

/** Words are cut at capitals, digits and punctuation; two neighbours are also read as one (`entry-content`, `skipLink`). */
function describeName(name: string, lexicon: Lexicon): NameInfo {
  let found = none
  let score = 0
  let known = false
  let before = ''
  for (const word of nameWords(name)) {
    if (word !== '') {
      found = join(found, familiesOfWord(word))
      if (before !== '') found = join(found, tables.exact.get(before + word))
      const own = lexicon.names.get(word)
      if (own !== undefined) {
        score += own
        known = true
      }
    }
    before = word
  }
  return { low: found.low, high: found.high, known, score: Math.max(-clip, Math.min(clip, score)) }
}

const clip = 4

export type ReadName = (name: string) => NameInfo

/** Reads names with one lexicon, and remembers what it read: names repeat within a page and between pages. */
export function makeNameReader(lexicon: Lexicon): ReadName {
  const cache = new Map<string, NameInfo>()
  return (name) => {
    const key = name.length > limits.nameLength ? name.slice(0, limits.nameLength) : name
    const known = cache.get(key)
    if (known) return known
    const found = describeName(key, lexicon)
    if (cache.size >= limits.cachedNames) cache.clear()
    cache.set(key, found)
    return found
  }
}
