import { expect, test } from 'vitest'

import { fillSchema } from '@harvestman/html'

import { extractData } from './products.ts'

const text = { type: 'string' }
const schema = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    currency: text,
    sku: text,
    availability: text,
    author: text,
    date: { type: 'string', format: 'date' },
  },
}

function read(body: string, { url = 'https://shop.example/lamp', lang = 'en' } = {}) {
  const html = `<html lang="${lang}"><head><title>Lamp</title></head><body>${body}</body></html>`
  return fillSchema(schema, extractData(html, { url }))
}

test('a price that is shown near the heading is filled, and its evidence says that it was only seen', () => {
  const { value, evidence } = read('<h1>Lamp</h1><div class="product-price"><span class="price">24,90 €</span></div>')
  expect(value).toEqual({ price: 24.9, currency: 'EUR' })
  expect(evidence['/price']).toMatchObject({ quote: '24,90 €', method: 'seen' })
  expect(evidence['/price']?.confidence).toBeGreaterThan(0.5)
})

test.each([
  ['is struck', '<h1>Lamp</h1><del class="price">$30.00</del>'],
  ['is of a related product', '<h1>Lamp</h1><div class="related"><span class="price">$30.00</span></div>'],
  ['is hidden', '<h1>Lamp</h1><div style="display:none"><span class="price">$30.00</span></div>'],
  ['is what delivery begins at', '<h1>Lamp</h1><p class="price">free from $30.00</p>'],
  ['stands beside another as likely', '<h1>Lamp</h1><b class="price">$30.00</b><b class="price">$40.00</b>'],
])('a price that %s is not filled', (_, body) => {
  expect(read(body).value).toBeUndefined()
})

test('the lower price beside the struck one is the price', () => {
  const { value } = read('<h1>Lamp</h1><p><s class="price old">$40.00</s> <b class="price">$30.00</b></p>')
  expect(value).toEqual({ price: 30 })
})

test('a price whose cents are a part of their own is read whole', () => {
  const { value } = read('<h1>Lamp</h1><div class="price"><span>$</span><span>12</span><sup>99</sup></div>')
  expect(value).toEqual({ price: 12.99 })
})

test('a labelled code is the sku', () => {
  expect(read('<h1>Lamp</h1><p>Item no. AB-1207</p>').value).toEqual({ sku: 'AB-1207' })
})

test('a number that the address and the page share is the sku, as the page writes it', () => {
  const url = 'https://shop.example/p/lamp-20248118/'
  expect(read('<h1>Lamp</h1><div data-id="20248118"></div>', { url }).value).toEqual({ sku: '20248118' })
  expect(read('<h1>Lamp</h1><span>202.481.18</span>', { url }).value).toEqual({ sku: '202.481.18' })
  expect(read('<h1>Lamp</h1>', { url }).value).toBeUndefined()
})

test('a button that puts the thing into a cart says that it is in stock, unless it is disabled', () => {
  expect(read('<h1>Lamp</h1><button>Add to cart</button>').value).toEqual({ availability: 'InStock' })
  expect(read('<h1>Lampe</h1><button>In den Warenkorb</button>', { lang: 'de' }).value).toEqual({
    availability: 'InStock',
  })
  expect(read('<h1>Lamp</h1><button disabled>Add to cart</button>').value).toBeUndefined()
})

test('what is sold out is out of stock, and what the page says both ways stays empty', () => {
  expect(read('<h1>Lamp</h1><button disabled>Sold out</button>').value).toEqual({ availability: 'OutOfStock' })
  expect(read('<h1>Lamp</h1><p>Sold out</p><button>Add to cart</button>').value).toBeUndefined()
})

test('the price of one of several is not that of the thing', () => {
  expect(read('<h1>Lamp</h1><p class="price">$30 per month</p>').value).toBeUndefined()
})

test('a price that the page shows is read, and not the one of its state', () => {
  const state = (price: number): string =>
    `<h1>Lamp</h1><p>$12.99</p><script type="application/json">{"a":[{"title":"Lamp","productCode":"L-1","price":${price}}]}</script>`
  expect(read(state(12.99)).value).toEqual({ sku: 'L-1', price: 12.99 })
  expect(read(state(1299)).value).toEqual({ sku: 'L-1', price: 12.99 })
})
