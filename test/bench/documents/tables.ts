// How many cells of tables in PDF are read right: text, row, column and spans.
// node test/bench/documents/tables.ts <folder for the files> [part of a name] : needs chromium, soffice and pdflatex in PATH
import { readFileSync } from 'node:fs'

import { makeWork } from '../../../packages/pdf/src/work.ts'
import { documents, type MadeDocument } from './tables/made.ts'
import { countCells, tablesOf, type Counts } from './tables/score.ts'
import { writePdf } from './tables/write.ts'

const [folder, part = ''] = process.argv.slice(2)
if (folder === undefined) throw new Error('Pass a folder: node test/bench/documents/tables.ts <folder>')

// The limits of the threads are not wanted here: the whole process would have them.
const work = makeWork({ begin: () => undefined, wasRefused: () => false, wasDamaged: () => false })

async function countsOf(document: MadeDocument, to: string): Promise<Counts> {
  const bytes = new Uint8Array(readFileSync(writePdf(document, to)))
  const result = await work(
    { kind: 'read', bytes, maxPages: 50, budget: 60_000, byPage: false, until: Infinity, ocr: 'none' },
    () => undefined,
  )
  if ('wanted' in result) throw new Error('Pages are to be recognized, although none were requested.')
  const { html } = result
  if (part !== '') process.stdout.write(`${html.replaceAll('<tr>', '\n<tr>')}\n`)
  return countCells(document.tables, tablesOf(html))
}

function figuresOf({ written, read, right }: Counts): readonly [precision: number, recall: number, f1: number] {
  const [precision, recall] = [right / Math.max(1, read), right / Math.max(1, written)]
  return [precision, recall, (2 * precision * recall) / Math.max(1e-9, precision + recall)]
}

function line(name: string, counts: Counts): string {
  const { written, read, right } = counts
  const figures = figuresOf(counts)
    .map((figure) => figure.toFixed(3))
    .join(' ')
  return `${figures}  ${right}/${written} right, ${read} read  ${name}\n`
}

const sums = new Map<string, Counts>()
const scores: number[] = []
let tables = 0
for (const document of documents) {
  if (!document.name.includes(part)) continue
  const counts = await countsOf(document, folder)
  process.stdout.write(line(document.name, counts))
  scores.push(figuresOf(counts)[2])
  tables += document.tables.length
  for (const name of [
    'all',
    document.maker,
    document.layout,
    ...document.tables.map(({ kind }) => kind),
    ...document.tables.map(({ style }) => style),
  ]) {
    const sum = sums.get(name) ?? { written: 0, read: 0, right: 0 }
    sums.set(name, {
      written: sum.written + counts.written,
      read: sum.read + counts.read,
      right: sum.right + counts.right,
    })
  }
}
const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length)
process.stdout.write(
  `\nMean F1 of ${scores.length} files: ${mean.toFixed(3)}\nPrecision, recall and F1 of ${tables} tables\n`,
)
for (const [name, counts] of sums) process.stdout.write(line(name, counts))
