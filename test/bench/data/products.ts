// node test/bench/data/products.ts <corpus> [--wrong]
// Fills price, sku, availability and brand of saved product pages from what they say for programs, and scores them as the set
// does: one value is predicted, or none.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'

import { extractData, fillSchema } from '@harvestman/html'

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
const schema = { type: 'object', properties: { name: text, price: text, sku: text, availability: text, brand: text } }

function isEqual(attribute: Attribute, found: string, wanted: string): boolean {
  if (attribute === 'price') return Number(found.replaceAll(/[^\d.]/g, '')) === Number(wanted)
  return found.trim() === wanted
}

function score(entries: readonly Entry[], folder: string, tellWrong: boolean): ReadonlyMap<Attribute, Score> {
  const scores = new Map(attributes.map((attribute) => [attribute, { right: 0, wrong: 0, missed: 0 }]))
  for (const { id, url, gold } of entries) {
    const html = gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`))).toString()
    const { value } = fillSchema(schema, extractData(html, { url }))
    const filled = (value ?? {}) as Readonly<Record<string, string>>
    for (const [attribute, sums] of scores) {
      const found = filled[attribute]
      const wanted = gold[attribute] ?? []
      const isRight = found !== undefined && wanted.some((one) => isEqual(attribute, found, one))
      if (isRight) sums.right += 1
      else {
        if (found !== undefined) sums.wrong += 1
        if (wanted.length > 0) sums.missed += 1
        if (found !== undefined && tellWrong)
          console.log(`${attribute} ${url}: ${found} is none of ${wanted.join(', ')}`)
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
  const scores = score(
    lines.map((line) => JSON.parse(line) as Entry),
    folder,
    values.wrong,
  )
  console.log(`${lines.length} pages\n\n| attribute | F1 | precision | recall |\n| --- | --- | --- | --- |`)
  for (const [attribute, { right, wrong, missed }] of scores) {
    const figures = [right / (right + (wrong + missed) / 2), right / (right + wrong), right / (right + missed)]
    console.log(`| ${attribute} | ${figures.map((figure) => figure.toFixed(3)).join(' | ')} |`)
  }
}

main()
