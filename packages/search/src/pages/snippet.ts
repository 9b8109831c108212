import type { Terms } from './words.ts'

const longest = 300
const maxMatches = 500

/**
 * Returns the excerpt with the most search words, at most 300 characters, with `…` where text is omitted. Returns the beginning
 * if none occurs literally.
 */
export function snippetOf(text: string, { loose }: Terms): string {
  const places = findPlaces(text, loose)
  const start = bestStart(places)
  const from = start === 0 ? 0 : afterSpace(text, Math.max(0, start - longest / 5))
  const end = from + longest >= text.length ? text.length : beforeSpace(text, from + longest, from)
  const words = text.slice(from, end).replaceAll(/\s+/g, ' ').trim()
  return `${from > 0 ? '… ' : ''}${words}${end < text.length ? ' …' : ''}`
}

/**
 * Returns the index of the first string with the most different search words, or `undefined` if no word occurs literally in any.
 */
export function bestPart(parts: readonly string[], { loose }: Terms): number | undefined {
  let best: { readonly index: number; readonly words: number } | undefined
  for (const [index, part] of parts.entries()) {
    const words = new Set(findPlaces(part, loose).map(({ word }) => word)).size
    if (words > (best?.words ?? 0)) best = { index, words }
  }
  return best?.index
}

interface Place {
  readonly at: number
  readonly word: string
}

function findPlaces(text: string, wanted: readonly string[]): readonly Place[] {
  const words = wanted.flatMap((term) => term.split(/[^\p{L}\p{N}\p{M}]+/u)).filter(Boolean)
  if (words.length === 0) return []
  const pattern = new RegExp(words.map((word) => stem(word).replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')).join('|'), 'giu')
  const places: Place[] = []
  for (const { index, 0: word } of text.matchAll(pattern)) {
    places.push({ at: index, word: word.toLowerCase() })
    if (places.length >= maxMatches) break
  }
  return places
}

/** Returns the beginning of a word, because the index also matches its other endings. */
function stem(word: string): string {
  return word.length > 5 ? word.slice(0, Math.max(5, word.length - 3)) : word
}

/** Returns the offset of the excerpt with the most different words. */
function bestStart(places: readonly Place[]): number {
  let best = { start: 0, score: 0 }
  for (const [index, { at }] of places.entries()) {
    const words = new Set<string>()
    for (let other = index; other < places.length && places[other]!.at < at + (longest * 4) / 5; other += 1)
      words.add(places[other]!.word)
    if (words.size > best.score) best = { start: at, score: words.size }
  }
  return best.start
}

function afterSpace(text: string, at: number): number {
  const space = text.slice(at, at + 40).search(/\s/)
  return space < 0 ? at : at + space + 1
}

function beforeSpace(text: string, at: number, from: number): number {
  const space = text.lastIndexOf(' ', at)
  return space <= from + longest / 2 ? at : space
}

/**
 * Converts Markdown to plain text, without images, formatting and the URLs of links. Takes linear time: the text of a link has no
 * bracket, and its URL no `](`. No expression repeats without a bound, because V8 can run out of stack for a run of millions. Single
 * spaces and line breaks are not replaced, because each replacement costs more than the search.
 */
export function plainText(markdown: string): string {
  const words = markdown
    .replaceAll(/!\[[^[\]\n]{0,500}\]\((?:[^)\]\n]|\](?!\()){0,4000}\)/g, ' ')
    .replaceAll(/\[([^[\]\n]{0,1000})\]\((?:[^)\]\n]|\](?!\()){0,4000}\)/g, '$1')
    .replaceAll(/^[ \t]{0,100}(?:#{1,6}|>|[-*+]|\d{1,3}\.)[ \t]/gm, '')
    .replaceAll(/[*_`~|]{1,3}|-{3,1000}/g, ' ')
  // Twice, because a long run has several parts.
  return joinSpace(joinSpace(words)).trim()
}

/** Replaces each run of white space with one line break or space, and each 5,000 characters of a longer one. */
function joinSpace(text: string): string {
  return text.replaceAll(/\s{2,5000}|[^\S\n ]/g, (space) => (space.includes('\n') ? '\n' : ' '))
}
