import { describe, expect, test } from 'vitest'

import { readItems } from './items.ts'

const url = 'https://shop.example/tea'
const teas = Array.from({ length: 8 }, (_, n) => ({
  id: 100 + n,
  slug: `tea-${n}`,
  title: `Tea ${n}`,
  cents: 450 + n,
  stock: n > 2,
  maker: { name: `Maker ${n % 3}` },
}))
const card = ({ slug, title, cents }: (typeof teas)[number]): string =>
  `<li class="card"><a class="name" href="/tea/${slug}">${title}</a> <span class="price">€ ${(cents / 100).toFixed(2)}</span></li>`
const page = (shown: typeof teas, script: string): string =>
  `<title>Tea</title><main><ul>${shown.map(card).join('')}</ul></main>${script}`
const next = (list: unknown): string =>
  `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(list)}</script>`
const state = (list: unknown, beside: object = {}): string =>
  next({ props: { pageProps: { products: list, ...beside } } })

describe('The JSON of a page', () => {
  test('adds its fields to the rows that it agrees with, and says where they stand', () => {
    const { rows, columns, json } = readItems(page(teas.slice(0, 4), state(teas.slice(0, 4))), url)
    expect(json).toEqual({ script: '[id="__NEXT_DATA__"]', pointer: '/props/pageProps/products' })
    expect(columns.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
      'link: link',
      'name: text',
      'price: price',
      'id: number',
      'stock: boolean',
      'maker.name: text',
    ])
    expect(rows[3]).toEqual({
      link: 'https://shop.example/tea/tea-3',
      name: 'Tea 3',
      price: { amount: 4.53, currency: 'EUR' },
      id: 103,
      stock: true,
      'maker.name': 'Maker 0',
    })
  })

  test('has items that the page does not show, with the values that follow from those that it shows', () => {
    const { rows } = readItems(page(teas.slice(2, 5), state(teas)), url)
    expect(rows).toHaveLength(8)
    expect(rows[7]).toMatchObject({ link: 'https://shop.example/tea/tea-7', price: { amount: 4.57, currency: 'EUR' } })
  })

  test('adds no items where the page shows a choice of them', () => {
    const choice = teas.filter(({ id }) => id % 2 === 0)
    const { rows } = readItems(page(choice, state(teas)), url)
    expect(rows).toHaveLength(4)
    expect(rows[1]).toMatchObject({ name: 'Tea 2', id: 102 })
  })

  test('says how many items there are where the page does not', () => {
    expect(readItems(page(teas, state(teas, { totalCount: 1240, page: 1, pages: 155 })), url).total).toBe(1240)
  })

  test('is an ItemList of schema.org as well, and what a script assigns', () => {
    const itemListElement = teas.map(({ title, id }, n) => ({
      '@type': 'ListItem',
      position: n + 1,
      item: { name: title, sku: `T${id}` },
    }))
    const graph = `<script type="application/ld+json">${JSON.stringify({ '@type': 'ItemList', itemListElement })}</script>`
    expect(readItems(page(teas, graph), url).rows[0]).toMatchObject({ position: 1, 'item.sku': 'T100' })
    const assigned = `<script>window.__INITIAL_STATE__ = ${JSON.stringify({ teas })};</script>`
    expect(readItems(page(teas, assigned), url).rows[0]).toMatchObject({ 'maker.name': 'Maker 0' })
  })

  test.each([
    ['it is about other things', state(teas.map((tea) => ({ ...tea, title: `Coffee ${tea.id}`, slug: 'x' })))],
    ['it has a few of the items alone', state(teas.slice(0, 3))],
    ['it cannot be read', '<script type="application/json">{"products": [</script>'],
  ])('is left alone when %s', (_, script) => {
    const { rows, json } = readItems(page(teas, script), url)
    expect(json).toBeUndefined()
    expect(Object.keys(rows[0] ?? {})).toEqual(['link', 'name', 'price'])
  })
})
