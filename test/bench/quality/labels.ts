// Says of each block whether the gold wants it, by aligning its words with the gold text. A page's gold words can be
// spent once: of two copies of a paragraph (for narrow and wide screens) the one among other wanted blocks is wanted.
import { wordsOf } from './metrics.ts'
import type { Gold, Page } from './corpus.ts'

export interface Labels {
  /** 0..1: how much of the block is wanted. */
  readonly wanted: Float32Array
  /** 0: says nothing about this block. */
  readonly weight: Float32Array
}

const longRun = 6
/** Scores count words, people count pieces: a long block weighs more than a short one, but not by all its words. */
const lengthPower = 0.75
const sliceSize = 3

export function labelBlocks(page: Page, texts: readonly string[]): Labels {
  return page.set === 'pieces' ? labelByPieces(texts, page.gold) : labelByText(texts, page.gold.text ?? '')
}

function labelByText(texts: readonly string[], gold: string): Labels {
  const goldWords = wordsOf(gold.toLowerCase())
  const slices = new Set(slicesOf(goldWords))
  const lines = new Set(gold.split('\n').map((line) => wordsOf(line.toLowerCase()).join(' ')))
  const whole = ` ${goldWords.join(' ')} `
  const words = texts.map((text) => wordsOf(text.toLowerCase()))
  const raw = words.map((own) => likeness(own, slices, lines, whole))
  const near = smooth(raw, words)
  const wanted = spend(words, raw, near, goldWords)
  const weight = Float32Array.from(words, (own) => (own.length + 0.5) ** lengthPower)
  return { wanted, weight }
}

function likeness(
  own: readonly string[],
  slices: ReadonlySet<string>,
  lines: ReadonlySet<string>,
  whole: string,
): number {
  if (own.length === 0) return 0
  const joined = own.join(' ')
  if (own.length >= longRun) {
    const parts = slicesOf(own)
    return parts.filter((part) => slices.has(part)).length / parts.length
  }
  if (lines.has(joined)) return 1
  if (!whole.includes(` ${joined} `)) return 0
  return own.length >= sliceSize ? 1 : own.length === 2 ? 0.7 : 0.4
}

/** How wanted the surroundings are, heavier for longer and for nearer blocks. */
function smooth(raw: readonly number[], words: readonly (readonly string[])[]): Float32Array {
  const out = new Float32Array(raw.length)
  const span = 12
  for (let i = 0; i < raw.length; i++) {
    let sum = 0
    let weight = 0
    for (let j = Math.max(0, i - span); j <= Math.min(raw.length - 1, i + span); j++) {
      if (j === i) continue
      const own = (Math.sqrt(words[j]!.length) * (words[j]!.length >= longRun ? 1 : 0.3)) / (1 + Math.abs(i - j))
      sum += raw[j]! * own
      weight += own
    }
    out[i] = weight > 0 ? sum / weight : 0.5
  }
  return out
}

function spend(
  words: readonly (readonly string[])[],
  raw: readonly number[],
  near: Float32Array,
  goldWords: readonly string[],
): Float32Array {
  const left = bagOf(goldWords)
  // Words of a copy may be found elsewhere in the gold, its slices are not: what the gold says once is wanted once.
  const slicesLeft = bagOf(slicesOf(goldWords))
  const wanted = new Float32Array(words.length)
  const order = words.map((_, i) => i).filter((i) => raw[i]! > 0)
  const rank = (i: number): number => (words[i]!.length >= longRun ? 2 : 0) + raw[i]! + near[i]!
  order.sort((a, b) => rank(b) - rank(a) || a - b)
  for (const i of order) {
    const own = words[i]!
    const isLong = own.length >= longRun
    const needed = bagOf(own)
    const slices = bagOf(slicesOf(own))
    const share = isLong ? shareLeft(slices, slicesLeft) : shareLeft(needed, left)
    const score = isLong ? Math.min(raw[i]!, share) : share >= 0.99 ? Math.min(raw[i]!, 0.35 + near[i]!) : 0
    wanted[i] = Math.min(1, score)
    if (score < 0.5) continue
    take(needed, left)
    take(slices, slicesLeft)
  }
  return wanted
}

function slicesOf(words: readonly string[]): string[] {
  return Array.from({ length: Math.max(0, words.length - sliceSize + 1) }, (_, i) =>
    words.slice(i, i + sliceSize).join(' '),
  )
}

function bagOf(items: readonly string[]): Map<string, number> {
  const bag = new Map<string, number>()
  for (const item of items) bag.set(item, (bag.get(item) ?? 0) + 1)
  return bag
}

function shareLeft(needed: ReadonlyMap<string, number>, left: ReadonlyMap<string, number>): number {
  let had = 0
  let all = 0
  for (const [item, count] of needed) {
    had += Math.min(count, left.get(item) ?? 0)
    all += count
  }
  return had / Math.max(1, all)
}

function take(needed: ReadonlyMap<string, number>, left: Map<string, number>): void {
  for (const [item, count] of needed) left.set(item, Math.max(0, (left.get(item) ?? 0) - count))
}

const oneSpace = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Only blocks that hold a piece say something. A piece that spans blocks labels those it runs through. */
function labelByPieces(texts: readonly string[], gold: Gold): Labels {
  const wanted = new Float32Array(texts.length)
  const weight = new Float32Array(texts.length)
  const clean = texts.map(oneSpace)
  const mark = (pieces: readonly string[], value: number): void => {
    for (const piece of pieces.map(oneSpace)) {
      const holders = holdersOf(clean, piece)
      for (const i of holders) {
        wanted[i] = Math.max(wanted[i]!, value)
        weight[i] = weight[i]! + 1 / holders.length
      }
    }
  }
  mark(gold.without ?? [], 0)
  mark(gold.with ?? [], 1)
  return { wanted, weight }
}

function holdersOf(texts: readonly string[], piece: string): number[] {
  if (piece === '') return []
  return texts.flatMap((text, i) => (text.includes(piece) ? [i] : []))
}
