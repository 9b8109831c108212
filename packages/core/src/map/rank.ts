import type { MapLink } from './collection.ts'
import { isWithin } from './typos.ts'
import { isSmall, othersOf, piecesOf, wordOf, type Word } from './words.ts'

/** Orders links by how well they fit the words. Those that do not fit at all come last, in the order they had. */
export async function rankLinks(search: string, links: readonly MapLink[], signal: AbortSignal): Promise<MapLink[]> {
  const query = readQuery(search)
  if (query.terms.length === 0) return [...links]
  const fits = new Float32Array(links.length * query.terms.length)
  const extras = new Float32Array(links.length)
  for (let at = 0; at < links.length; at++) {
    // A hundred thousand links take half a second, which no other request should wait.
    if (at % slice === slice - 1) await new Promise((resolve) => setImmediate(resolve))
    if (at % slice === 0) signal.throwIfAborted()
    extras[at] = judge(query, links[at]!, fits, at * query.terms.length)
  }
  const weights = weigh(query, fits, links.length)
  const scores = new Float32Array(links.length)
  for (let at = 0; at < links.length; at++) scores[at] = score(weights, fits, at * weights.length, extras[at]!)
  return inOrder(scores).map((at) => links[at]!)
}

// The place goes into the lower digits of the score, so that numbers are sorted and no function is called for each pair.
const places = 2 ** 20
const finest = 2 ** 20

function inOrder(scores: Float32Array): number[] {
  const keys = Float64Array.from(scores, (score) => (64 - Math.min(score, 63)) * finest).map(
    (key, at) => Math.round(key) * places + at,
  )
  return Array.from(keys.sort(), (key) => key % places)
}

/** Score of how well one link fits the words: 0 is not at all. */
export function relevance(search: string, link: MapLink): number {
  const query = readQuery(search)
  const fits = new Float32Array(query.terms.length)
  const extra = judge(query, link, fits, 0)
  return query.terms.length === 0 ? 0 : score(query.terms.map(smallness), fits, 0, extra)
}

const slice = 500
const mostTerms = 16

interface Query {
  readonly terms: readonly Word[]
  /** Each two neighbours as one word: `sign in`, `wi-fi`. */
  readonly joined: readonly Word[]
  /** Scores of a word of a link, for the next link that has it. */
  readonly known: Map<string, Float32Array | undefined>
  readonly hasNumber: boolean
}

function readQuery(search: string): Query {
  const seen = new Set<string>()
  const terms = piecesOf(search)
    .map(wordOf)
    .filter(({ stem }) => !seen.has(stem) && seen.add(stem))
  const kept = terms.slice(0, mostTerms)
  const joined = kept.slice(1).map(({ text }, at) => wordOf(kept[at]!.text + text))
  return { terms: kept, joined, known: new Map(), hasNumber: /\p{N}/u.test(search) }
}

function smallness(term: Word): number {
  return isSmall(term) ? 0.08 : 1
}

// Weights of a word by its place: how much it says of the page.
const fields = { title: 1, name: 0.9, folder: 0.5, description: 0.45, query: 0.3, host: 0.35 }
const mostWords = 40

/** Writes how well the link fits each term, and gives what else speaks for it. */
function judge(query: Query, link: MapLink, fits: Float32Array, from: number): number {
  const { host, folders, name, parameters } = partsOf(link.url)
  const title = link.title === undefined ? [] : piecesOf(link.title.slice(0, 300))
  const names = piecesOf(name)
  const [titleFit, nameFit] = [
    judgeWords(query, title, fields.title, fits, from),
    judgeWords(query, names, fields.name, fits, from),
  ]
  judgeWords(query, piecesOf(folders), fields.folder, fits, from)
  if (parameters !== '') judgeWords(query, piecesOf(parameters), fields.query, fits, from)
  if (host !== '') judgeWords(query, piecesOf(host), fields.host, fits, from)
  if (link.description) judgeWords(query, piecesOf(link.description.slice(0, 500)), fields.description, fits, from)
  const depth = folders === '' ? 0 : folders.split('/').length
  return 0.35 * Math.max(titleFit, nameFit) + 0.08 * Math.min(titleFit, nameFit) - 0.015 * Math.min(depth, 8)
}

/** Notes the best fit of each term, and gives how much of the text the query covers, in order if it can. */
function judgeWords(query: Query, words: readonly string[], weight: number, fits: Float32Array, from: number): number {
  if (words.length === 0) return 0
  const count = Math.min(words.length, mostWords)
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
      // A word that is met twice says a little more than once.
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

const mostKnown = 200_000

function fitOf({ terms, joined, known, hasNumber }: Query, piece: string): Float32Array | undefined {
  // Sites number their pages, so there are more numbers than words, and queries hardly ever ask for one.
  const code = piece.charCodeAt(0)
  if (!hasNumber && code >= 48 && code <= 57) return undefined
  if (known.has(piece)) return known.get(piece)
  const word = wordOf(piece)
  const fit = Float32Array.from(terms, (term) => compare(term, word))
  for (const [at, pair] of joined.entries()) {
    const value = pair.text === word.text || pair.stem === word.stem ? 0.92 : othersOf(pair)?.has(word.text) ? 0.6 : 0
    fit[at] = Math.max(fit[at]!, value)
    fit[at + 1] = Math.max(fit[at + 1]!, value)
  }
  const kept = fit.some((value) => value > 0) ? fit : undefined
  if (known.size < mostKnown) known.set(piece, kept)
  return kept
}

/** Score of how much one word of a link is the word of the query, from 0 to 1. */
function compare(term: Word, word: Word): number {
  if (term.text === word.text) return 1
  if (term.stem === word.stem) return 0.92
  if (isSmall(term)) return 0
  const others = othersOf(term)
  if (others?.has(word.text)) return 0.6
  // One slip in a long word is a slip. Looked at before the parts of words, which such a word may well have.
  if (isSlip(term, word, 1) && term.text.length >= 7) return 0.75
  const [short, long] = term.text.length < word.text.length ? [term, word] : [word, term]
  if (short.stem.length >= 3 && long.text.startsWith(short.stem))
    return 0.45 + 0.4 * (short.stem.length / long.stem.length)
  // Words that are written in one, as German ones are.
  if (short.stem.length >= 4 && long.text.includes(short.stem))
    return 0.35 + 0.3 * (short.stem.length / long.text.length)
  if (isSlip(term, word, term.text.length >= 8 ? 2 : 1)) return 0.55
  return short.stem.length >= 5 && isSlip({ ...term, text: term.stem }, { ...word, text: word.stem }, 1) ? 0.45 : 0
}

function isSlip(term: Word, word: Word, most: number): boolean {
  if (Math.min(term.text.length, word.text.length) < 4 || /\d/.test(term.text + word.text)) return false
  return isWithin(term.text, word.text, most)
}

/** A term that fits nearly every link says little of any. */
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
  // All words of a query are meant: a page that has them beats one that has one of them often.
  const coverage = met / all
  return (sum / all) * (0.4 + 0.6 * coverage * coverage) + extra * coverage + 0.05
}

interface UrlParts {
  readonly host: string
  readonly folders: string
  /** The last part of the path, without its ending. */
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
