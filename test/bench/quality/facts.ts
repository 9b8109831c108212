// node test/bench/quality/facts.ts <corpus> [--every 3] [--wrong author|date|title] [--half 0|1] [--set wcxb|news]
//   [--peers <folder of packages>]
// Scores the headline, author and date in the default metadata against the gold of wcxb and news, next to other packages in
// the same run. A page's site decides by its hash to which half it belongs: rules are written on the pages of one half, and
// the other half shows whether they hold.
import { parseArgs } from 'node:util'
import { createHash } from 'node:crypto'
import { readHtml as readValues } from '../../../packages/html/src/readings/read.ts'
import { readHtml, readPages, siteOf, type Page } from './corpus.ts'
import { facts, loadFactPeers, type Answers, type Fact, type FactReader } from './facts-peers.ts'
import { scoreBag } from './metrics.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    wrong: { type: 'string' },
    half: { type: 'string' },
    set: { type: 'string' },
    peers: { type: 'string' },
  },
})

type Metadata = Readonly<Record<string, string | readonly string[] | undefined>>

interface Scored {
  readonly page: Page
  readonly half: number
  readonly gold: Answers
  readonly given: Answers
  readonly score: Readonly<Record<Fact, number>>
  /** Whether the source of the page has the day of the gold. */
  readonly hasDay: boolean
}

const halfOf = (url: string): number => createHash('sha256').update(siteOf(url)).digest()[0]! & 1

const wordsIn = (value: string | readonly string[] | undefined): string => [value ?? []].flat().join(', ')

/** The headline is what gold calls the title. The day of a time is the one that is written, whatever its zone. */
const ours: FactReader = {
  name: 'ours',
  read: (html, url) => {
    const scope = { onlyMainContent: true, includeTags: [], excludeTags: [] }
    const metadata = readValues({ html, url }, scope, [{ name: 'metadata' }]).values['metadata'] as Metadata
    return {
      title: wordsIn(metadata['headline'] ?? metadata['title']),
      author: wordsIn(metadata['author']),
      date: wordsIn(metadata['publishedTime']).slice(0, 10),
    }
  },
}

function scoreOf(fact: Fact, given: string, gold: string): number {
  if (given === '') return 0
  if (fact === 'date') return given === gold.slice(0, 10) ? 1 : 0
  const { f1 } = scoreBag(given, gold)
  return fact === 'title' ? f1 : f1 >= 0.8 ? 1 : 0
}

const nothing: Answers = { title: '', author: '', date: '' }

async function scored(folder: string, page: Page, reader: FactReader): Promise<Scored> {
  const html = readHtml(folder, page)
  const given = await Promise.resolve()
    .then(() => reader.read(html, page.url))
    .catch(() => nothing)
  const raw = page.gold as Readonly<Record<Fact, string | null | undefined>>
  const gold = { title: raw.title ?? '', author: raw.author ?? '', date: raw.date ?? '' }
  const score = { title: 0, author: 0, date: 0 }
  for (const fact of facts) score[fact] = scoreOf(fact, given[fact], gold[fact])
  return { page, half: halfOf(page.url), gold, given, score, hasDay: gold.date !== '' && hasDay(html, gold.date) }
}

/** Returns whether a page has a day in one of the forms that are usual in its source. */
function hasDay(html: string, day: string): boolean {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1))
  const [m, d, y] = [`0?${month}`, `0?${date}`, `(?:${year}|${year % 100})`]
  const forms = [
    String.raw`${year}[-/.年]?\s?${m}[-/.月]?\s?${d}(?!\d)`,
    String.raw`(?<!\d)(?:${d}([-/. ])${m}\1${y}|${m}([-/. ])${d}\2${y})(?!\d)`,
    String.raw`${name}[a-z]*\.?\s*${d}(?:st|nd|rd|th)?,?\s*${year}`,
    String.raw`(?<!\d)${d}(?:st|nd|rd|th)?\.?\s*(?:de )?${name}[a-z]*\.?,?\s*(?:de )?${year}`,
  ]
  return forms.some((form) => new RegExp(form, 'i').test(html))
}

const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`

const rightShare = (rows: readonly Scored[], fact: Fact): number => {
  const known = rows.filter(({ gold }) => gold[fact] !== '')
  return known.reduce((total, { score }) => total + score[fact], 0) / Math.max(1, known.length)
}

function row(name: string, rows: readonly Scored[], compared = rows): void {
  for (const fact of facts) {
    const known = rows.filter(({ gold }) => gold[fact] !== '')
    const right = rightShare(rows, fact)
    const given = known.filter((one) => one.given[fact] !== '')
    const wrong = given.filter((one) => one.score[fact] < 0.5)
    const unasked = rows.filter((one) => one.gold[fact] === '' && one.given[fact] !== '')
    console.log(
      `| ${name} | ${fact} | ${known.length} | ${right.toFixed(3)} | ${(right / rightShare(compared, fact)).toFixed(2)} | ` +
        `${given.length} | ${percent(wrong.length, given.length)} | ${unasked.length} of ${rows.length - known.length} |`,
    )
  }
}

function printWrong(rows: readonly Scored[], fact: Fact): void {
  for (const { page, gold, given, score } of rows) {
    if (gold[fact] === '' ? given[fact] === '' : score[fact] >= 0.8) continue
    console.log(
      `${page.set} ${page.type} ${page.id} ${page.url.slice(0, 110)}\n  gold  ${gold[fact]}\n  given ${given[fact]}`,
    )
  }
}

async function scoreSet(folder: string, set: 'wcxb' | 'news', peers: readonly FactReader[]): Promise<string> {
  const pages = readPages(folder, set)
    .filter((_, i) => i % Number(flags.every) === 0)
    .filter(({ url }) => flags.half === undefined || halfOf(url) === Number(flags.half))
  const read = async (reader: FactReader): Promise<Scored[]> => {
    const rows: Scored[] = []
    for (const page of pages) rows.push(await scored(folder, page, reader))
    return rows
  }
  const rows = await read(ours)
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
  for (const peer of peers) row(`${set}, ${peer.name}`, await read(peer), rows)
  if (flags.wrong) printWrong(rows, flags.wrong as Fact)
  const dated = rows.filter(({ gold }) => gold.date !== '')
  const shown = dated.filter((one) => one.hasDay)
  return `${set}: ${dated.length - shown.length} days of the gold are not on their page; of the others, ${rightShare(shown, 'date').toFixed(3)} are right.`
}

const [folder] = positionals
if (!folder) throw new Error('Give the corpus folder: node test/bench/quality/facts.ts <corpus>')
const sets = (['wcxb', 'news'] as const).filter((set) => !flags.set || flags.set === set)
const peers = flags.peers ? await loadFactPeers(flags.peers) : []
console.log('| pages | fact | with gold | right | ratio | given | wrong of those given | given without gold |')
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
const notes: string[] = []
for (const set of sets) notes.push(await scoreSet(folder, set, peers))
console.log(`\n${notes.join('\n')}`)
