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

/** Returns the query of each term, as SQL. */
export function termQueries(terms: readonly string[], schema: string, { add }: Parameters): readonly string[] {
  const configuration = `'${schema}.words'::regconfig`
  return terms.map((term) => {
    const { words, isPrefix } = termWords(term)
    const text = searchWords(words)
    return isPrefix && text !== ''
      ? `to_tsquery(${configuration}, ${add(`${text}:*`)})`
      : `phraseto_tsquery(${configuration}, ${add(text)})`
  })
}

/** Joins queries: all of them, or any. `undefined` if there are none. */
export function joined(queries: readonly string[], how: 'all' | 'any'): string | undefined {
  return queries.length === 0 ? undefined : `(${queries.join(how === 'all' ? ' && ' : ' || ')})`
}
