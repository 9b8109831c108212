// node test/bench/quality/train.ts <corpus> [--out model.ts] [--answers answers.json] [--seed 1]
// --out writes the model fitted to all pages; --answers the cross-fitted chances, for run.ts --cross-fit.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { chooseBlocks } from '../../../packages/html/src/main-content/choose.ts'
import { blend, firstEarly, sureOut } from '../../../packages/html/src/main-content/blend.ts'
import type { Forest } from '../../../packages/html/src/main-content/forest.ts'
import type { Options } from './gbdt.ts'
import { dataSets, type Page } from './corpus.ts'
import { scoreSet } from './metrics.ts'
import { baseWidth, featureRows, prepare, type Prepared, type Rows } from './rows.ts'
import { fit, makeTask, wideWidth, widen } from './stages.ts'
import { writeModel } from './write-model.ts'

const sampling = { rowShare: 0.7, columnShare: 0.35, leafRows: 30, leafWeight: 1, ridge: 3 }
export const firstOptions = (seed: number): Options => ({ trees: 120, rate: 0.11, leaves: 24, seed, ...sampling })
export const secondOptions = (seed: number): Options => ({ trees: 90, rate: 0.085, leaves: 20, seed, ...sampling })

export type Choose = typeof chooseBlocks

export function report(
  rows: Rows,
  name: string,
  answers: Float32Array,
  choose: Choose,
  say: (line: string) => void,
): void {
  const texts = new Map<Page, string>()
  for (const { page, described, texts: own, start, count } of rows.samples) {
    const kept = choose(described, answers.subarray(start, start + count))
    texts.set(page, own.filter((_, i) => kept[i] === 1).join('\n'))
  }
  const pages = rows.samples.map((sample) => sample.page)
  const parts = dataSets.map((set) =>
    line(
      set,
      pages.filter((page) => page.set === set),
      texts,
    ),
  )
  say(`${name}: ${parts.join('; ')}`)
  const broad = pages.filter((page) => page.set === 'wcxb')
  const types = [...new Set(broad.map((page) => page.type))]
  say(
    types
      .map((type) =>
        line(
          type,
          broad.filter((page) => page.type === type),
          texts,
        ),
      )
      .join('; '),
  )
}

function line(name: string, pages: readonly Page[], texts: ReadonlyMap<Page, string>): string {
  const { precision, recall, f1 } = scoreSet(pages, texts)
  return `${name} ${f1.toFixed(4)} (${precision.toFixed(3)}/${recall.toFixed(3)})`
}

/** Returns a function that prints lines with the seconds since the start. */
export function timedLines(): (text: string) => void {
  const began = performance.now()
  return (text) => console.log(`${((performance.now() - began) / 1000).toFixed(0)} s  ${text}`)
}

export interface Learning {
  readonly folder: string
  readonly folds: number
  readonly seed: number
  /** Whether to fit models to all pages, too. */
  readonly whole: boolean
  readonly say: (line: string) => void
}

export interface Learned extends Prepared {
  /** For each row, the probability from models that were not trained on the site of its page. */
  readonly chances: Float32Array
  readonly first: Forest
  readonly second: Forest
}

/** Trains both models: once for each fold without the sites of that fold and, on request, once on all pages. */
export function learn({ folder, folds, seed, whole, say }: Learning): Learned {
  const { rows, lexicon } = prepare(folder, folds)
  say(`${rows.samples.length} pages, ${rows.count} blocks, ${baseWidth} features`)
  const task = makeTask(rows, folds, seed, say)
  const base = featureRows(rows, baseWidth)
  const first = fit(task, base, baseWidth, firstOptions(seed), 'first', whole, firstEarly)
  report(rows, 'first', first.answers, chooseBlocks, say)
  const second = fit(task, widen(rows, base, first.answers), wideWidth, secondOptions(seed + 1), 'second', whole)
  report(rows, 'second', second.answers, chooseBlocks, say)
  const chances = second.answers.map((answer, row) => {
    const before = first.answers[row]!
    return before < sureOut ? before : blend(before, answer)
  })
  report(rows, 'both', chances, chooseBlocks, say)
  return { rows, lexicon, chances, first: first.forest, second: second.forest }
}

function main(): void {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '1' },
      folds: { type: 'string', default: '5' },
      out: { type: 'string' },
      answers: { type: 'string' },
    },
  })
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/quality/train.ts <corpus>')
  const seed = Number(flags.seed)
  const say = timedLines()
  const whole = flags.out !== undefined
  const { rows, lexicon, chances, first, second } = learn({ folder, folds: Number(flags.folds), seed, whole, say })
  if (flags.answers !== undefined) writeAnswers(flags.answers, rows, chances)
  if (flags.out === undefined) return
  const pages = Object.fromEntries(
    dataSets.map((set) => [set, rows.samples.filter(({ page }) => page.set === set).length]),
  )
  writeModel(flags.out, first, second, {
    command: `node test/bench/quality/train.ts <corpus> --out <file>`,
    pages,
    seed,
    lexicon,
  })
  say(`wrote ${flags.out}`)
}

export const answerKey = (page: Page): string => `${page.set}/${page.id}`

export function writeAnswers(file: string, rows: Rows, answers: Float32Array): void {
  const entries = rows.samples.map(({ page, start, count }) => {
    return [
      answerKey(page),
      Array.from(answers.subarray(start, start + count), (chance) => Math.round(chance * 1e4) / 1e4),
    ]
  })
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries)))
}

if (import.meta.main) main()
