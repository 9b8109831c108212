// node test/bench/data/products.ts <corpus> [--wrong]
// Fills price, sku, availability and brand of saved product pages from what they say for programs, and scores them as the set
// does: one value is predicted, or none. Once as they are, once with all that they say for programs taken away; beside
// earlier figures for two services and a library, which are not measured here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData, fillSchema } from '@harvestman/html'

import { withoutMarkup } from './drift.ts'

const attributes = ['price', 'sku', 'availability', 'brand'] as const
type Attribute = (typeof attributes)[number]

interface Entry {
  readonly id: string
  readonly url: string
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
  readonly folder: string
  readonly isStripped: boolean
  readonly tell: boolean
}

function score(entries: readonly Entry[], { folder, isStripped, tell }: Judging): ReadonlyMap<Attribute, Score> {
  const scores = new Map(attributes.map((attribute) => [attribute, { right: 0, wrong: 0, missed: 0 }]))
  for (const { id, url, gold } of entries) {
    const html = gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString()
    const { value, evidence } = fillSchema(schema, extractData(isStripped ? withoutMarkup(html) : html, { url }))
    const filled = (value ?? {}) as Readonly<Record<string, string | number>>
    for (const [attribute, sums] of scores) {
      const found = filled[attribute]
      const wanted = gold[attribute] ?? []
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
    options: { wrong: { type: 'boolean', default: false } },
  })
  if (!positionals[0]) throw new Error('Give the corpus folder: node test/bench/data/products.ts <corpus>')
  const folder = join(positionals[0], 'products')
  const lines = gunzipSync(readFileSync(join(folder, 'pages.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
  const entries = lines.map((line) => JSON.parse(line) as Entry)
  for (const isStripped of [false, true]) {
    console.log(`\n${lines.length} pages${isStripped ? ' without their markup' : ''}\n`)
    print(score(entries, { folder, isStripped, tell: values.wrong }), isStripped)
  }
}

/** F1 of other tools on these pages, measured earlier; this program does not run them. */
const published: Readonly<Partial<Record<Attribute, string>>> = {
  price: '.651 / .855 / .917',
  sku: '.500 / .703 / .866',
}

function print(scores: ReadonlyMap<Attribute, Score>, isStripped: boolean): void {
  console.log('| attribute | F1 | precision | recall | extruct / Diffbot / Zyte |\n| --- | --- | --- | --- | --- |')
  for (const [attribute, { right, wrong, missed }] of scores) {
    const figures = [right / (right + (wrong + missed) / 2), right / (right + wrong), right / (right + missed)]
    const beside = isStripped ? '' : (published[attribute] ?? '')
    console.log(`| ${attribute} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} | ${beside} |`)
  }
}

main()
