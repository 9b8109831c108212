import { createEngine } from '@harvestman/core'
import type { Fetcher } from '@harvestman/ports'
import { afterAll, expect, test } from 'vitest'

import { data } from '../plugin.ts'

const card = (n: number): string =>
  `<li class="card"><a class="name" href="/tea/${n}">Tea ${n}</a> <span class="price">€ ${n}.50</span></li>`
const page = (said: string, count: number): string =>
  `<title>Tea</title><main><p>${said}</p><ul>${Array.from({ length: count }, (_, n) => card(n + 1)).join('')}</ul></main>`

let html = ''
const fetcher = (): Fetcher => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']],
    body: new TextEncoder().encode(html),
  }),
  close: async () => undefined,
})
const engine = createEngine({ fetcher, plugins: [data()] })
afterAll(() => engine.close())

async function readItems(said: string, count: number, limit?: number) {
  html = page(said, count)
  const formats = [{ type: 'items', ...(limit !== undefined && { limit }) }] as const
  return (await engine.scrape({ url: 'https://shop.test/tea', maxAge: 0, formats })).items
}

test('the list of a page is rows with typed columns', async () => {
  expect(await readItems('3 products', 3)).toEqual({
    columns: [
      { name: 'link', kind: 'link' },
      { name: 'name', kind: 'text' },
      { name: 'price', kind: 'price' },
    ],
    rows: [1, 2, 3].map((n) => ({
      link: `https://shop.test/tea/${n}`,
      name: `Tea ${n}`,
      price: { amount: n + 0.5, currency: 'EUR' },
    })),
    total: 3,
    complete: true,
    reason: '3 of the 3 items that the page says there are.',
    json: null,
    pages: 1,
    next: null,
  })
})

test.each([
  [
    'the page says more',
    '1–5 of 240',
    5,
    undefined,
    { total: 240, complete: false, reason: /5 items, and the page says 240/ },
  ],
  ['the page does not say', 'Our teas', 5, undefined, { total: null, complete: null, reason: /does not say/ }],
  ['a limit ends them', '5 products', 5, 2, { total: 5, complete: false, reason: /first 2 of 5/ }],
])('a list says whether it is whole: %s', async (_, said, count, limit, { reason, ...told }) => {
  expect(await readItems(said, count, limit)).toMatchObject({ ...told, reason: expect.stringMatching(reason) })
})

test('its rows become those of a dataset', async () => {
  html = page('3 products', 3)
  await engine.datasets.create({ name: 'teas', key: ['link'] })
  const document = await engine.scrape({ url: 'https://shop.test/tea', maxAge: 0, formats: ['items'] })
  expect(await engine.datasets.collectDocuments('teas', [document], { from: 'items' })).toMatchObject({ added: 3 })
})
