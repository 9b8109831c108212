import { describe, expect, test } from 'vitest'

import { fillSchema } from '@harvestman/html'
import { codesInUrl } from './codes.ts'
import { extractData } from './products.ts'

const text = { type: 'string' }
const schema = { type: 'object', properties: { price: { type: 'number' }, sku: text, availability: text } }
const fill = (html: string, url = 'https://shop.test/lamp') => fillSchema(schema, extractData(html, { url }))
const page = (body: string): string =>
  `<title>Red lamp</title><header>Free delivery from €50</header><h1>Red lamp</h1>${body}`

describe('a price without markup', () => {
  test.each([
    ['a sign before it', '<div class="product-price">€ 1.299,00</div>', 1299],
    ['a sign behind it', '<span class="preis">12,50 €</span>', 12.5],
    ['its cents in a part of their own', '<p class="price">€12<sup>99</sup></p>', 12.99],
    ['said twice, for eyes and for readers of screens', '<span class="price"><i>109 €</i> <i>109 €</i></span>', 109],
    ['beside an old price', '<div class="price"><del>$40.00</del> <span class="price-now">$29.00</span></div>', 29],
    ['beside a price whose class says that it was', '<b class="price-was">$40</b><b class="price-now">$29</b>', 29],
    [
      'above those of other products',
      `<p class="price">$29</p><div class="related-products">${[5, 7, 9].map((n) => `<div class="price">$${n}</div>`).join('')}</div>`,
      29,
    ],
    ['above what delivery costs', '<p class="price">£29</p><dl class="delivery"><dd class="price">£3.50</dd></dl>', 29],
  ])('with %s is found, with its words as evidence', (_, body, price) => {
    const { value, evidence } = fill(page(body))
    expect(value).toMatchObject({ price })
    expect(evidence['/price']).toMatchObject({ method: 'seen', quote: expect.stringMatching(/\d/) })
  })

  test.each([
    [
      'a list of products',
      [5, 7, 9, 11].map((n) => `<li class="card"><a href="/${n}"><b class="price">$${n}</b></a></li>`).join(''),
    ],
    ['an article that speaks of money', '<p>The lamp cost about $20 in 1950, and $300 today.</p>'],
    ['a saving', '<p class="saving">Save $20</p>'],
  ])('is not made up from %s', (_, body) => {
    expect(fill(page(body)).value ?? {}).not.toHaveProperty('price')
  })

  test('that is clear beats another one in the markup', () => {
    const data = { '@type': 'Product', name: 'Red lamp', offers: { price: 150 } }
    const html = `<script type="application/ld+json">${JSON.stringify(data)}</script><form class="add-to-cart"><p class="current-price">$200</p></form><p>$150</p>`
    expect(fill(page(html)).value).toMatchObject({ price: 200 })
  })
})

describe('a code without markup', () => {
  test.each([
    [
      'one of the address that the page repeats',
      'https://shop.test/red-lamp-4812345.html',
      '<input name="id" value="4812345">',
      '4812345',
    ],
    ['the same with its digits apart', 'https://shop.test/p/lamp-00293772/', '<p>Article 002.937.72</p>', '002.937.72'],
    ['one behind a label', 'https://shop.test/lamp', '<p>Product code: LA-4411</p>', 'LA-4411'],
    ['one behind a label in another language', 'https://shop.test/lampe', '<p>Best.-Nr. 77-1234</p>', '77-1234'],
    [
      'one in an element that is named so',
      'https://shop.test/lamp',
      '<span class="product-reference">1002/710</span>',
      '1002/710',
    ],
  ])('is %s', (_, url, body, sku) => {
    expect(fill(page(body), url).value).toMatchObject({ sku })
  })

  test('that people read beats one for programs alone', () => {
    const data = { '@type': 'Product', name: 'Red lamp', sku: '99887766' }
    const script = `<script type="application/ld+json">${JSON.stringify(data)}</script>`
    expect(fill(page(`${script}<p>Product code: 4411-2</p>`)).value).toMatchObject({ sku: '4411-2' })
    expect(fill(page(`${script}<p>SKUs vary.</p>`)).value).toMatchObject({ sku: '99887766' })
  })

  test('is not a number of the address that the page does not repeat', () => {
    expect(fill(page('<p>Nothing</p>'), 'https://shop.test/2024/lamp-1409').value ?? {}).not.toHaveProperty('sku')
    expect(codesInUrl('https://shop.test/a%2Fb-12?color=123456&id=A1234567')).toEqual(['A1234567', '1234567'])
  })
})

describe('the stock without markup', () => {
  test.each([
    ['a button that buys', '<button>Add to basket</button>', 'InStock'],
    ['the same in another language', '<button class="btn">In den Warenkorb</button>', 'InStock'],
    ['words that say so', '<p class="stock">Auf Lager.</p>', 'InStock'],
    [
      'words that say that it is gone',
      '<p class="stock">Sold out</p><button disabled>Add to basket</button>',
      'OutOfStock',
    ],
    ['the same in another language', '<p>Actuellement indisponible</p>', 'OutOfStock'],
  ])('is known by %s', (_, body, availability) => {
    expect(fill(page(body)).value).toMatchObject({ availability })
  })

  test.each([
    ['a size that is gone', '<ul class="sizes"><li>M</li><li>Sold out</li></ul>'],
    ['a sentence about something else', '<p>We were sold out of candles at the fair in spring, sadly.</p>'],
    ['a button of another product', '<div class="recommendations"><button>Add to basket</button></div>'],
    ['what is hidden', '<div style="display:none"><p>Sold out</p></div>'],
  ])('is not known by %s', (_, body) => {
    expect(fill(page(body)).value ?? {}).not.toHaveProperty('availability')
  })

  test('is left open when the markup says otherwise', () => {
    const data = { '@type': 'Product', name: 'Red lamp', offers: { availability: 'https://schema.org/OutOfStock' } }
    const script = `<script type="application/ld+json">${JSON.stringify(data)}</script>`
    expect(fill(page(`${script}<button>Add to basket</button>`)).value ?? {}).not.toHaveProperty('availability')
  })
})
