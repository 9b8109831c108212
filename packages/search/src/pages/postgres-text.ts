// Words for the text search of Postgres, and its queries.
import { separateWords, termWords } from './words.ts'

const longestWord = 200
// In other scripts, such as Thai, marks are vowels.
const accents = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu

/**
 * Returns the words of a text, separated by spaces, without case and accents. Words with other characters than ASCII are written
 * as numbers, because their handling depends on the locale of the server.
 */
export function searchText(text: string): string {
  return searchWords(separateWords(text))
}

function searchWords(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(accents, '$1').toLowerCase()
  const words = plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.map((word) => (/^[a-z0-9]+$/.test(word) ? word : encoded(word)).slice(0, longestWord)).join(' ')
}

function encoded(word: string): string {
  return Array.from(word, (character) => `u${character.codePointAt(0)?.toString(16)}`).join('')
}

/** Replaces the characters that Postgres cannot store. The length stays the same. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The values of a statement, in the order of their numbers. */
export interface Parameters {
  readonly values: unknown[]
  /** Adds a value and returns its number in the statement. */
  add(value: unknown): string
}

/** Creates an empty list of parameters. Characters that Postgres cannot store are replaced. */
export function makeParameters(): Parameters {
  const values: unknown[] = []
  return { values, add: (value) => `$${values.push(typeof value === 'string' ? storable(value) : value)}` }
}

/** The query of a term, as SQL. */
export interface TermQuery {
  readonly query: string
  /** Finds all words of the term in any order. Absent if it has one word. */
  readonly anyOrder?: string
  /** Finds any word of the term, for its rank. Absent if it has one word. */
  readonly anyWord?: string
}

/** Returns the query of each term, as SQL. */
export function termQueries(terms: readonly string[], schema: string, { add }: Parameters): readonly TermQuery[] {
  const configuration = `'${schema}.words'::regconfig`
  return terms.map((term) => {
    const { words, isPrefix } = termWords(term)
    const text = searchWords(words)
    if (isPrefix && text !== '') return { query: `to_tsquery(${configuration}, ${add(`${text}:*`)})` }
    const value = add(text)
    const query = `phraseto_tsquery(${configuration}, ${value})`
    if (!text.includes(' ')) return { query }
    const anyOrder = `plainto_tsquery(${configuration}, ${value})`
    return { query, anyOrder, anyWord: `replace(${anyOrder}::text, '&', '|')::tsquery` }
  })
}

/** Where the terms of a query must be. */
export interface MatchOptions {
  readonly table: 'pages' | 'chunks'
  /** The quoted name. */
  readonly schema: string
  /** Whether all terms must be there, or any. */
  readonly how: 'all' | 'any'
}

/** Returns the condition that pages or chunks contain the terms, as SQL. `undefined` without terms. */
export function matchOf(terms: readonly TermQuery[], { table, schema, how }: MatchOptions): string | undefined {
  const single = terms.filter(({ anyOrder }) => table === 'chunks' || anyOrder === undefined)
  const together = single.map(({ query }) => query).join(how === 'all' ? ' && ' : ' || ')
  const conditions = [
    ...(single.length === 0 ? [] : [`${table}.words @@ (${together})`]),
    ...(table === 'chunks' ? [] : terms.flatMap((term) => phraseOnPage(term, schema) ?? [])),
  ]
  return conditions.length === 0 ? undefined : `(${conditions.join(how === 'all' ? ' AND ' : ' OR ')})`
}

/**
 * Returns the condition that a page contains a phrase. Postgres stores 16,383 positions of a page and 256 of a word. Pages with more
 * have `seams`: then the phrase is also searched in their chunks, and where one chunk ends and the next begins.
 */
function phraseOnPage({ query, anyOrder }: TermQuery, schema: string): string | undefined {
  if (anyOrder === undefined) return undefined
  const chunk = `SELECT FROM ${schema}.chunks part WHERE part.page = pages.id AND part.edition = pages.edition
    AND ts_filter(part.words, '{d}') @@ ${query}`
  const seam = `SELECT FROM unnest(pages.seams) AS seam WHERE seam @@ ${query}`
  const isLater = `pages.seams IS NOT NULL AND (EXISTS (${chunk}) OR EXISTS (${seam}))`
  return `(pages.words @@ ${anyOrder} AND (pages.words @@ ${query} OR ${isLater}))`
}

// Fewer than Postgres stores, because the URL and the title are counted too, and different words can have the same stem.
const maxPositions = 14_000
const maxOfWord = 60
/** Maximum number of words in a phrase that is found across chunks. */
const seamWords = 64

/**
 * Returns the words around each end of a chunk, if Postgres cannot store the positions of all words of the page. Empty otherwise.
 * Each of `chunks` has its words separated by spaces.
 */
export function seamsOf(chunks: readonly string[]): readonly string[] {
  const words: string[] = []
  const ends: number[] = []
  for (const chunk of chunks) {
    for (const word of chunk.split(' ')) if (word !== '') words.push(word)
    ends.push(words.length)
  }
  if (words.length <= maxPositions && !isAnyFrequent(words)) return []
  return ends.slice(0, -1).map((end) => words.slice(Math.max(0, end - seamWords), end + seamWords).join(' '))
}

function isAnyFrequent(words: readonly string[]): boolean {
  const counts = new Map<string, number>()
  return words.some((word) => {
    const count = (counts.get(word) ?? 0) + 1
    counts.set(word, count)
    return count > maxOfWord
  })
}
