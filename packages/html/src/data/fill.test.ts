import { describe, expect, test } from 'vitest'
import { extractData } from '../extract.ts'
import { fillSchema } from './fill.ts'

const url = 'https://shop.test/p/1'
const ld = (...json: unknown[]): string =>
  json.map((one) => `<script type="application/ld+json">${JSON.stringify(one)}</script>`).join('')
const object = (properties: object): object => ({ type: 'object', properties })
const text = { type: 'string' }
const number = { type: 'number' }
const fill = (schema: unknown, html: string) => fillSchema(schema, extractData(html, { url }))

const chair = {
  '@type': 'Product',
  name: 'Chair',
  brand: { '@type': 'Brand', name: 'Sit &amp; Co' },
  sku: 'C-1',
  offers: { '@type': 'Offer', price: '1299.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  aggregateRating: { ratingValue: '4.5', reviewCount: 12 },
}

describe('a product', () => {
  const schema = object({
    productName: text,
    price: number,
    currency: text,
    brand: text,
    in_stock: { type: 'boolean' },
    availability: { type: 'string', enum: ['in_stock', 'out_of_stock'] },
    rating: number,
    reviewCount: { type: 'integer' },
    weight: text,
  })

  test('is filled from JSON-LD, with the place of each value', () => {
    const { value, evidence, missing } = fill(schema, ld(chair))
    expect(value).toEqual({
      productName: 'Chair',
      price: 1299,
      currency: 'EUR',
      brand: 'Sit & Co',
      in_stock: true,
      availability: 'in_stock',
      rating: 4.5,
      reviewCount: 12,
    })
    expect(missing).toEqual(['/weight'])
    expect(evidence['/price']).toEqual({
      quote: '1299.00',
      method: 'json-ld',
      selector: 'html > head > script',
      pointer: '/offers/price',
      position: 2,
    })
  })

  test('what the page labels fills the rest', () => {
    const { value, evidence } = fill(schema, `${ld(chair)}<dl><dt>Weight<dd>3 kg</dl>`)
    expect(value).toMatchObject({ weight: '3 kg' })
    expect(evidence['/weight']).toMatchObject({ method: 'definition-list', quote: '3 kg' })
  })

  test('fields may be grouped', () => {
    const grouped = object({
      details: object({ price: number }),
      brand: object({ name: text }),
      offer: object({ currency: text }),
    })
    expect(fill(grouped, ld(chair)).value).toEqual({
      details: { price: 1299 },
      brand: { name: 'Sit & Co' },
      offer: { currency: 'EUR' },
    })
  })
})

describe('what is not certain stays empty', () => {
  test.each<[string, object, string]>([
    ['offers of two prices', { price: number }, ld({ ...chair, offers: [{ price: 1 }, { price: 2 }] })],
    [
      'microdata that says another price',
      { price: number },
      `${ld(chair)}<div itemscope itemtype=s/Product><b itemprop=name>Chair</b><meta itemprop=price content=9></div>`,
    ],
    [
      'two products of which the page is about neither',
      { price: number },
      ld(chair, { ...chair, name: 'Table', offers: { price: 7 } }),
    ],
    ['a number that is none', { rating: number }, ld({ ...chair, aggregateRating: { ratingValue: 'good' } })],
    ['a value that is not allowed', { availability: { enum: ['sold', 'gone'] } }, ld(chair)],
    [
      'a pre-order, asked for as yes or no',
      { inStock: { type: 'boolean' } },
      ld({ ...chair, offers: { availability: 'PreOrder' } }),
    ],
    [
      'a day that can be read in two ways',
      { date: { type: 'string', format: 'date' } },
      '<meta name=date content="03/04/2024">',
    ],
    ['labels that disagree', { weight: text }, '<dl><dt>Weight<dd>3 kg<dt>Weight<dd>4 kg</dl>'],
    ['a number out of its bounds', { rating: { type: 'number', maximum: 4 } }, ld(chair)],
    ['a name that means nothing here', { chairness: text }, ld(chair)],
  ])('%s', (_, properties, html) => {
    const { value, missing } = fill(object(properties), html)
    expect(value).toBeUndefined()
    expect(missing).toEqual([`/${Object.keys(properties)[0]}`])
  })
})

test('of several products the one that the page is named after counts', () => {
  const html = `<h1>Table</h1>${ld(chair, { ...chair, name: 'Table', offers: { price: 7 } })}`
  expect(fill(object({ price: number }), html).value).toEqual({ price: 7 })
})

test('what is left is filled from the state of the page, but a price only if the page shows it', () => {
  const state = (price: number): string =>
    `<h1>Chair</h1><p>$12.99</p><script type="application/json">{"a":[{"title":"Chair","productCode":"C-1","price":${price},"legs":4}]}</script>`
  const schema = object({ sku: text, price: number, legs: { type: 'integer' } })
  expect(fill(schema, state(12.99)).value).toEqual({ sku: 'C-1', price: 12.99, legs: 4 })
  expect(fill(schema, state(1299)).value).toEqual({ sku: 'C-1', legs: 4 })
  expect(fill(schema, state(1299)).evidence['/legs']).toMatchObject({
    method: 'state',
    pointer: '/a/0/legs',
    quote: '4',
  })
})

test('a price that the page does not show among others is not believed', () => {
  const shown = (html: string): unknown => fill(object({ price: number }), `${ld(chair)}${html}`).value
  expect(shown('<p><b>1.299,00 €</b></p>')).toEqual({ price: 1299 })
  expect(shown('<p><sup>$</sup>1,299<sup>.00</sup></p>')).toEqual({ price: 1299 })
  expect(shown('<p>$1,429.90</p>')).toBeUndefined()
})

test('a marked price with blanks around it is shown', () => {
  const blanks = `\n${' '.repeat(80)}`
  const html = `${ld(chair)}<p><b>$7</b></p><p>${blanks}€ 1.299,00${blanks}</p>`
  expect(fill(object({ price: number }), html).value).toEqual({ price: 1299 })
})

test.each<[string, object, unknown]>([
  ['a range of one value', { lowPrice: '20', highPrice: 20.0 }, { price: 20 }],
  ['a range of two values', { lowPrice: 20, highPrice: 30 }, undefined],
  ['variants of one price', { offers: [{ price: 20 }, { price: '20.00' }] }, { price: 20 }],
  ['one price that is said twice', { price: '20 € 20 €' }, { price: 20 }],
])('%s is a price or none', (_, offers, value) => {
  expect(fill(object({ price: number }), ld({ ...chair, offers })).value).toEqual(value)
})

test.each<[string, readonly string[], unknown]>([
  ['one of several variants is', ['OutOfStock', 'https://schema.org/InStock'], { in_stock: true, stock: 'InStock' }],
  ['every variant is gone', ['OutOfStock', 'out of stock'], { in_stock: false, stock: 'OutOfStock' }],
  ['the page says it in words', ['in stock'], { in_stock: true, stock: 'InStock' }],
])('a product is in stock or not when %s', (_, states, value) => {
  const offers = states.map((availability) => ({ availability }))
  const schema = object({ in_stock: { type: 'boolean' }, stock: text })
  expect(fill(schema, ld({ ...chair, offers })).value).toEqual(value)
})

test('names of the vocabulary are read in any case', () => {
  const product = { '@type': 'product', NAME: 'Chair', Offers: { '@type': 'offer', PRICE: 5, pricecurrency: 'EUR' } }
  const trail = { '@type': 'breadcrumblist', ItemListElement: [{ '@type': 'listitem', name: 'Home' }] }
  const schema = object({ price: number, currency: text, breadcrumbs: { type: 'array', items: text } })
  const value = { price: 5, currency: 'EUR', breadcrumbs: ['Home'] }
  expect(fill(schema, ld(product, trail)).value).toEqual(value)
  const microdata =
    '<div itemscope itemtype="http://schema.org/PRODUCT"><b itemprop=Name>Chair</b><i itemprop=PRICE>5</i></div>'
  expect(fill(object({ price: number }), microdata).value).toEqual({ price: 5 })
})

test('sentences of a list are not torn apart at their commas, keywords are', () => {
  const list = { type: 'array', items: text }
  const schema = object({ ingredients: list, instructions: list, keywords: list })
  const recipe = {
    '@type': 'Recipe',
    name: 'Bread',
    recipeIngredient: ['500 g flour, sifted', '1 tsp salt; more to taste'],
    recipeInstructions: 'Mix flour, sugar and salt.\n\nBake, then cool.',
    keywords: 'bread, yeast; oven',
  }
  const value = {
    ingredients: ['500 g flour, sifted', '1 tsp salt; more to taste'],
    instructions: ['Mix flour, sugar and salt.', 'Bake, then cool.'],
    keywords: ['bread', 'yeast', 'oven'],
  }
  expect(fill(schema, ld(recipe)).value).toEqual(value)
  const marked = {
    ...recipe,
    recipeInstructions: '<ol><li>Mix flour, sugar and salt.</li><li>Bake, then cool.</li></ol>',
  }
  expect(fill(schema, ld(marked)).value).toEqual(value)
  const microdata = `<div itemscope itemtype=s/Recipe><b itemprop=name>Bread</b>
    <p itemprop=recipeIngredient>500 g flour, sifted<p itemprop=recipeIngredient>1 tsp salt; more to taste</div>`
  expect(fill(object({ ingredients: list }), microdata).value).toEqual({ ingredients: value.ingredients })
})

test.each([
  ['the heading that people see', '<title>Buy T | Shop</title><h1>The T</h1>', { name: 'T, best price' }, 'The T'],
  ['the one heading that is repeated', '<title>T</title><h1>Sale</h1><h1>T</h1>', { name: 'T' }, 'T'],
  ['no heading that is the name of the site', '<title>T</title><h1>Shop.test</h1>', { name: 'T' }, 'T'],
  ['no heading that speaks of something else', '<title>T</title><h1>Sale today</h1>', { name: 'T' }, 'T'],
  ['the head without the name of the site', '<title>T - Shop</title>', {}, 'T'],
])('the title is %s', (_, head, product, title) => {
  expect(fill(object({ title: text }), head + ld({ '@type': 'Product', sku: '1', ...product })).value).toEqual({
    title,
  })
})

test.each(['The Shop', 'jane-doe99'])('an article signed by %s has no certain author', (name) => {
  const html = `<meta property=og:site_name content="The Shop">${ld({ '@type': 'Article', headline: 'H', author: { name } })}`
  expect(fill(object({ author: text }), html).value).toBeUndefined()
})

test('an article is filled from a graph and from the head', () => {
  const html = `<title>Rain | The Site</title><meta property=og:site_name content="The Site"><meta property=og:title content=Rain>
    <meta property="article:modified_time" content="2024-05-07T10:00:00Z"><meta name=keywords content="wet, cold">
    ${ld({ '@graph': [{ '@type': 'NewsArticle', headline: 'Rain', datePublished: '2024-05-06', author: [{ name: 'Ann' }, { name: 'Bob' }] }] })}`
  const schema = object({
    title: text,
    author: text,
    authors: { type: 'array', items: text },
    publishedAt: { type: 'string', format: 'date' },
    modified: { type: 'string', format: 'date' },
    tags: { type: 'array', items: text },
    siteName: text,
  })
  expect(fill(schema, html).value).toEqual({
    title: 'Rain',
    author: 'Ann, Bob',
    authors: ['Ann', 'Bob'],
    publishedAt: '2024-05-06',
    modified: '2024-05-07',
    tags: ['wet', 'cold'],
    siteName: 'The Site',
  })
})

test('a thread is filled with its posts', () => {
  const posting = {
    '@type': 'DiscussionForumPosting',
    headline: 'Help',
    text: 'How?',
    author: { '@type': 'Person', name: 'ann' },
    interactionStatistic: { interactionType: 'https://schema.org/CommentAction', userInteractionCount: 2 },
    comment: [
      { '@type': 'Comment', text: 'So.', author: { name: 'bob' } },
      { '@type': 'Comment', text: 'Or so.', author: { name: 'eve' } },
    ],
  }
  const members = { type: 'array', items: object({ author: text, text }) }
  const { value } = fill(
    object({ title: text, replyCount: { type: 'integer' }, posts: members, replies: members }),
    ld(posting),
  )
  const [bob, eve] = [
    { author: 'bob', text: 'So.' },
    { author: 'eve', text: 'Or so.' },
  ]
  expect(value).toEqual({
    title: 'Help',
    replyCount: 2,
    posts: [{ author: 'ann', text: 'How?' }, bob, eve],
    replies: [bob, eve],
  })
})

test('a listing is filled from its list, and the items of other lists are not mixed in', () => {
  const entry = (name: string) => ({
    '@type': 'ListItem',
    item: { '@type': 'Product', name, url: `https://shop.test/${name}` },
  })
  const list = { '@type': 'ItemList', itemListElement: [entry('a'), entry('b')] }
  const crumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', name: 'Home' },
      { '@type': 'ListItem', name: 'Shop' },
    ],
  }
  const schema = object({
    products: { type: 'array', items: object({ name: text, url: { type: 'string', format: 'uri' } }) },
    breadcrumbs: { type: 'array', items: text },
  })
  const { value, evidence } = fill(schema, ld(list, crumbs))
  expect(value).toEqual({
    products: [
      { name: 'a', url: 'https://shop.test/a' },
      { name: 'b', url: 'https://shop.test/b' },
    ],
    breadcrumbs: ['Home', 'Shop'],
  })
  expect(evidence['/products/1/name']).toMatchObject({ quote: 'b', pointer: '/itemListElement/1/item/name' })
  const second = { '@type': 'ItemList', itemListElement: [entry('c'), entry('d')] }
  expect(fill(schema, ld(list, crumbs, second)).missing).toEqual(['/products'])
})

test('rows of the one table that has the columns fill a list', () => {
  const schema = object({ results: { type: 'array', items: object({ name: text, points: { type: 'integer' } }) } })
  const html = '<table><tr><th>Name<th>Points<th>Town<tr><td>Ann<td>1,200<td>Rome<tr><td>Bob<td>3<td>Bonn</table>'
  expect(fill(schema, html).value).toEqual({
    results: [
      { name: 'Ann', points: 1200 },
      { name: 'Bob', points: 3 },
    ],
  })
})

test('questions and answers are filled from a FAQ', () => {
  const question = (name: string, answer: string) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })
  const schema = object({ faqs: { type: 'array', items: object({ question: text, answer: text }) } })
  const html = ld({ '@type': 'FAQPage', mainEntity: [question('Why?', '<p>So.</p>'), question('How?', 'Thus.')] })
  expect(fill(schema, html).value).toEqual({
    faqs: [
      { question: 'Why?', answer: 'So.' },
      { question: 'How?', answer: 'Thus.' },
    ],
  })
})

test('a schema may refer to its parts, and leave values open to null', () => {
  const schema = {
    $defs: { price: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
    ...object({ price: { $ref: '#/$defs/price' }, sku: { type: ['string', 'null'] } }),
  }
  expect(fill(schema, ld(chair)).value).toEqual({ price: 1299, sku: 'C-1' })
})

test.each([
  [undefined],
  [null],
  [true],
  [{}],
  [{ type: 'object' }],
  [{ $ref: '#' }],
  [{ $ref: '#/x' }],
  [{ anyOf: [{}, {}] }],
])('the schema %j fills nothing and breaks nothing', (schema) => {
  expect(fill(schema, ld(chair)).value).toBeUndefined()
})

test('names of fields are data', () => {
  const schema = object({ constructor: text, toString: text, 'a/b~c': text })
  expect(fill(schema, '<dl><dt>A b c<dd>x</dl>')).toMatchObject({
    value: { 'a/b~c': 'x' },
    missing: ['/constructor', '/toString'],
  })
  expect(
    fill(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'), ld(chair)).value,
  ).toBeUndefined()
})
