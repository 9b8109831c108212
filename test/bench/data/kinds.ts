// node test/bench/data/kinds.ts <corpus> [--wrong] [--every 4]
// Fills author and date of articles whose markup is taken away, and compares with what people read there (wcxb, news), and
// with what the pages' own markup says where the page shows it too (silver-dev). Precision is of the filled, coverage is
// how many of the asked were filled at all, F1 is of both.
//
// The datasets took most of their authors and days from the markup; "shown" is of the pages whose text has the value too. The
// rules were made on the misses of half of the hosts; the other half was counted only.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData, fillSchema } from '@harvestman/html'

import { readDay } from '../../../packages/html/src/data/dates.ts'
import { findSpots, type Spot } from '../../../packages/html/src/data/seen/spots.ts'
import { openPage } from '../../../packages/html/src/page/page.ts'
import type { Element } from '../../../packages/html/src/tree/tree.ts'
import { nextNode } from '../../../packages/html/src/tree/walk.ts'
import { readHtml, readPages, type DataSet, type Page } from '../quality/corpus.ts'
import { withoutMarkup } from './drift.ts'

const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: { author: text, date: { type: 'string', format: 'date' }, price: { type: 'number' }, sku: text },
}
const fields = ['author', 'date', 'price', 'sku'] as const
type Field = (typeof fields)[number]

interface Entry {
  readonly page: Page
  readonly kind: string
  readonly gold: Readonly<Partial<Record<Field, readonly string[]>>>
}

interface Tally {
  asked: number
  filled: number
  right: number
}

const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

function isRight(field: Field, found: unknown, wanted: readonly string[]): boolean {
  if (field === 'date') return wanted.some((one) => one.slice(0, 10) === found)
  if (field === 'price') return wanted.some((one) => Number(one) === found)
  return wanted.some((one) => plain(one) === plain(found))
}

/** Several authors count as one text, and each of them alone. */
function people(author: string | null | undefined): readonly string[] {
  return author ? [author, ...author.split(/,| and | & |;/).map((one) => one.trim())].filter(Boolean) : []
}

function readByPeople(pages: ReadonlyMap<DataSet, readonly Page[]>): readonly Entry[] {
  return (['wcxb', 'news'] as const).flatMap((set) =>
    pages.get(set)!.map((page): Entry => {
      const { author, date } = page.gold as { author?: string | null; date?: string | null }
      return { page, kind: `people: ${set}`, gold: { author: people(author), date: date ? [date] : [] } }
    }),
  )
}

function readSilver(folder: string, pages: ReadonlyMap<DataSet, readonly Page[]>): readonly Entry[] {
  const file = join(folder, 'products', 'silver-dev.jsonl.gz')
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  return lines.flatMap((line) => {
    const { dataset, id, type, gold } = JSON.parse(line) as {
      readonly dataset: DataSet
      readonly id: string
      readonly type: string
      readonly gold: Entry['gold']
    }
    const page = pages.get(dataset)?.find((one) => one.id === id)
    return page ? [{ page, kind: `markup: ${type}`, gold }] : []
  })
}

function count(tallies: Map<string, Tally>, key: string, found: unknown, right: boolean): void {
  const tally = tallies.get(key) ?? { asked: 0, filled: 0, right: 0 }
  tallies.set(key, tally)
  tally.asked += 1
  if (found !== undefined) tally.filled += 1
  if (right) tally.right += 1
}

/** All pages of a host are in one half. */
function wasLookedAt(url: string): boolean {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? url
  return createHash('md5').update(host).digest()[0]! % 2 === 0
}

function spotsOf(html: string, url: string): readonly Spot[] {
  const { root } = openPage({ html, url }, { onlyMainContent: false, includeTags: [], excludeTags: [] })
  const elements: Element[] = []
  for (let node = nextNode(root, root); node; node = nextNode(node, root))
    if (node.type === 'element') elements.push(node)
  return findSpots(elements)
}

/** Whether a short text has one of the values, or is of that day in one order of its digits. */
function shows({ words, element }: Spot, field: Field, wanted: readonly string[]): boolean {
  if (field !== 'date') return words.length < 90 && wanted.some((one) => plain(words).includes(plain(one)))
  const texts = [element.attributes['datetime'] ?? '', words]
  const days = new Set(texts.flatMap((text) => [readDay(text, 'dmy'), readDay(text, 'mdy')]))
  return wanted.some((one) => days.has(one.slice(0, 10)))
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { wrong: { type: 'boolean', default: false }, every: { type: 'string', default: '1' } },
  })
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/data/kinds.ts <corpus>')
  const pages = new Map((['wcxb', 'news', 'articles', 'pieces'] as const).map((set) => [set, readPages(folder, set)]))
  const tallies = new Map<string, Tally>()
  const entries = [...readByPeople(pages), ...readSilver(folder, pages)]
  for (const { page, kind, gold } of entries.filter((_, index) => index % Number(values.every) === 0)) {
    if (fields.every((field) => !gold[field]?.length)) continue
    const html = withoutMarkup(readHtml(folder, page))
    const filled = (fillSchema(schema, extractData(html, { url: page.url })).value ?? {}) as Partial<
      Record<Field, unknown>
    >
    const spots = kind.startsWith('people') ? spotsOf(html, page.url) : []
    for (const field of fields) {
      const wanted = gold[field] ?? []
      if (wanted.length === 0) continue
      const found = filled[field]
      const isShown = spots.some((spot) => shows(spot, field, wanted))
      const half = wasLookedAt(page.url) ? 'hosts looked at' : 'other hosts'
      const keys = isShown ? [`${kind} | ${field}`, `${kind}, shown, ${half} | ${field}`] : [`${kind} | ${field}`]
      for (const key of keys) count(tallies, key, found, found !== undefined && isRight(field, found, wanted))
      if (values.wrong && (found === undefined || !isRight(field, found, wanted)))
        console.log(`${kind} | ${field} ${page.url}: ${String(found)} is none of ${wanted.join(' / ')}`)
    }
  }
  print(tallies)
}

function print(tallies: ReadonlyMap<string, Tally>): void {
  console.log('| gold | field | asked | F1 | precision | coverage |\n| --- | --- | --- | --- | --- | --- |')
  for (const [key, { asked, filled, right }] of tallies) {
    const figures = [(2 * right) / (asked + filled), right / filled, filled / asked]
    console.log(`| ${key} | ${asked} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} |`)
  }
}

main()
