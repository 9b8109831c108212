// Learns how class names and the words of short blocks lean, from labelled blocks. A word counts once for a block, a
// page weighs the same whatever its length, and only words that many sites use are kept.
import { block, blockWidth } from '../../../packages/html/src/main-content/block-table.ts'
import { lexiconScale, nameWords, readLexicon, type Lexicon } from '../../../packages/html/src/main-content/lexicon.ts'
import type { Element } from '../../../packages/html/src/tree/tree.ts'
import { wordsOf } from './metrics.ts'
import { siteOf } from './corpus.ts'
import type { Sample } from './rows.ts'

export const sitesNeeded = 8
const shortBlock = 8
const firstWords = 12
/** How many page weights of doubt a word starts with. */
const doubt = 0.4
const leastLeaning = 0.25
const highest = 4

interface Count {
  yes: number
  no: number
  readonly sites: Set<string>
}

interface Counts {
  readonly names: Map<string, Count>
  readonly words: Map<string, Count>
  yes: number
  no: number
}

export interface LexiconText {
  readonly names: string
  readonly words: string
}

export function learnLexicon(samples: readonly Sample[]): LexiconText {
  const counts: Counts = { names: new Map(), words: new Map(), yes: 0, no: 0 }
  for (const sample of samples) countSample(sample, counts)
  return { names: textOf(counts.names, counts), words: textOf(counts.words, counts) }
}

export function lexiconOf(samples: readonly Sample[]): Lexicon {
  const { names, words } = learnLexicon(samples)
  return readLexicon(names, words)
}

function countSample(sample: Sample, counts: Counts): void {
  const site = siteOf(sample.page.url)
  const sum = sample.weight.reduce((a, b) => a + b, 0)
  if (sum === 0) return
  const known = new Map<Element, ReadonlySet<string>>()
  for (let i = 0; i < sample.count; i++) {
    const weight = sample.weight[i]! / sum
    if (weight === 0) continue
    const yes = weight * sample.wanted[i]!
    counts.yes += yes
    counts.no += weight - yes
    const { table, texts } = sample.described.blocks
    const text = texts[table.data[i * blockWidth + block.firstText]!]
    if (text?.parent)
      for (const name of namesAbove(text.parent, known)) add(counts.names, name, yes, weight - yes, site)
    const words = wordsOf(sample.texts[i]!.toLowerCase())
    if (words.length > shortBlock) continue
    for (const word of new Set(words.slice(0, firstWords))) add(counts.words, word, yes, weight - yes, site)
  }
}

function namesAbove(element: Element, known: Map<Element, ReadonlySet<string>>): ReadonlySet<string> {
  const had = known.get(element)
  if (had) return had
  const own = [element.attributes['class'] ?? '', element.attributes['id'] ?? ''].flatMap(nameWords).filter(Boolean)
  const above = element.parent ? namesAbove(element.parent, known) : new Set<string>()
  const all = own.length > 0 ? new Set([...above, ...own]) : above
  known.set(element, all)
  return all
}

function add(counts: Map<string, Count>, word: string, yes: number, no: number, site: string): void {
  const count = counts.get(word) ?? { yes: 0, no: 0, sites: new Set<string>() }
  count.yes += yes
  count.no += no
  count.sites.add(site)
  counts.set(word, count)
}

function textOf(words: ReadonlyMap<string, Count>, { yes, no }: Counts): string {
  const share = yes / Math.max(1e-9, yes + no)
  const usual = Math.log(share / (1 - share))
  const parts: string[] = []
  for (const [word, count] of [...words].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (count.sites.size < sitesNeeded) continue
    const leaning = Math.log((count.yes + doubt * share) / (count.no + doubt * (1 - share))) - usual
    if (Math.abs(leaning) < leastLeaning) continue
    parts.push(`${word} ${Math.round(Math.max(-highest, Math.min(highest, leaning)) * lexiconScale)}`)
  }
  return parts.join(' ')
}
