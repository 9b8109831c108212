// node test/bench/quality/facts.ts <corpus> [--every 3] [--wrong author|date|title] [--half 0|1] [--set wcxb|news]
// Scores the headline, author and date in the default metadata against the gold of wcxb and news. A page's site decides
// by its hash to which half it belongs: rules are written on the pages of half 0, and half 1 shows whether they hold.
import { parseArgs } from 'node:util'
import { createHash } from 'node:crypto'
import { readHtml as readValues } from '../../../packages/html/src/readings/read.ts'
import { readHtml, readPages, siteOf, type Page } from './corpus.ts'
import { scoreBag } from './metrics.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    wrong: { type: 'string' },
    half: { type: 'string' },
    set: { type: 'string' },
  },
})

type Metadata = Readonly<Record<string, string | readonly string[] | undefined>>
const facts = ['title', 'author', 'date'] as const
type Fact = (typeof facts)[number]

interface Scored {
  readonly page: Page
  readonly half: number
  readonly gold: Readonly<Record<Fact, string>>
  readonly given: Readonly<Record<Fact, string>>
  readonly score: Readonly<Record<Fact, number>>
}

const halfOf = (url: string): number => createHash('sha256').update(siteOf(url)).digest()[0]! & 1

const wordsIn = (value: string | readonly string[] | undefined): string => [value ?? []].flat().join(', ')

/** The headline is what gold calls the title. The day of a time is the one that is written, whatever its zone. */
function answersOf(metadata: Metadata): Record<Fact, string> {
  return {
    title: wordsIn(metadata['headline'] ?? metadata['title']),
    author: wordsIn(metadata['author']),
    date: wordsIn(metadata['publishedTime']).slice(0, 10),
  }
}

function scoreOf(fact: Fact, given: string, gold: string): number {
  if (given === '') return 0
  if (fact === 'date') return given === gold.slice(0, 10) ? 1 : 0
  const { f1 } = scoreBag(given, gold)
  return fact === 'title' ? f1 : f1 >= 0.8 ? 1 : 0
}

function scored(folder: string, page: Page): Scored {
  const html = readHtml(folder, page)
  const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
  const { metadata } = readValues({ html, url: page.url }, scope, [{ name: 'metadata' }]).values
  const given = answersOf(metadata as Metadata)
  const raw = page.gold as Readonly<Record<Fact, string | null | undefined>>
  const gold = { title: raw.title ?? '', author: raw.author ?? '', date: raw.date ?? '' }
  const score = { title: 0, author: 0, date: 0 }
  for (const fact of facts) score[fact] = scoreOf(fact, given[fact], gold[fact])
  return { page, half: halfOf(page.url), gold, given, score }
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

function row(name: string, rows: readonly Scored[]): void {
  for (const fact of facts) {
    const known = rows.filter(({ gold }) => gold[fact] !== '')
    const sum = known.reduce((total, { score }) => total + score[fact], 0)
    const given = known.filter((one) => one.given[fact] !== '')
    const wrong = given.filter((one) => one.score[fact] < 0.5)
    const unasked = rows.filter((one) => one.gold[fact] === '' && one.given[fact] !== '')
    console.log(
      `| ${name} | ${fact} | ${known.length} | ${(sum / Math.max(1, known.length)).toFixed(3)} | ${given.length} | ` +
        `${percent(wrong.length, given.length)} | ${unasked.length} of ${rows.length - known.length} |`,
    )
  }
}

const [folder] = positionals
if (!folder) throw new Error('Give the corpus folder: node test/bench/quality/facts.ts <corpus>')
const sets = (['wcxb', 'news'] as const).filter((set) => !flags.set || flags.set === set)
console.log('| pages | fact | with gold | right | given | wrong of those given | given without gold |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const set of sets) {
  const pages = readPages(folder, set).filter((_, i) => i % Number(flags.every) === 0)
  const rows = pages
    .filter(({ url }) => flags.half === undefined || halfOf(url) === Number(flags.half))
    .map((page) => scored(folder, page))
  row(set, rows)
  for (const half of [0, 1])
    row(
      `${set}, half ${half}`,
      rows.filter((one) => one.half === half),
    )
  const types = new Set(rows.map(({ page }) => page.type))
  for (const type of types.size > 1 ? types : [])
    row(
      `${set}, ${type}`,
      rows.filter(({ page }) => page.type === type),
    )
  const shown = flags.wrong as Fact | undefined
  if (!shown) continue
  for (const { page, gold, given, score } of rows) {
    if (gold[shown] === '' ? given[shown] === '' : score[shown] >= 0.8) continue
    console.log(
      `${page.set} ${page.type} ${page.id} ${page.url.slice(0, 110)}\n  gold  ${gold[shown]}\n  given ${given[shown]}`,
    )
  }
}
