// The metrics of the corpus, to the letter of its description.
import type { Gold, Page } from './corpus.ts'

export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export interface Pieces {
  readonly hits: number
  readonly wrong: number
  readonly missed: number
}

const words = /[\p{L}\p{N}_]+/gu

export const wordsOf = (text: string): string[] => text.match(words) ?? []

function counted(items: readonly string[]): Map<string, number> {
  const bag = new Map<string, number>()
  for (const item of items) bag.set(item, (bag.get(item) ?? 0) + 1)
  return bag
}

function shared(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [item, count] of a) sum += Math.min(count, b.get(item) ?? 0)
  return sum
}

export const harmonic = (precision: number, recall: number): number =>
  precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0

/** WCXB: bags of lower-cased words. An empty gold wants an empty answer. */
export function scoreBag(text: string, gold: string): Score {
  const found = wordsOf(text.toLowerCase())
  const wanted = wordsOf(gold.toLowerCase())
  if (wanted.length === 0 || found.length === 0) {
    const good = wanted.length === found.length ? 1 : 0
    return { precision: good, recall: good, f1: good }
  }
  const both = shared(counted(found), counted(wanted))
  const precision = both / found.length
  const recall = both / wanted.length
  return { precision, recall, f1: harmonic(precision, recall) }
}

function shinglesOf(text: string): string[] {
  const all = wordsOf(text)
  if (all.length === 0) return []
  const shingles: string[] = []
  for (let i = 0; i < Math.max(1, all.length - 3); i++) shingles.push(all.slice(i, i + 4).join(' '))
  return shingles
}

/** Article bodies: bags of 4-word shingles, case kept. An answer without words has no precision, and does not lower it. */
export function scoreShingles(text: string, gold: string): Score {
  const found = shinglesOf(text)
  const wanted = shinglesOf(gold)
  const both = shared(counted(found), counted(wanted))
  const precision = found.length > 0 ? both / found.length : Number.NaN
  const recall = wanted.length > 0 ? both / wanted.length : Number.NaN
  return { precision, recall, f1: harmonic(precision || 0, recall || 0) }
}

const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()

export function countPieces(text: string, gold: Gold): Pieces {
  const answer = oneSpace(text)
  const present = (piece: string): boolean => answer.includes(oneSpace(piece))
  const hits = (gold.with ?? []).filter(present).length
  return { hits, wrong: (gold.without ?? []).filter(present).length, missed: (gold.with ?? []).length - hits }
}

const meanOf = (values: readonly number[]): number => {
  const numbers = values.filter((value) => !Number.isNaN(value))
  return numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length)
}

/** Sums a data set up as its own description says: WCXB means F1 over pages, the article sets take F1 of the means. */
export function scoreSet(pages: readonly Page[], answers: ReadonlyMap<Page, string>): Score {
  const set = pages[0]?.set
  if (set === 'pieces') return scorePieces(pages, answers)
  const scorer = set === 'wcxb' ? scoreBag : scoreShingles
  const scores = pages.map((page) => scorer(answers.get(page) ?? '', page.gold.text ?? ''))
  const precision = meanOf(scores.map((score) => score.precision))
  const recall = meanOf(scores.map((score) => score.recall))
  const f1 = set === 'wcxb' ? meanOf(scores.map((score) => score.f1)) : harmonic(precision, recall)
  return { precision, recall, f1 }
}

function scorePieces(pages: readonly Page[], answers: ReadonlyMap<Page, string>): Score {
  let hits = 0
  let wrong = 0
  let missed = 0
  for (const page of pages) {
    const counts = countPieces(answers.get(page) ?? '', page.gold)
    hits += counts.hits
    wrong += counts.wrong
    missed += counts.missed
  }
  const precision = hits / Math.max(1, hits + wrong)
  const recall = hits / Math.max(1, hits + missed)
  return { precision, recall, f1: harmonic(precision, recall) }
}
