// Pages of hosts that have several in the corpus, with the values that people or the page itself gave for them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** What is known of a page: for each field the values any of which is right. */
export type Gold = Readonly<Record<string, readonly string[]>>

export interface HostPage {
  readonly host: string
  readonly url: string
  readonly gold: Gold
  readonly html: () => string
}

interface Row {
  readonly id: string
  readonly url: string
  readonly dataset?: string
  readonly gold?: Readonly<Record<string, unknown>>
}

const sets = ['wcxb', 'news', 'articles', 'pieces', 'products'] as const
/** Several answers to one of these are several values, not one written in several ways. */
const numbers = new Set(['price', 'rating', 'reviews', 'calories'])

/** The pages of all hosts with at least two. */
export function readHosts(folder: string): ReadonlyMap<string, readonly HostPage[]> {
  const silver = new Map(
    rowsOf(join(folder, 'products', 'silver-dev.jsonl.gz')).map((row) => [`${row.dataset}/${row.id}`, row.gold]),
  )
  const hosts = new Map<string, HostPage[]>()
  for (const set of sets) {
    const packed = set === 'products' ? 'gz' : 'br'
    for (const { id, url, gold = {} } of rowsOf(join(folder, set, `pages.jsonl.${packed}`))) {
      if (!URL.canParse(url)) continue
      const host = new URL(url).hostname.replace(/^www\./, '')
      const page = {
        host,
        url,
        gold: goldOf(gold, silver.get(`${set}/${id}`) ?? {}),
        html: () => unpack(join(folder, set, 'html', `${id}.html.${packed}`)),
      }
      hosts.set(host, [...(hosts.get(host) ?? []), page])
    }
  }
  return new Map([...hosts].filter(([, pages]) => pages.length > 1))
}

/** An answer that begins with a comma is the rest of one that was cut. */
const isWhole = (value: string): boolean => /^\s*[^\s,;]/.test(value)

function goldOf(people: Readonly<Record<string, unknown>>, marked: Readonly<Record<string, unknown>>): Gold {
  const gold: Record<string, string[]> = {}
  for (const [field, given] of [...Object.entries(marked), ...Object.entries(people)]) {
    if (/^(?:text|with|without|InStock|availability|currency|steps|ingredients)$/.test(field) || given == null) continue
    const values = (Array.isArray(given) ? given : [given]).map(String).filter(isWhole)
    if (values.length > 0) gold[field] ??= values.map((value) => (field === 'date' ? value.slice(0, 10) : value))
  }
  return gold
}

/** How a field is asked of the model, and what it then gives. */
export function answerOf(field: string, value: string): string | number {
  return numbers.has(field) ? Number(value.replaceAll(/[^\d.]/g, '')) : value
}

function rowsOf(file: string): readonly Row[] {
  if (!existsSync(file)) throw new Error(`No ${file}. Give the corpus folder: node test/bench/data/learned.ts <corpus>`)
  const lines = unpack(file).split('\n').filter(Boolean)
  // Cast: the files are of the corpus.
  return lines.map((line) => JSON.parse(line) as Row)
}

function unpack(file: string): string {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : brotliDecompressSync(bytes)).toString()
}
