import { createEngine } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { data } from '../plugin.ts'

let price = 1
const fetcher = (): Fetcher => ({
  exchange: async ({ url }) => {
    const first = Number(url.searchParams.get('page') ?? 1) * 3
    const items = [0, 1, 2].map(
      (n) =>
        `<li class="card"><a class="name" href="/tea/${first + n}">Tea ${first + n}</a> <b class="price">€ ${price},50</b></li>`,
    )
    const status = url.pathname === '/gone' ? 404 : 200
    const product = '{"@type":"Product","name":"Teapot","offers":{"price":"9.50","priceCurrency":"EUR"}}'
    if (url.pathname === '/product') items.push(`<script type="application/ld+json">${product}</script>`)
    const body = new TextEncoder().encode(`<title>Tea</title><main><ul>${items.join('')}</ul></main>`)
    return { status, headers: [['content-type', 'text/html']], body }
  },
  close: async () => undefined,
})
const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
const engine = createEngine({ fetcher, resolver, plugins: [data()] })
beforeAll(() => engine.datasets.create({ name: 'teas', key: ['link'] }))
afterAll(() => engine.close())

const url = 'https://shop.test/tea'
const into = { type: 'dataset', name: 'teas' } as const

test('the rows of a page go into a dataset, and its document says what became of them', async () => {
  const load = async () => (await engine.scrape({ url, maxAge: 0, formats: ['items', into] })).dataset
  expect(await load()).toEqual({ name: 'teas', added: 3, changed: 0, same: 0 })
  expect(await load()).toEqual({ name: 'teas', added: 0, changed: 0, same: 3 })
  price = 2
  expect(await load()).toEqual({ name: 'teas', added: 0, changed: 3, same: 0 })
  const { data: rows } = await engine.datasets.rows('teas')
  expect(rows[0]).toMatchObject({ source: url, history: [{ values: { price: { amount: 1.5 } } }] })
})

test('a batch puts the rows of all of its pages into one, each once', async () => {
  await engine.datasets.create({ name: 'batch', key: ['link'] })
  const formats = ['items', { ...into, name: 'batch' }] as const
  const batch = await engine.batch({ urls: [url, `${url}?page=2`, `${url}?page=1`], maxAge: 0, formats: [...formats] })
  const added: number[] = []
  for await (const { dataset } of batch.documents()) added.push(dataset.added)
  expect(added).toHaveLength(3)
  expect(added.reduce((sum, one) => sum + one, 0)).toBe(6)
  expect(await engine.datasets.get('batch')).toMatchObject({ rows: 6 })
})

test('a page without a product adds no row and a warning, and the other pages of its job add theirs', async () => {
  await engine.datasets.create({ name: 'products', key: ['url'] })
  const formats = ['product', { ...into, name: 'products', from: 'product' }] as const
  const batch = await engine.batch({ urls: [url, 'https://shop.test/product'], maxAge: 0, formats: [...formats] })
  const found = new Map<number | undefined, string | undefined>()
  for await (const { dataset, warning } of batch.documents()) found.set(dataset?.added, warning)
  expect(await batch.status()).toMatchObject({ completed: 2, failed: 0 })
  expect(new Set(found.keys())).toEqual(new Set([0, 1]))
  expect(found.get(0)).toContain('The dataset "products" got no row from this page')
  expect(found.get(1)).not.toContain('dataset')
})

test('a page of an error leaves no rows', async () => {
  const { dataset } = await engine.scrape({ url: 'https://shop.test/gone', formats: ['items', into] })
  expect(dataset).toMatchObject({ added: 0, same: 0 })
})

test('a key that may not call the endpoints of datasets adds no rows by the format either', async () => {
  const formats = ['items', into] as const
  const held = { scopes: { groups: ['scrape', 'batch', 'crawl'] } }
  const refused = { code: 'scope_missing', message: expect.stringContaining('the group datasets') }
  await expect(engine.scrape({ url, formats: [...formats] }, held)).rejects.toMatchObject(refused)
  await expect(engine.batch({ urls: [url], formats: [...formats] }, held)).rejects.toMatchObject(refused)
  await expect(engine.crawl({ url, scrapeOptions: { formats: [...formats] } }, held)).rejects.toMatchObject(refused)
  expect(await engine.scrape({ url, formats: ['items'] }, held)).toHaveProperty('items')
  const wide = { scopes: { groups: ['scrape', 'datasets'] } }
  expect(await engine.scrape({ url, formats: [...formats] }, wide)).toHaveProperty('dataset')
})

test('a value of another format is a row of its own', async () => {
  await engine.datasets.create({ name: 'pages' })
  const formats = ['metadata', { type: 'dataset', name: 'pages', from: 'metadata' }] as const
  await engine.scrape({ url, maxAge: 0, formats: [...formats] })
  expect((await engine.datasets.rows('pages')).data).toMatchObject([{ values: { title: 'Tea' } }])
})

test.each([
  ['no such dataset', { formats: ['items', { ...into, name: 'none' }] }, /There is no dataset named "none"/],
  ['no such format', { formats: ['markdown', into] }, /from: items is not among the formats/],
  ['itself', { formats: ['items', { ...into, from: 'dataset' }] }, /names this format itself/],
  ['nothing to be kept', { formats: ['items', into], zeroDataRetention: true }, /Remove zeroDataRetention/],
  ['the name alone', { formats: ['items', 'dataset'] }, /name/],
])('a request is refused that asks for %s', async (_, request, message) => {
  await expect(engine.unchecked.scrape({ url, maxAge: 0, ...request })).rejects.toThrow(message)
})
