import { detached } from '../tree/detached.ts'
import { walkNameWords, type Lexicon } from './lexicon.ts'
import { hashOn, hashSeed, hashWord } from './text-scan.ts'
import { classFamilies } from './vocabulary.ts'

/** The word families of one class attribute (or id), as two bit sets. */
export interface Families {
  readonly low: number
  readonly high: number
}

export interface NameInfo extends Families {
  /** Whether the lexicon contains one of its words, and the sum of their scores. */
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
const exactByHash = new Map([...tables.exact].map(([word, families]) => [hashWord(word), families] as const))
const minStemLength = 4

function familiesOfWord(word: string): Families {
  let found = tables.exact.get(word) ?? none
  const maxLength = Math.min(word.length - 1, 14)
  for (let length = minStemLength; length <= maxLength; length++) {
    found = join(found, tables.stems.get(word.slice(0, length)))
    found = join(found, tables.stems.get(word.slice(-length)))
  }
  return found
}

/** Families and scores of single words by hash, so that names of known words need no strings. */
type WordCache = Map<number, NameInfo>

function describeWord(word: string, lexicon: Lexicon): NameInfo {
  const { low, high } = familiesOfWord(word)
  const score = lexicon.names.get(word)
  return { low, high, known: score !== undefined, score: score ?? 0 }
}

const clip = 4

/**
 * Splits a name at capitals, digits and punctuation. Adjacent words are also looked up as one (`entry-content`,
 * `skipLink`).
 */
function describeName(name: string, lexicon: Lexicon, words: WordCache): NameInfo {
  const all = { low: 0, high: 0, known: false, score: 0 }
  let before = 0
  const add = ({ low, high }: Families): void => {
    all.low |= low
    all.high |= high
  }
  walkNameWords(name, (start, end) => {
    if (start === end) {
      before = 0
      return
    }
    const hash = hashOn(hashSeed, name, start, end)
    let own = words.get(hash)
    if (!own) {
      own = describeWord(name.slice(start, end).toLowerCase(), lexicon)
      if (words.size >= limits.cachedWords) words.clear()
      words.set(hash, own)
    }
    add(own)
    all.known ||= own.known
    all.score += own.score
    if (before !== 0) add(exactByHash.get(hashOn(before, name, start, end)) ?? none)
    before = hash
  })
  return { ...all, score: Math.max(-clip, Math.min(clip, all.score)) }
}

export type NameReader = (name: string) => NameInfo

/**
 * Returns a reader of names for one lexicon, which reads at most 300 characters of a name. It caches results, as names repeat
 * within and across pages. Scores are from -4 to 4.
 */
export function makeNameReader(lexicon: Lexicon): NameReader {
  const cache = new Map<string, NameInfo>()
  const words: WordCache = new Map()
  return (name) => {
    const key = name.length > limits.nameLength ? name.slice(0, limits.nameLength) : name
    const known = cache.get(key)
    if (known) return known
    const found = describeName(key, lexicon, words)
    if (cache.size >= limits.cachedNames) cache.clear()
    cache.set(detached(key), found)
    return found
  }
}
