// node test/bench/data/kinds.ts <corpus> [--wrong] [--every 4]
// Fills author and date of articles whose markup is taken away, and compares with what people read there (wcxb, news), and
// with what the pages' own markup says where the page shows it too (silver-dev). Precision is of the filled, coverage is
// how many of the asked were filled at all, F1 is of both.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData, fillSchema } from '@harvestman/html'

import { readHtml, readPages, type DataSet, type Page } from '../quality/corpus.ts'
import { withoutMarkup } from './without-markup.ts'

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
    for (const field of fields) {
      const wanted = gold[field] ?? []
      if (wanted.length === 0) continue
      const key = `${kind} | ${field}`
      const tally = tallies.get(key) ?? { asked: 0, filled: 0, right: 0 }
      tallies.set(key, tally)
      const found = filled[field]
      tally.asked += 1
      if (found !== undefined) tally.filled += 1
      if (found !== undefined && isRight(field, found, wanted)) tally.right += 1
      else if (values.wrong) console.log(`${key} ${page.url}: ${String(found)} is none of ${wanted.join(' / ')}`)
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
