// node test/bench/data/products.ts <corpus> [--wrong] [--held-out] [--cross-fit]
// Fills price, sku, availability and brand of saved product pages from what they say for programs, and scores them as the set
// does: one value is predicted, or none. Once as they are, once with all that they say for programs taken away; beside
// earlier figures for two services and a library, which are not measured here. With --held-out it reads pages of other hosts
// instead: what their own markup says is the answer, and it is then taken away. With --cross-fit it chooses how sure a value must
// be on the pages of nine tenths of the sites, and scores the others.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData } from '@harvestman/data/pages'
import { fillSchema } from '@harvestman/html'

import { siteOf } from '../quality/corpus.ts'
import { withoutMarkup } from './drift.ts'
import { markedProducts } from './marked-products.ts'

const attributes = ['price', 'sku', 'availability', 'brand'] as const
type Attribute = (typeof attributes)[number]

interface Entry {
  readonly url: string
  readonly html: string
  readonly gold: Readonly<Partial<Record<Attribute, readonly string[]>>>
}

interface Score {
  right: number
  wrong: number
  missed: number
}

const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: { name: text, price: { type: 'number' }, sku: text, availability: text, brand: text },
}

function isEqual(attribute: Attribute, found: string | number, wanted: string): boolean {
  return attribute === 'price' ? found === Number(wanted) : String(found).trim() === wanted
}

interface Judging {
  /** Whether a value that has no answer is not looked at, in place of being wrong. */
  readonly isOpen?: boolean
  readonly isStripped: boolean
  readonly tell: boolean
}

/** What was read of one page. */
interface Reading {
  readonly site: string
  readonly isAsked: boolean
  readonly outcome: 'right' | 'wrong' | 'none'
  /** How sure it is: 1 where the page marks it. */
  readonly confidence: number
}

type Readings = ReadonlyMap<Attribute, readonly Reading[]>

function readAll(entries: readonly Entry[], { isOpen = false, isStripped, tell }: Judging): Readings {
  const readings = new Map(attributes.map((attribute) => [attribute, [] as Reading[]]))
  for (const { url, html, gold } of entries) {
    const { value, evidence } = fillSchema(schema, extractData(isStripped ? withoutMarkup(html) : html, { url }))
    const filled = (value ?? {}) as Readonly<Record<string, string | number>>
    for (const [attribute, read] of readings) {
      const found = filled[attribute]
      const wanted = gold[attribute] ?? []
      const isAsked = wanted.length > 0
      if (isOpen && !isAsked) continue
      const isRight = found !== undefined && wanted.some((one) => isEqual(attribute, found, one))
      const { method = '', quote = '', confidence = 1 } = evidence[`/${attribute}`] ?? {}
      const outcome = found === undefined ? 'none' : isRight ? 'right' : 'wrong'
      read.push({ site: siteOf(url), isAsked, outcome, confidence })
      if (tell && !isRight && (found !== undefined || isAsked))
        console.log(`${attribute} ${url}: ${found} (${method} ${quote}) is none of ${wanted.join(', ')}`)
    }
  }
  return readings
}

function scoreOf(readings: readonly Reading[], sureFrom = 0): Score {
  const sums = { right: 0, wrong: 0, missed: 0 }
  for (const { isAsked, outcome, confidence } of readings) {
    const taken = confidence >= sureFrom ? outcome : 'none'
    if (taken !== 'none') sums[taken] += 1
    if (taken !== 'right' && isAsked) sums.missed += 1
  }
  return sums
}

const folds = 10
/** How sure a value must be, from all values to those that the page marks. */
const cuts = [0, 0.85, 0.92, 1] as const
const askedPrecision = 0.95

/** The score of each tenth of the sites with what the others say is sure enough: the least that is as precise as asked. */
function crossFit(readings: readonly Reading[]): Score {
  const sites = [...new Set(readings.map(({ site }) => site))].toSorted()
  const sums = { right: 0, wrong: 0, missed: 0 }
  for (let fold = 0; fold < folds; fold += 1) {
    const own = new Set(sites.filter((_, index) => index % folds === fold))
    const others = readings.filter(({ site }) => !own.has(site))
    const cut = cuts.find((one) => precisionOf(scoreOf(others, one)) >= askedPrecision) ?? 1
    const { right, wrong, missed } = scoreOf(
      readings.filter(({ site }) => own.has(site)),
      cut,
    )
    sums.right += right
    sums.wrong += wrong
    sums.missed += missed
  }
  return sums
}

const precisionOf = ({ right, wrong }: Score): number => (right + wrong === 0 ? 1 : right / (right + wrong))

function scores(readings: Readings, isCrossFitted: boolean): ReadonlyMap<Attribute, Score> {
  return new Map([...readings].map(([name, all]) => [name, isCrossFitted ? crossFit(all) : scoreOf(all)]))
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      wrong: { type: 'boolean', default: false },
      'held-out': { type: 'boolean', default: false },
      'cross-fit': { type: 'boolean', default: false },
    },
  })
  if (!positionals[0]) throw new Error('Give the corpus folder: node test/bench/data/products.ts <corpus>')
  const entries = readSet(join(positionals[0], 'products'))
  const tell = values.wrong
  const isCrossFitted = values['cross-fit']
  if (values['held-out']) {
    const others = markedProducts(positionals[0], new Set(entries.map(({ url }) => siteOf(url))))
    const sites = new Set(others.map(({ url }) => siteOf(url))).size
    console.log(`\n${others.length} pages of ${sites} other sites without their markup, which is the answer\n`)
    print(scores(readAll(others, { isOpen: true, isStripped: true, tell }), false), true)
    return
  }
  for (const isStripped of [false, true]) {
    const how = isCrossFitted ? ', cross-fitted by site' : ''
    console.log(`\n${entries.length} pages${isStripped ? ' without their markup' : ''}${how}\n`)
    print(scores(readAll(entries, { isStripped, tell }), isCrossFitted), isStripped)
  }
}

function readSet(folder: string): readonly Entry[] {
  const lines = gunzipSync(readFileSync(join(folder, 'pages.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
  return lines.map((line) => {
    const { id, url, gold } = JSON.parse(line) as Omit<Entry, 'html'> & { readonly id: string }
    return { url, gold, html: gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString() }
  })
}

/** F1 of other tools on these pages, measured earlier; this program does not run them. */
const published: Readonly<Partial<Record<Attribute, string>>> = {
  price: '.651 / .855 / .917',
  sku: '.500 / .703 / .866',
}

function print(scores: ReadonlyMap<Attribute, Score>, isStripped: boolean): void {
  console.log(
    '| attribute | asked | F1 | precision | recall | extruct / Diffbot / Zyte |\n| --- | --- | --- | --- | --- | --- |',
  )
  for (const [attribute, { right, wrong, missed }] of scores) {
    if (right + missed === 0) continue
    const figures = [right / (right + (wrong + missed) / 2), right / (right + wrong), right / (right + missed)]
    const beside = isStripped ? '' : (published[attribute] ?? '')
    console.log(
      `| ${attribute} | ${right + missed} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} | ${beside} |`,
    )
  }
}

main()
