// Word scores learned in training: the log odds that text below such a class name, or a short block with such a word,
// belongs to the main content. Contains only words that occur on several sites.
import { hashWord } from './text-scan.ts'

export interface Lexicon {
  readonly names: ReadonlyMap<string, number>
  readonly words: ReadonlyMap<number, number>
}

export const emptyLexicon: Lexicon = { names: new Map(), words: new Map() }

/** Scores are stored as integers and divided by this. */
export const lexiconScale = 20

/**
 * Parses two lists `word score word score …` with integer scores, which are divided by `lexiconScale`: for names and for words.
 * Words are stored as hashes.
 */
export function readLexicon(names: string, words: string): Lexicon {
  return { names: readScores(names, (name) => name), words: readScores(words, hashWord) }
}

function readScores<Key>(list: string, keyOf: (word: string) => Key): Map<Key, number> {
  const scores = new Map<Key, number>()
  const parts = list.split(' ')
  for (let i = 0; i + 1 < parts.length; i += 2) scores.set(keyOf(parts[i]!), Number(parts[i + 1]) / lexiconScale)
  return scores
}

const maxWordLength = 24

const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a

/**
 * Calls `visit` with the start and end index of each word in a class attribute: runs of ASCII letters, split before a capital
 * after a small letter. Words of more than 24 letters are skipped. An empty range separates two names.
 */
export function walkNameWords(names: string, visit: (start: number, end: number) => void): void {
  let start = -1
  for (let i = 0; i <= names.length; i++) {
    const code = i < names.length ? names.charCodeAt(i) : 0x20
    const upper = isUpper(code)
    if (start >= 0 && (isLower(code) || (upper && !isLower(names.charCodeAt(i - 1))))) continue
    if (start >= 0 && i - start <= maxWordLength) visit(start, i)
    start = upper || isLower(code) ? i : -1
    if (code <= 0x20) visit(i, i)
  }
}

/** Returns the words in a class attribute in lower case, split as by `walkNameWords`. An empty string separates two names. */
export function nameWords(names: string): string[] {
  const words: string[] = []
  walkNameWords(names, (start, end) => words.push(names.slice(start, end).toLowerCase()))
  return words
}
