// node test/bench/data/run.ts <corpus> [--wrong]
// Fills a schema of each kind of page from what the page says for programs, and compares with what people read there
// (gold.json). Fields that the page marks are those whose value stands somewhere in the data that were collected.
//
// The pages of gold.json were looked at while the rules were made. The second table is of articles on sites none of which
// stands there, with title, author and date as the datasets have them: no rule for marked-up values was changed
// for these. Misses of a sample of them were looked at while the rules for seen authors and days were made.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

import { extractData } from '@harvestman/data/pages'
import { fillSchema, type PageData } from '@harvestman/html'

import { readHtml, readPages, siteOf, type DataSet, type Page } from '../quality/corpus.ts'

type Value = string | number | boolean
type Wanted = Value | null | readonly Value[] | readonly Readonly<Record<string, Value>>[]
type Entry = readonly [set: DataSet, id: string, kind: string, fields: Readonly<Record<string, Wanted>>]

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const date = { type: 'string', format: 'date' }
const schemas: Readonly<Record<string, object>> = {
  product: {
    name: text,
    price: number,
    currency: text,
    brand: text,
    sku: text,
    isbn: text,
    inStock: { type: 'boolean' },
    rating: number,
    reviewCount: integer,
  },
  article: { title: text, author: text, publishedDate: date },
  forum: { title: text, author: text, publishedDate: date, replyCount: integer, posts: listOf({ author: text, text }) },
  listing: { title: text, items: listOf({ name: text, price: number }) },
}

function listOf(properties: object): object {
  return { type: 'array', items: { type: 'object', properties } }
}

interface Tally {
  pages: number
  fields: number
  right: number
  wrong: number
  marked: number
  markedRight: number
  markedWrong: number
}

const plain = (value: unknown): string =>
  String(value)
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')

/** Ratings are shown with fewer digits than they are kept. */
function isRight(found: unknown, wanted: Value | readonly Value[]): boolean {
  if (Array.isArray(wanted)) return wanted.some((one: Value) => isRight(found, one))
  if (typeof wanted !== 'number' || typeof found !== 'number') return plain(found) === plain(wanted)
  const digits = String(wanted).split('.')[1]?.length ?? 0
  return Math.abs(found - wanted) <= 0.5 * 10 ** -digits * (digits > 0 ? 1 : 0) || found === wanted
}

/** Everything that was collected, as one text of plain words for each value. */
function collected({ items, meta, labelled, tables }: PageData): ReadonlySet<string> {
  const leaves = items.flatMap(({ properties }) => Object.values(properties).flat())
  const values = [
    ...leaves.flatMap((leaf) => ('value' in leaf ? [leaf.value] : [])),
    ...[...meta, ...labelled].map(({ value }) => value),
  ]
  const numbers = values.map(Number).filter((value) => !Number.isNaN(value))
  const days = values.map((value) => /^\d{4}-\d\d-\d\d/.exec(String(value))?.[0] ?? '')
  const all = [...values, ...numbers, ...days, ...tables.flatMap(({ rows }) => rows.flat())]
  return new Set(all.map(plain))
}

const availability = /instock|outofstock|discontinued|soldout/

function isMarked(wanted: Value | readonly Value[], data: ReadonlySet<string>): boolean {
  if (typeof wanted === 'boolean') return [...data].some((value) => availability.test(value))
  return (Array.isArray(wanted) ? wanted : [wanted]).some((one: Value) => data.has(plain(one)))
}

function main(): void {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: { wrong: { type: 'boolean', default: false } },
  })
  const folder = positionals[0]
  if (!folder) throw new Error('Give the corpus folder: node test/bench/data/run.ts <corpus>')
  const gold = JSON.parse(readFileSync(new URL('gold.json', import.meta.url), 'utf8')) as {
    readonly pages: readonly Entry[]
  }
  const pages = new Map(sets.map((set) => [set, readPages(folder, set)]))
  console.log('Looked at while the rules were made, by hand:\n')
  print(tally(gold.pages, pages, folder, flags.wrong))
  console.log('\nOther sites, by the datasets:\n')
  print(tally(unseen(gold.pages, pages), pages, folder, flags.wrong))
}

const sets = ['wcxb', 'articles', 'news', 'pieces'] as const satisfies readonly DataSet[]

type Pages = ReadonlyMap<DataSet, readonly Page[]>

/** What the datasets say of articles on sites of which gold.json has no page. What they do not say is not asked. */
function unseen(seen: readonly Entry[], pages: Pages): readonly Entry[] {
  const urls = new Map([...pages].flatMap(([set, all]) => all.map(({ id, url }) => [`${set}/${id}`, url] as const)))
  const known = new Set(seen.map(([set, id]) => siteOf(urls.get(`${set}/${id}`) ?? '')))
  const articles = [...(pages.get('wcxb') ?? []), ...(pages.get('news') ?? [])].filter(
    ({ type, url }) => (type === 'article' || type === 'news') && !known.has(siteOf(url)),
  )
  return articles.map(({ set, id, gold }): Entry => {
    const { title, author, date } = gold as { title?: string | null; author?: string | null; date?: string | null }
    const authors = author ? [author, ...author.split(/,| and | & |;/).map((one) => one.trim())].filter(Boolean) : []
    return [
      set,
      id,
      'article',
      {
        ...(title && { title }),
        ...(authors.length > 0 && { author: authors }),
        ...(date && { publishedDate: date.slice(0, 10) }),
      },
    ]
  })
}

function tally(
  entries: readonly Entry[],
  pages: Pages,
  folder: string,
  tellWrong: boolean,
): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, Tally>()
  for (const [set, id, kind, fields] of entries) {
    const page = pages.get(set)?.find((one) => one.id === id)
    if (!page) throw new Error(`The corpus has no page ${set}/${id}.`)
    const tally = tallies.get(kind) ?? {
      pages: 0,
      fields: 0,
      right: 0,
      wrong: 0,
      marked: 0,
      markedRight: 0,
      markedWrong: 0,
    }
    tallies.set(kind, tally)
    tally.pages += 1
    const data = extractData(readHtml(folder, page), { url: page.url })
    const { value } = fillSchema({ type: 'object', properties: schemas[kind]! }, data)
    const all = collected(data)
    const judge = (name: string, found: unknown, wanted: Value | null | readonly Value[]): void => {
      const isFilled = found !== undefined
      const right = isFilled && wanted !== null && isRight(found, wanted)
      if (tellWrong && isFilled && !right)
        console.log(`${kind} ${set}/${id} ${name}: ${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`)
      if (isFilled) tally[right ? 'right' : 'wrong'] += 1
      if (wanted === null) return
      tally.fields += 1
      if (!isMarked(wanted, all)) return
      tally.marked += 1
      if (isFilled) tally[right ? 'markedRight' : 'markedWrong'] += 1
    }
    const filled = (value ?? {}) as Readonly<Record<string, unknown>>
    for (const [name, wanted] of Object.entries(fields)) {
      if (!isList(wanted)) judge(name, filled[name], wanted)
      else {
        const list = (filled[name] ?? []) as readonly Readonly<Record<string, unknown>>[]
        wanted.forEach((one, index) => {
          for (const [field, value] of Object.entries(one))
            judge(`${name}/${index}/${field}`, list[index]?.[field], value)
        })
      }
    }
  }
  return tallies
}

function isList(wanted: Wanted): wanted is readonly Readonly<Record<string, Value>>[] {
  return Array.isArray(wanted) && typeof wanted[0] === 'object'
}

function print(tallies: ReadonlyMap<string, Tally>): void {
  const percent = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
  console.log('| | pages | fields | filled | right of what is filled | fields that the page marks | filled of those |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  const sum: Tally = { pages: 0, fields: 0, right: 0, wrong: 0, marked: 0, markedRight: 0, markedWrong: 0 }
  const line = (name: string, { pages, fields, right, wrong, marked, markedRight, markedWrong }: Tally): void =>
    console.log(
      `| ${name} | ${pages} | ${fields} | ${percent(right + wrong, fields)} | ${percent(right, right + wrong)} | ${marked} | ${percent(markedRight + markedWrong, marked)} |`,
    )
  for (const [name, tally] of tallies) {
    line(name, tally)
    for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += tally[key]
  }
  line('all', sum)
}

main()
