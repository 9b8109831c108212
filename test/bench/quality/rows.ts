// The pages of the corpus as rows for training: what the engine sees of each block, and what the gold says of it.
import { blockText } from '../../../packages/html/src/main-content/block-table.ts'
import type { Described } from '../../../packages/html/src/main-content/described.ts'
import { featureNames } from '../../../packages/html/src/main-content/feature-names.ts'
import { describe, readingOf, writeRow, type Reading } from '../../../packages/html/src/main-content/features.ts'
import { emptyLexicon } from '../../../packages/html/src/main-content/lexicon.ts'
import type { Content } from '../../../packages/html/src/page/content.ts'
import { openPage } from '../../../packages/html/src/page/page.ts'
import { dataSets, readHtml, readPages, siteOf, type DataSet, type Page } from './corpus.ts'
import { labelBlocks } from './labels.ts'
import { learnLexicon, lexiconOf, type LexiconText } from './learn-lexicon.ts'

export interface Sample {
  readonly page: Page
  /** The tree, and the nodes in it that are hidden. */
  readonly tree: Content
  readonly described: Described
  readonly texts: readonly string[]
  readonly wanted: Float32Array
  readonly weight: Float32Array
  readonly fold: number
  /** The row of its first block. */
  readonly start: number
  readonly count: number
}

export interface Rows {
  readonly samples: readonly Sample[]
  readonly count: number
}

const pageWeight: Readonly<Record<DataSet, number>> = { wcxb: 100, articles: 100, news: 100, pieces: 60 }
const doubtWeight = 0.3

/** Reads and labels all pages. Each page is described with the reading that `readings` gives for its fold. */
export function prepareRows(folder: string, folds: number, readings: readonly Reading[]): Rows {
  const samples: Sample[] = []
  let start = 0
  for (const set of dataSets) {
    for (const page of readPages(folder, set)) {
      const fold = foldOf(page, folds)
      const tree = openTree(readHtml(folder, page), page.url)
      const described = describe(tree.root, page.url, readings[fold % readings.length]!)
      const { count } = described.blocks
      const texts = Array.from({ length: count }, (_, i) => blockText(described.blocks, i))
      const { wanted, weight } = labelBlocks(page, texts)
      samples.push({ page, tree, described, texts, wanted, weight: balance(wanted, weight, set), fold, start, count })
      start += count
    }
  }
  return { samples, count: start }
}

/** The tree that the engine reads, with late parts and frames in their places, and its hidden nodes as `removed`. */
export function openTree(html: string, url: string): Content {
  return openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] }).content
}

export interface Prepared {
  readonly rows: Rows
  /** Learned from all pages: what the engine ships. */
  readonly lexicon: LexiconText
}

/** Twice through the pages: once to learn the words, once to describe each page by words that other sites taught. */
export function prepare(folder: string, folds: number): Prepared {
  const { samples } = prepareRows(folder, folds, [readingOf(emptyLexicon)])
  const readings = Array.from({ length: folds }, (_, k) =>
    readingOf(lexiconOf(samples.filter((sample) => sample.fold !== k))),
  )
  return { rows: prepareRows(folder, folds, readings), lexicon: learnLexicon(samples) }
}

function balance(wanted: Float32Array, weight: Float32Array, set: DataSet): Float32Array {
  const sum = weight.reduce((a, b) => a + b, 0)
  return weight.map((own, i) => {
    const doubt = wanted[i]! > 0.3 && wanted[i]! < 0.7 ? doubtWeight : 1
    return sum > 0 ? (own / sum) * pageWeight[set] * doubt : 0
  })
}

/** Pages of one site share a fold, in whichever set they are. */
function foldOf(page: Page, folds: number): number {
  let hash = 7
  for (const character of siteOf(page.url)) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) >>> 0
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 8) % folds
}

export function featureRows(rows: Rows, width: number): Float32Array {
  const values = new Float32Array(rows.count * width)
  for (const { described, start, count } of rows.samples) {
    for (let i = 0; i < count; i++) writeRow(described, i, values, (start + i) * width)
  }
  return values
}

export const baseWidth = featureNames.length
