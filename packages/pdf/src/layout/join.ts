import type { Run } from '../types.ts'
import { isCjk, textOf } from './lines.ts'

/** Frequency of every word in a document, to decide whether a hyphen at the end of a line belongs to the word. */
export type Words = ReadonlyMap<string, number>

const word = /[\p{L}\p{N}]+(?:[-\u2010][\p{L}\p{N}]+)*/gu

/**
 * Returns how often each word of a document occurs, in lower case, to decide whether a hyphen at the end of a line belongs to
 * the word. A hyphenated word counts as one.
 */
export function wordsOf(texts: Iterable<string>): Map<string, number> {
  const words = new Map<string, number>()
  for (const text of texts) {
    for (const [found] of text.matchAll(word)) {
      const key = found.toLowerCase()
      words.set(key, (words.get(key) ?? 0) + 1)
    }
  }
  return words
}

const hyphenAtEnd = /([\p{L}\p{N}]*\p{L})([-\u2010\u00ad])$/u
const wordAtStart = /^[\p{L}\p{N}]+/u

/** Joins two lines of one paragraph: with a space, without one, or by removing a hyphen. If one is empty, returns the other. */
export function joinRuns(first: readonly Run[], second: readonly Run[], words: Words): Run[] {
  const last = first.at(-1)
  const next = second[0]
  if (!last || !next) return [...first, ...second]
  const before = textOf(first.slice(-3))
  const after = textOf(second.slice(0, 3))
  const broken = hyphenAtEnd.exec(before)
  const start = wordAtStart.exec(after)?.[0]
  if (broken && start) return merge(first, second, isPartOfWord(broken, start, words) ? 0 : 1, '')
  const isGlued = (isCjk(before.at(-1)) && isCjk(after[0])) || /[\u2014/]$/.test(before)
  return merge(first, second, 1, isGlued ? '' : ' ')
}

/** Returns whether a hyphen is only a line-break hyphen: the word without it is at least as frequent in the document. */
function isPartOfWord([, head = '', mark]: RegExpExecArray, tail: string, words: Words): boolean {
  if (mark === '\u00ad') return true
  if (!/^\p{Ll}/u.test(tail)) return false
  const joined = words.get((head + tail).toLowerCase()) ?? 0
  const compound = words.get(`${head}-${tail}`.toLowerCase()) ?? 0
  return joined >= compound
}

/** Joins runs. `keep` is 0 to drop the last character of the first run, a line-break hyphen. */
function merge(first: readonly Run[], second: readonly Run[], keep: 0 | 1, glue: string): Run[] {
  const last = first.at(-1)
  const next = second[0]
  if (!last || !next) return [...first, ...second]
  const text = keep === 0 ? last.text.slice(0, -1) : last.text
  if (isAlike(last, next)) {
    return [...first.slice(0, -1), { ...last, text: text + glue + next.text }, ...second.slice(1)]
  }
  return [...first.slice(0, -1), { ...last, text: text + glue }, ...second]
}

function isAlike(a: Run, b: Run): boolean {
  return a.bold === b.bold && a.italic === b.italic && a.mono === b.mono && a.raised === b.raised && a.link === b.link
}
