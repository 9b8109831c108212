// node test/bench/data/products.ts <corpus> [--wrong] [--held-out]
// Fills price, sku, availability and brand of saved product pages from what they say for programs, and scores them as the set
// does: one value is predicted, or none. Once as they are, once with all that they say for programs taken away; beside
// earlier figures for two services and a library, which are not measured here. With --held-out it reads pages of other hosts
// instead: what their own markup says is the answer, and it is then taken away.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData, fillSchema } from '@harvestman/html'

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

function score(
  entries: readonly Entry[],
  { isOpen = false, isStripped, tell }: Judging,
): ReadonlyMap<Attribute, Score> {
  const scores = new Map(attributes.map((attribute) => [attribute, { right: 0, wrong: 0, missed: 0 }]))
  for (const { url, html, gold } of entries) {
    const { value, evidence } = fillSchema(schema, extractData(isStripped ? withoutMarkup(html) : html, { url }))
    const filled = (value ?? {}) as Readonly<Record<string, string | number>>
    for (const [attribute, sums] of scores) {
      const found = filled[attribute]
      const wanted = gold[attribute] ?? []
      if (isOpen && wanted.length === 0) continue
      const isRight = found !== undefined && wanted.some((one) => isEqual(attribute, found, one))
      if (isRight) sums.right += 1
      else {
        if (found !== undefined) sums.wrong += 1
        if (wanted.length > 0) sums.missed += 1
        if (tell && (found !== undefined || wanted.length > 0)) {
          const { method = '', quote = '' } = evidence[`/${attribute}`] ?? {}
          console.log(`${attribute} ${url}: ${found} (${method} ${quote}) is none of ${wanted.join(', ')}`)
        }
      }
    }
  }
  return scores
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { wrong: { type: 'boolean', default: false }, 'held-out': { type: 'boolean', default: false } },
  })
  if (!positionals[0]) throw new Error('Give the corpus folder: node test/bench/data/products.ts <corpus>')
  const entries = readSet(join(positionals[0], 'products'))
  const tell = values.wrong
  if (values['held-out']) {
    const others = markedProducts(positionals[0], new Set(entries.map(({ url }) => siteOf(url))))
    const sites = new Set(others.map(({ url }) => siteOf(url))).size
    console.log(`\n${others.length} pages of ${sites} other sites without their markup, which is the answer\n`)
    print(score(others, { isOpen: true, isStripped: true, tell }), true)
    return
  }
  for (const isStripped of [false, true]) {
    console.log(`\n${entries.length} pages${isStripped ? ' without their markup' : ''}\n`)
    print(score(entries, { isStripped, tell }), isStripped)
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
