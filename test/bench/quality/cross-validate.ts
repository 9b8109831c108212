// node test/bench/quality/cross-validate.ts <corpus> [--folds 10] [--seed 1] [--answers answers.json] [--worst 30]
// Scores main content on sites that the model was not trained on, for each set, page type and language. The folds keep
// a site whole, across sets. Beside it are the scores of the bundled model, which was trained on all of these pages.
// --answers writes the probabilities, for run.ts --cross-fit.
import { parseArgs } from 'node:util'
import { findMainContent, mainContentFrom } from '../../../packages/html/src/main-content/find-main-content.ts'
import { dataSets, type Page } from './corpus.ts'
import { countPieces, harmonic, scoreBag, scoreSet, scoreShingles } from './metrics.ts'
import { writeMain } from './ours.ts'
import { plainText } from './plain-text.ts'
import type { Sample } from './rows.ts'
import { learn, timedLines, writeAnswers } from './train.ts'

type Texts = ReadonlyMap<Page, string>

/** Languages with fewer pages in a set share a row. */
const fewPages = 10

function main(): void {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      folds: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      answers: { type: 'string' },
      worst: { type: 'string', default: '0' },
    },
  })
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/quality/cross-validate.ts <corpus>')
  const say = timedLines()
  const { rows, chances } = learn({ folder, folds: Number(flags.folds), seed: Number(flags.seed), whole: false, say })
  if (flags.answers !== undefined) writeAnswers(flags.answers, rows, chances)
  const unseen = new Map<Page, string>()
  const bundled = new Map<Page, string>()
  for (const { page, tree, described, start, count } of rows.samples) {
    const found = mainContentFrom(tree.root, described, chances.subarray(start, start + count))
    unseen.set(page, plainText(writeMain(tree, page.url, found)))
    bundled.set(page, plainText(writeMain(tree, page.url, findMainContent(tree.root, page.url))))
  }
  say('scored\n')
  console.log('| | pages | unseen sites | precision | recall | bundled model | gap |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const [name, pages] of groupsOf(rows.samples)) console.log(rowOf(name, pages, unseen, bundled))
  for (const set of dataSets) {
    const pages = rows.samples.map(({ page }) => page).filter((page) => page.set === set)
    for (const line of worstOf(pages, unseen, Number(flags.worst))) console.log(line)
  }
}

function groupsOf(samples: readonly Sample[]): Map<string, Page[]> {
  const groups = new Map<string, Page[]>()
  const add = (name: string, page: Page): void => void groups.set(name, [...(groups.get(name) ?? []), page])
  for (const { page } of samples) add(page.set, page)
  for (const { page } of samples) if (page.set === 'wcxb') add(`wcxb ${page.type}`, page)
  const byLanguage = Map.groupBy(
    samples,
    ({ page, described }) => `${page.set} ${described.head.language || 'unknown'}`,
  )
  for (const [name, own] of byLanguage) {
    for (const { page } of own) add(own.length < fewPages ? `${page.set} other languages` : name, page)
  }
  return groups
}

function rowOf(name: string, pages: readonly Page[], unseen: Texts, bundled: Texts): string {
  const { f1, precision, recall } = scoreSet(pages, unseen)
  const fit = scoreSet(pages, bundled).f1
  const numbers = [f1, precision, recall, fit, fit - f1].map((value) => value.toFixed(3))
  return `| ${name} | ${pages.length} | ${numbers.join(' | ')} |`
}

function worstOf(pages: readonly Page[], texts: Texts, count: number): string[] {
  const scored = pages.map((page) => ({ page, ...scoreOf(page, texts.get(page)!) }))
  const worst = scored.sort((a, b) => a.f1 - b.f1).slice(0, count)
  return worst.map(({ page, f1, precision, recall }) => {
    const numbers = [f1, precision, recall].map((value) => value.toFixed(3))
    return [...numbers, page.set, page.type, page.id, page.url].join(' ')
  })
}

function scoreOf(page: Page, text: string): { f1: number; precision: number; recall: number } {
  if (page.set !== 'pieces') return (page.set === 'wcxb' ? scoreBag : scoreShingles)(text, page.gold.text ?? '')
  const { hits, wrong, missed } = countPieces(text, page.gold)
  const precision = hits / Math.max(1, hits + wrong)
  const recall = hits / Math.max(1, hits + missed)
  return { precision, recall, f1: harmonic(precision, recall) }
}

main()
