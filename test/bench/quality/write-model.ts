// Writes the models as the engine reads them: a TypeScript module of base64, with where they come from.
import { writeFileSync } from 'node:fs'
import {
  featureSign,
  leafMark,
  leafScale,
  type PackedForest,
} from '../../../packages/html/src/main-content/packed-model.ts'
import type { LexiconText } from './learn-lexicon.ts'
import type { Forest } from '../../../packages/html/src/main-content/forest.ts'

export interface Provenance {
  readonly command: string
  readonly pages: Readonly<Record<string, number>>
  readonly seed: number
  readonly lexicon: LexiconText
}

export function packForest(forest: Forest): PackedForest {
  const pool = [...new Set(forest.numbers.filter((_, node) => forest.columns[node]! >= 0))].sort((a, b) => a - b)
  const places = new Map(pool.map((threshold, place) => [threshold, place]))
  const nodes: number[] = []
  const walk = (node: number): void => {
    const column = forest.columns[node]!
    if (column < 0) {
      nodes.push(leafMark, Math.max(-32768, Math.min(32767, Math.round(forest.numbers[node]! * leafScale))) & 0xffff)
      return
    }
    nodes.push(column, places.get(forest.numbers[node]!)!)
    walk(forest.lefts[node]!)
    walk(forest.lefts[node]! + 1)
  }
  for (const root of forest.roots) walk(root)
  return {
    start: forest.start,
    trees: forest.roots.length,
    thresholds: Buffer.from(Float32Array.from(pool).buffer).toString('base64'),
    nodes: Buffer.from(Uint16Array.from(nodes).buffer).toString('base64'),
  }
}

const sources = [
  'WCXB: Web Content eXtraction Benchmark, Murrough Foley 2026, CC BY 4.0 (a part of its development split)',
  'Article Extraction Benchmark, Zyte (Scrapinghub), MIT (a part)',
  'Article extraction dataset from news websites, AndyTheFactory, Apache-2.0 (a part)',
  "Trafilatura's evaluation data, Adrien Barbaresi and others, Apache-2.0 (a part)",
]

export function writeModel(file: string, first: Forest, second: Forest, from: Provenance): void {
  const date = new Date().toISOString().slice(0, 10)
  const pages = Object.entries(from.pages).map(([set, count]) => `${set} ${count}`)
  const lines = [
    '// Made by the training program, not by hand: boosted trees over the features of this folder.',
    `// Command: ${from.command} (seed ${from.seed}), ${date}.`,
    `// Learned from ${pages.join(', ')} pages. No page, and no text of a page, is in here.`,
    ...sources.map((source) => `// - ${source}`),
    "import type { ModelData } from './packed-model.ts'",
    '',
    '/** The model fits these columns and no others; a change of features needs a new training. */',
    'export const modelData: ModelData = {',
    `  features: '${featureSign()}',`,
    `  names:\n    '${from.lexicon.names}',`,
    `  words:\n    '${from.lexicon.words}',`,
    ...forestLines('first', first),
    ...forestLines('second', second),
    '}',
    '',
  ]
  writeFileSync(file, lines.join('\n'))
}

function forestLines(name: string, forest: Forest): string[] {
  const packed = packForest(forest)
  return [
    `  ${name}: {`,
    `    start: ${packed.start},`,
    `    trees: ${packed.trees},`,
    `    thresholds:\n      '${packed.thresholds}',`,
    `    nodes:\n      '${packed.nodes}',`,
    '  },',
  ]
}
