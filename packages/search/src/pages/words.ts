// Prepares text for the index, and converts search input to an index query.

// Scripts that do not separate words by spaces.
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu

/**
 * Separates words by spaces. In scripts without spaces, each run of characters becomes overlapping pairs, and its last
 * character alone.
 */
export function separateWords(text: string): string {
  return text.replace(runs, (run) => ` ${pairs(charactersOf(run))} `)
}

/** Splits a string into code points, which are complete characters in these scripts. */
function charactersOf(run: string): readonly string[] {
  return Array.from(run)
}

/** Returns each pair of characters, and the last character alone, so that a single one is found at any position. */
function pairs(characters: readonly string[]): string {
  return characters.map((character, at) => character + (characters[at + 1] ?? '')).join(' ')
}

/**
 * Returns only the pairs, for a query: the pairs of a phrase must be adjacent, so it must not contain the last character alone.
 */
function queryPairs(run: string): string {
  const characters = charactersOf(run)
  return characters
    .slice(0, -1)
    .map((character, at) => character + characters[at + 1]!)
    .join(' ')
}

/** The search terms: words or quoted phrases. */
export interface Terms {
  readonly wanted: readonly string[]
  readonly unwanted: readonly string[]
  /** The wanted terms in quotes. */
  readonly phrases: readonly string[]
  /** The wanted terms. A word in a script without spaces is replaced by its pairs of characters. */
  readonly loose: readonly string[]
  /** All wanted terms in their order, also very common words. */
  readonly all: readonly string[]
}

const maxTerms = 32

/**
 * Parses at most 32 words and `"quoted phrases"`, and at most 32 excluded `-words` and `-"phrases"`. Other operators are treated
 * as words. Terms of punctuation only are skipped, and very common wanted words unless there are no others.
 */
export function readTerms(typed: string): Terms {
  const wanted: string[] = []
  const unwanted: string[] = []
  const phrases = new Set<string>()
  for (const [, minus, phrase, word] of typed.matchAll(/(?:^|(?<=\s))(-?)(?:"([^"]*)"?|(\S+))/gu)) {
    const term = (phrase ?? word ?? '').replaceAll(/[\p{Cc}"]/gu, ' ').trim()
    if (!/[\p{L}\p{N}]/u.test(term)) continue
    if (phrase !== undefined && minus === '') phrases.add(term)
    ;(minus === '-' ? unwanted : wanted).push(term)
  }
  const telling = wanted.filter((term) => !stopWords.has(term.toLowerCase()))
  const chosen = unique(telling.length > 0 ? telling : wanted)
  return {
    wanted: chosen,
    loose: unique(chosen.flatMap((term) => (phrases.has(term) ? [term] : looseTerms(term)))),
    unwanted: unique(unwanted),
    phrases: chosen.filter((term) => phrases.has(term)),
    all: wanted,
  }
}

/** Splits a word in a script without spaces into pairs of characters. Other words are returned unchanged. */
function looseTerms(word: string): readonly string[] {
  const parts = word.replace(runs, (run) => (charactersOf(run).length === 1 ? run : ` ${queryPairs(run)} `)).split(' ')
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part))
}

function unique(terms: readonly string[]): readonly string[] {
  return [...new Set(terms)].slice(0, maxTerms)
}

/** Returns the FTS5 query for all wanted terms, or for any of the loose ones; `undefined` if none is wanted. */
export function matchOf({ wanted, loose }: Terms, how: 'all' | 'any'): string | undefined {
  return termsMatch(how === 'all' ? wanted : loose, how)
}

/** Returns the FTS5 query for any of the terms, or for all of them; `undefined` without terms. */
export function termsMatch(terms: readonly string[], how: 'all' | 'any'): string | undefined {
  return terms.length === 0 ? undefined : terms.map(quoted).join(how === 'all' ? ' AND ' : ' OR ')
}

/** Quotes a term, so that operators are treated as words and a phrase matches only adjacent words. */
function quoted(term: string): string {
  const { words, isPrefix } = termWords(term)
  return isPrefix ? `"${words}" *` : `"${words}"`
}

/** Returns the adjacent words that a term consists of, and whether they are the beginning of a longer word. */
export function termWords(term: string): { readonly words: string; readonly isPrefix: boolean } {
  const isOneCharacter = charactersOf(term).length === 1 && new RegExp(runs.source, 'u').test(term)
  if (isOneCharacter) return { words: term, isPrefix: true }
  const words = term.replace(runs, (run) => ` ${charactersOf(run).length === 1 ? run : queryPairs(run)} `)
  return { words: words.trim(), isPrefix: false }
}

// These words occur in nearly every text of their language, so they do not help to rank pages and are the slowest to search.
const stopWords = new Set(
  [
    'a an and are as at be but by for from how in into is it of on or that the this to was what when where which who will with',
    'der die das den dem des ein eine einer eines und oder ist sind im mit von zu für auf nicht wie was',
    'le la les un une des et ou est dans pour que qui sur avec au aux du',
    'el los las una y o es en por para con que del al como',
    'il lo gli di e è in per con che del della',
    'o os as um uma de e é em para com que do da dos das',
    'de het een en of is in op met van voor dat',
  ].flatMap((words) => words.split(' ')),
)
