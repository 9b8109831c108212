import type { MapLink } from './collection.ts'
import { differsByTypos } from './typos.ts'
import { isStopWord, synonymsOf, splitWords, normalizeWord, type Word } from './words.ts'

/**
 * Returns the links sorted by relevance to the search. Irrelevant links come last, in their original order; a search without
 * words changes nothing. Rejects when `signal` is aborted.
 */
export async function rankLinks(search: string, links: readonly MapLink[], signal: AbortSignal): Promise<MapLink[]> {
  const query = readQuery(search)
  if (query.terms.length === 0) return [...links]
  const fits = new Float32Array(links.length * query.terms.length)
  const extras = new Float32Array(links.length)
  for (let at = 0; at < links.length; at++) {
    // A hundred thousand links take half a second, so this yields to other requests.
    if (at % slice === slice - 1) await new Promise((resolve) => setImmediate(resolve))
    if (at % slice === 0) signal.throwIfAborted()
    extras[at] = judge(query, links[at]!, fits, at * query.terms.length)
  }
  const weights = weigh(query, fits, links.length)
  const scores = new Float32Array(links.length)
  for (let at = 0; at < links.length; at++) scores[at] = score(weights, fits, at * weights.length, extras[at]!)
  return inOrder(scores).map((at) => links[at]!)
}

// Combines score and index in one number, so that plain numbers are sorted without a compare function.
const places = 2 ** 20
const finest = 2 ** 20

function inOrder(scores: Float32Array): number[] {
  const keys = Float64Array.from(scores, (score) => (64 - Math.min(score, 63)) * finest).map(
    (key, at) => Math.round(key) * places + at,
  )
  return Array.from(keys.sort(), (key) => key % places)
}

/**
 * Returns how well a link matches the search: 0 means not at all, about 1.5 that its title and URL consist of the words of the
 * search.
 */
export function relevance(search: string, link: MapLink): number {
  const query = readQuery(search)
  const fits = new Float32Array(query.terms.length)
  const extra = judge(query, link, fits, 0)
  return query.terms.length === 0 ? 0 : score(query.terms.map(smallness), fits, 0, extra)
}

const slice = 500
const maxTerms = 16

interface Query {
  readonly terms: readonly Word[]
  /** Each two adjacent words as one: `sign in`, `wi-fi`. */
  readonly joined: readonly Word[]
  /** Cache of scores by word, shared by all links. */
  readonly known: Map<string, Float32Array | undefined>
  readonly hasNumber: boolean
}

function readQuery(search: string): Query {
  const seen = new Set<string>()
  const terms = splitWords(search)
    .map(normalizeWord)
    .filter(({ stem }) => !seen.has(stem) && seen.add(stem))
  const first = terms.slice(0, maxTerms)
  const joined = first.slice(1).map(({ text }, at) => normalizeWord(first[at]!.text + text))
  return { terms: first, joined, known: new Map(), hasNumber: /\p{N}/u.test(search) }
}

function smallness(term: Word): number {
  return isStopWord(term) ? 0.08 : 1
}

// Weights of a match by its location, which is more or less descriptive of the page.
const fields = { title: 1, name: 0.9, folder: 0.5, description: 0.45, query: 0.3, host: 0.35 }
const maxWords = 40

/** Writes how well the link matches each term into `fits`. Returns an additional score. */
function judge(query: Query, link: MapLink, fits: Float32Array, from: number): number {
  const { host, folders, name, parameters } = partsOf(link.url)
  const title = link.title === undefined ? [] : splitWords(link.title.slice(0, 300))
  const names = splitWords(name)
  const [titleFit, nameFit] = [
    judgeWords(query, title, fields.title, fits, from),
    judgeWords(query, names, fields.name, fits, from),
  ]
  judgeWords(query, splitWords(folders), fields.folder, fits, from)
  if (parameters !== '') judgeWords(query, splitWords(parameters), fields.query, fits, from)
  if (host !== '') judgeWords(query, splitWords(host), fields.host, fits, from)
  if (link.description) judgeWords(query, splitWords(link.description.slice(0, 500)), fields.description, fits, from)
  const depth = folders === '' ? 0 : folders.split('/').length
  return 0.35 * Math.max(titleFit, nameFit) + 0.08 * Math.min(titleFit, nameFit) - 0.015 * Math.min(depth, 8)
}

/** Updates the best match of each term. Returns the share of words that the query covers, plus a bonus for the same order. */
function judgeWords(query: Query, words: readonly string[], weight: number, fits: Float32Array, from: number): number {
  if (words.length === 0) return 0
  const count = Math.min(words.length, maxWords)
  let covered = 0
  let inOrder = 0
  let last = -2
  for (let at = 0; at < count; at++) {
    const fit = fitOf(query, words[at]!)
    if (!fit) continue
    let best = 0
    let bestTerm = -1
    for (let term = 0; term < fit.length; term++) {
      if (fit[term]! > best) [best, bestTerm] = [fit[term]!, term]
      // A word found twice counts slightly more than once.
      const value = fit[term]! * weight
      const before = fits[from + term]!
      fits[from + term] = value > before ? value + before * 0.1 : before + value * 0.1
    }
    covered += best
    if (bestTerm === last + 1 && bestTerm > 0) inOrder += best
    last = bestTerm
  }
  return covered / (count + 0.5) + (0.3 * inOrder) / query.terms.length
}

const maxCachedStrings = 200_000

function fitOf({ terms, joined, known, hasNumber }: Query, piece: string): Float32Array | undefined {
  // Sites number their pages, so most pieces are numbers, but queries rarely contain one.
  const code = piece.charCodeAt(0)
  if (!hasNumber && code >= 48 && code <= 57) return undefined
  if (known.has(piece)) return known.get(piece)
  const word = normalizeWord(piece)
  const fit = Float32Array.from(terms, (term) => compare(term, word))
  for (const [at, pair] of joined.entries()) {
    const value = pair.text === word.text || pair.stem === word.stem ? 0.92 : synonymsOf(pair)?.has(word.text) ? 0.6 : 0
    fit[at] = Math.max(fit[at]!, value)
    fit[at + 1] = Math.max(fit[at + 1]!, value)
  }
  const result = fit.some((value) => value > 0) ? fit : undefined
  if (known.size < maxCachedStrings) known.set(piece, result)
  return result
}

/** Returns how similar two words are, from 0 to 1. */
function compare(term: Word, word: Word): number {
  if (term.text === word.text) return 1
  if (term.stem === word.stem) return 0.92
  if (isStopWord(term)) return 0
  const others = synonymsOf(term)
  if (others?.has(word.text)) return 0.6
  // One typo in a long word. Checked before substrings, which such a word may well contain.
  if (isSlip(term, word, 1) && term.text.length >= 7) return 0.75
  const [short, long] = term.text.length < word.text.length ? [term, word] : [word, term]
  if (short.stem.length >= 3 && long.text.startsWith(short.stem))
    return 0.45 + 0.4 * (short.stem.length / long.stem.length)
  // Compound words, as in German.
  if (short.stem.length >= 4 && long.text.includes(short.stem))
    return 0.35 + 0.3 * (short.stem.length / long.text.length)
  if (isSlip(term, word, term.text.length >= 8 ? 2 : 1)) return 0.55
  return short.stem.length >= 5 && isSlip({ ...term, text: term.stem }, { ...word, text: word.stem }, 1) ? 0.45 : 0
}

function isSlip(term: Word, word: Word, most: number): boolean {
  if (Math.min(term.text.length, word.text.length) < 4 || /\d/.test(term.text + word.text)) return false
  return differsByTypos(term.text, word.text, most)
}

/** Weights each term by its rarity, because a term that matches nearly every link does not distinguish any. */
function weigh({ terms }: Query, fits: Float32Array, count: number): number[] {
  return terms.map((term, index) => {
    let met = 0
    for (let at = 0; at < count; at++) met += Math.min(fits[at * terms.length + index]!, 1)
    const rarity = Math.log(1 + count / (1 + met)) / Math.log(1 + count)
    return smallness(term) * (0.25 + 0.75 * rarity)
  })
}

function score(weights: readonly number[], fits: Float32Array, from: number, extra: number): number {
  let [sum, all, met] = [0, 0, 0]
  for (const [index, weight] of weights.entries()) {
    const fit = fits[from + index]!
    sum += weight * fit
    all += weight
    if (fit > 0.15) met += weight
  }
  if (sum === 0 || all === 0) return 0
  // All words of a query matter: a page that matches all of them ranks above one that matches a single word often.
  const coverage = met / all
  return (sum / all) * (0.4 + 0.6 * coverage * coverage) + extra * coverage + 0.05
}

interface UrlParts {
  readonly host: string
  readonly folders: string
  /** Last segment of the path, without its extension. */
  readonly name: string
  readonly parameters: string
}

function partsOf(url: string): UrlParts {
  const from = url.indexOf('//') + 2
  const slash = url.indexOf('/', from)
  const end = slash < 0 ? url.length : slash
  const host = url.slice(from, end).split('.').slice(0, -2).join('.')
  const [path = '', parameters = ''] = url.slice(end + 1).split(/[?#]/, 2)
  const plain = path.includes('%') ? decoded(path) : path
  const folder = plain.replace(/\/$/, '').lastIndexOf('/')
  const name = plain.slice(folder + 1).replace(/\.(?:html?|php|aspx?|jsp|md|pdf)$|\/$/i, '')
  return { host: host === 'www' ? '' : host, folders: plain.slice(0, Math.max(folder, 0)), name, parameters }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
