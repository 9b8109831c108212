import { createEngine } from '@harvestman/core'
import { defineLoader, definePlugin } from '@harvestman/core/plugin'
import type { Fetcher, HiddenMarks } from '@harvestman/ports'
import { afterAll, describe, expect, test } from 'vitest'

import { data } from '../plugin.ts'

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
const url = 'https://site.test/thing'

type KindName = 'product' | 'article' | 'recipe' | 'job' | 'event' | 'organization'

async function read(type: KindName, page: string, evidence = false) {
  html = page
  const document = await engine.scrape({ url, maxAge: 0, formats: [{ type, evidence }] })
  return { ...document, value: document[type] }
}

const ld = (thing: object): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...thing })}</script>`

describe('A product', () => {
  test('is read from its markup, in the shape of the public API', async () => {
    const offers = {
      '@type': 'Offer',
      price: '49.99',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
    }
    const page = `<h1>Chair</h1>${ld({ '@type': 'Product', name: 'Chair', sku: 'C-1', brand: { name: 'Sit' }, offers })}<p>$49.99</p>`
    expect((await read('product', page)).value).toEqual({
      title: 'Chair',
      brand: 'Sit',
      url,
      variants: [
        { sku: 'C-1', price: { amount: 49.99, currency: 'USD' }, availability: { inStock: true, text: 'InStock' } },
      ],
    })
  })

  test('is read from what people see, with evidence where it is asked for', async () => {
    const page =
      '<title>Lamp</title><h1>Lamp</h1><p class="price">24,90 €</p><p>Product code: LA-77</p><button disabled>Sold out</button>'
    const { value } = await read('product', page, true)
    expect(value).toMatchObject({
      title: 'Lamp',
      variants: [{ sku: 'LA-77', price: { amount: 24.9, currency: 'EUR' }, availability: { inStock: false } }],
      evidence: { '/price': { quote: '24,90 €', method: 'seen', confidence: expect.any(Number) } },
    })
  })

  test('has a variant for each that can be bought', async () => {
    const variantOf = (size: string, price: number) => ({
      '@type': 'Product',
      name: `Shirt ${size}`,
      sku: `S-${size}`,
      offers: { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'OutOfStock' },
    })
    const hasVariant = [variantOf('M', 20), variantOf('L', 22)]
    const page = `<h1>Shirt</h1>${ld({ '@type': 'ProductGroup', name: 'Shirt', hasVariant })}<p>€ 20</p><p>€ 22</p>`
    expect((await read('product', page)).value).toMatchObject({
      variants: [
        { sku: 'S-M', title: 'Shirt M', price: { amount: 20 }, availability: { inStock: false } },
        { sku: 'S-L', title: 'Shirt L', price: { amount: 22 } },
      ],
    })
  })

  test('that is not there is said in the warning, and nothing is made up', async () => {
    const document = await read('product', '<h1>On chairs</h1><p>A chair cost about $20 in 1950.</p>')
    expect(document.value).toBeUndefined()
    expect(document.warning).toContain('No product found')
  })
})

test.each<[KindName, string, object]>([
  [
    'article',
    '<title>On lamps</title><h1>On lamps</h1><p class="byline">By Ada Lovelace</p><time datetime="2024-05-03T10:00:00+02:00">May 3</time><p>Lamps.</p>',
    { headline: 'On lamps', author: 'Ada Lovelace', datePublished: '2024-05-03' },
  ],
  [
    'recipe',
    `<h1>Bread</h1>${ld({ '@type': 'Recipe', name: 'Bread', recipeIngredient: ['Flour', 'Salt, fine'], recipeInstructions: ['Mix.', 'Bake.'], prepTime: 'PT10M' })}`,
    {
      name: 'Bread',
      recipeIngredient: ['Flour', 'Salt, fine'],
      recipeInstructions: ['Mix.', 'Bake.'],
      prepTime: 'PT10M',
    },
  ],
  [
    'job',
    `<h1>Baker</h1>${ld({ '@type': 'JobPosting', title: 'Baker', hiringOrganization: { name: 'Oven' }, employmentType: 'FULL_TIME', datePosted: '2024-05-03' })}`,
    { title: 'Baker', hiringOrganization: 'Oven', employmentType: 'FULL_TIME' },
  ],
  [
    'event',
    `<h1>Fair</h1>${ld({ '@type': 'Event', name: 'Fair', startDate: '2024-05-03T10:00:00Z', location: { '@type': 'Place', name: 'Hall' } })}`,
    { name: 'Fair', startDate: '2024-05-03T10:00:00Z', location: 'Hall' },
  ],
])('%s: the page says what it is, and a page that is none gives nothing', async (type, page, value) => {
  expect((await read(type, page)).value).toMatchObject({ url, ...value })
  const none = await read(type, '<h1>Hello</h1><p>Words.</p>')
  expect(none.value).toBeUndefined()
  expect(none.warning).toContain('found on this page')
})

test('What the browser does not show is no price of a product', async () => {
  const page = `<title>Lamp</title><h1>Lamp</h1>${ld({ '@type': 'Product', name: 'Lamp' })}<div id="old"><b class="price">$30.00</b></div>`
  const priceIn = async (hidden?: HiddenMarks): Promise<unknown> => {
    const loader = defineLoader({
      name: 'drawn',
      cost: 0,
      load: async () => ({
        ...{ url, status: 200, captured: {}, actions: {}, proxyUsed: 'basic' as const, warnings: [], ranScripts: true },
        ...{ headers: { 'content-type': 'text/html; charset=utf-8' }, body: new TextEncoder().encode(page), hidden },
      }),
    })
    const plugins = [data(), definePlugin({ name: 'drawn', loaders: [loader] })]
    await using own = createEngine({ plugins })
    const { product } = await own.scrape({ url, formats: ['product'] })
    return product?.variants[0]?.price?.amount
  }
  expect(await priceIn()).toBe(30)
  expect(await priceIn([[page.indexOf('>', page.indexOf('id=')) + 1, 'display']])).toBeUndefined()
})

describe('An organization', () => {
  test('is read from its markup, and needs a way to reach it', async () => {
    const acme = {
      '@type': 'Organization',
      name: 'Acme Inc.',
      email: 'post@acme.test',
      sameAs: ['https://x.test/acme'],
    }
    const { value } = await read('organization', `<title>Acme</title>${ld(acme)}<p>We make things.</p>`)
    expect(value).toEqual({ name: 'Acme Inc.', url, email: 'post@acme.test', sameAs: ['https://x.test/acme'] })
    const { value: none } = await read('organization', `<title>Acme</title>${ld({ ...acme, email: undefined })}`)
    expect(none).toBeUndefined()
  })
})
