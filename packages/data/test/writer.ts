// Writes rows until it is killed or done: node writer.ts <store> <rows> [rows of a call]
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

import { data } from '../src/index.ts'

const [, , store = '', count = '', many = '5000'] = process.argv
const engine = createEngine({ store: sqliteStore(store), plugins: [data()] })
const portion = Number(many)
const known = await engine.datasets.list()
if (known.length === 0) await engine.datasets.create({ name: 'products', key: ['url'] })
// It begins where the last one may have ended: rows that are there already stay as they are.
const { rows: done } = await engine.datasets.get('products')
for (let begin = Math.max(0, done - portion); begin < Number(count); begin += portion) {
  const rows = Array.from({ length: Math.min(portion, Number(count) - begin) }, (_, index) => rowOf(begin + index))
  await engine.datasets.put('products', { rows })
  process.stdout.write(`${begin + rows.length}\n`)
}
await engine.close()

function rowOf(n: number) {
  const url = `https://shop-${n % 97}.example/product/${n}`
  const values = { url, name: `Product number ${n}`, price: (n % 10_000) / 100, stock: n % 3 !== 0, rank: n }
  return { values, source: `https://shop-${n % 97}.example/`, evidence: { price: { selector: '.price' } } }
}
