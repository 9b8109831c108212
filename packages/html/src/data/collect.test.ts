import { describe, expect, test } from 'vitest'
import { extractData } from '../extract.ts'
import { parseHtml } from '../parse/parse.ts'
import { compileSelector, selectAll, type Selector } from '../select/select.ts'
import { elementsOf } from '../tree/walk.ts'
import type { DataItem, PageData } from './types.ts'

const url = 'https://shop.test/p/1'
const read = (html: string): PageData => extractData(html, { url })
const ld = (json: unknown): string => `<script type="application/ld+json">${JSON.stringify(json)}</script>`

/** The item as a record of what it holds, to compare by eye. */
function show(data: PageData, item: DataItem, depth = 0): unknown {
  const entries = Object.entries(item.properties).map(([name, values]) => {
    const shown = values.map((value) =>
      'value' in value ? value.value : depth < 5 ? show(data, data.items[value.item]!, depth + 1) : '…',
    )
    return [name, shown.length === 1 ? shown[0] : shown]
  })
  return { types: item.types.join(' '), ...Object.fromEntries(entries) }
}

const tops = (data: PageData): unknown[] => data.items.filter(({ isTop }) => isTop).map((item) => show(data, item))

describe('JSON-LD', () => {
  test('is read with its graph, its links by @id and its lists', () => {
    const data = read(
      ld({
        '@context': 'https://schema.org',
        '@graph': [
          { '@type': 'Article', '@id': '#a', headline: 'H', author: { '@id': '#p' }, keywords: ['x', 'y'] },
          { '@type': ['Person', 'schema:Author'], '@id': '#p', 'schema:name': { '@value': 'Ann' } },
        ],
      }),
    )
    expect(tops(data)).toEqual([
      { types: 'Article', headline: 'H', keywords: ['x', 'y'], author: { types: 'Person Author', name: 'Ann' } },
    ])
  })

  test('links reach into other scripts, and circles end', () => {
    const data = read(
      ld({ '@type': 'WebPage', '@id': '#w', mainEntity: { '@id': '#a' } }) +
        ld({ '@type': 'Article', '@id': '#a', mainEntityOfPage: { '@id': '#w' }, headline: 'H' }),
    )
    expect(data.items).toHaveLength(2)
    expect(data.items[1]!.properties['mainEntityOfPage']).toEqual([{ item: 0 }])
  })

  test('a link that leads nowhere is the address', () => {
    expect(tops(read(ld({ '@type': 'A', image: { '@id': 'https://x.test/i' } })))).toEqual([
      { types: 'A', image: 'https://x.test/i' },
    ])
  })

  test.each([
    ['a comment around it', '<!-- {"@type":"A","name":"n"} -->'],
    ['CDATA around it', '//<![CDATA[\n{"@type":"A","name":"n"}\n//]]>'],
    ['a comma too many', '{"@type":"A","name":"n",}'],
    ['a semicolon after it', '{"@type":"A","name":"n"};'],
    ['a line break in a text', '{"@type":"A","name":"n\n"}'],
  ])('is read with %s', (_, script) => {
    expect(tops(read(`<script type="application/ld+json">${script}</script>`))).toEqual([{ types: 'A', name: 'n' }])
  })

  test('what is no JSON is passed over', () => {
    expect(read('<script type="application/ld+json">{"@type": oops}</script>').items).toEqual([])
  })

  test('each value says where it stands', () => {
    const data = read(`<p>1</p>${ld({ '@type': 'Product', offers: [{ '@type': 'Offer', price: 5 }] })}`)
    const [leaf] = data.items[1]!.properties['price']!
    expect(leaf).toMatchObject({ value: 5, pointer: '/offers/0/price' })
    expect(data.sources[(leaf as { source: number }).source]).toMatchObject({
      method: 'json-ld',
      selector: 'html > body > script',
    })
  })
})

describe('microdata and RDFa', () => {
  const product = {
    types: 'Product',
    name: 'Chair',
    image: 'https://shop.test/c.png',
    offers: { types: 'Offer', price: '12.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  }

  test('microdata is read with its nesting and the values of its elements', () => {
    const data = read(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>Chair</h1>
      <img itemprop=image src=/c.png><div itemprop=offers itemscope itemtype=http://schema.org/Offer>
      <span itemprop=price content=12.50>12,50 €</span><meta itemprop=priceCurrency content=EUR>
      <link itemprop=availability href=https://schema.org/InStock></div></div>`)
    expect(tops(data)).toEqual([product])
  })

  test('RDFa says the same', () => {
    const data = read(`<div vocab="https://schema.org/" typeof="schema:Product"><h1 property="schema:name">Chair</h1>
      <img property=image src=/c.png><div property=offers typeof=Offer>
      <span property=price content=12.50>12,50 €</span><meta property=priceCurrency content=EUR>
      <link property=availability href=https://schema.org/InStock></div></div>`)
    expect(tops(data)).toEqual([product])
  })
})

describe('labels', () => {
  test.each([
    ['<dl><dt>Colour:</dt><dd>red</dd></dl>', 'definition-list'],
    ['<dl><div><dt>Colour</dt><dd>red</dd></div></dl>', 'definition-list'],
    ['<table><tr><th>Colour</th><td>red</td></tr></table>', 'table'],
    ['<table><tr><td>Colour</td><td>red</td></tr><tr><td>Size</td><td>L</td></tr></table>', 'table'],
    ['<li><b>Colour:</b> red</li>', 'label'],
    ['<li><strong>Colour</strong>: red</li>', 'label'],
    ['<li>Colour: red</li>', 'label'],
    ['<p><span class="spec-label">Colour</span><span class="spec-value">red</span></p>', 'label'],
  ])('%s', (html, method) => {
    const data = read(html)
    expect(data.labelled.find(({ label }) => label === 'Colour')).toMatchObject({ value: 'red' })
    expect(data.sources[data.labelled[0]!.source]!.method).toBe(method)
  })

  test.each(['<p>Read this: it is good. And more.</p>', '<p>He said. Then: a thing</p>', '<p>at 10:30 we met</p>'])(
    'a sentence is no label: %s',
    (html) => {
      expect(read(html).labelled.filter(({ label }) => label !== 'Read this')).toEqual([])
    },
  )

  test('a table with a head is kept as rows', () => {
    const html =
      '<table><caption>T</caption><tr><th>Name<th>Age<th>Town<tr><td>Ann<td>3<td>Rome<tr><td colspan=3>x</table>'
    expect(read(html).tables).toMatchObject([
      { caption: 'T', columns: ['Name', 'Age', 'Town'], rows: [['Ann', '3', 'Rome']] },
    ])
  })
})

test('objects with the name of the page are read from JSON scripts and from what scripts assign', () => {
  const data = read(
    '<h1>Chair</h1><script id=__NEXT_DATA__ type="application/json">{"props":{"p":{"title":"Chair","sku":7}}}</script>' +
      '<script>window.__INITIAL_STATE__ = [{"name":"chair","note":"}\\"{","brand":{"name":"B"}}, {"name":"Table"}];\nother()</script>' +
      '<script>var x = {name: "Chair"}</script>',
  )
  expect(data.state.map((item) => show(data, item))).toEqual([
    { types: '', title: 'Chair', sku: 7 },
    { types: '', name: 'chair', note: '}"{', brand: 'B' },
  ])
  expect(data.state[0]!.properties['sku']).toMatchObject([{ pointer: '/props/p/sku' }])
})

test('the head speaks by the names of its meta elements', () => {
  const data = read(
    '<html lang=de><title>T | Site</title><meta property="og:title" content=T><link rel=canonical href=/c><h1> H </h1>',
  )
  expect(data.meta.map(({ label, value }) => [label, value])).toEqual([
    ['language', 'de'],
    ['title', 'T | Site'],
    ['og:title', 'T'],
    ['canonical', 'https://shop.test/c'],
    ['h1', 'H'],
  ])
})

test('the selector of every source finds its element, and no other', () => {
  const html = `<div id=a><p><b>A:</b> 1</p><p><b>B:</b> 2</p></div><div id=a><section id="9"><li>Cc: 3</li><li>Dd: 4</li></section></div>
    ${ld({ '@type': 'X', name: 'n' })}<table><tr><th>E<td>5<tr><th>F<td>6</table>`
  const { root } = parseHtml(html)
  const { sources } = read(html)
  expect(sources.length).toBeGreaterThan(6)
  for (const { selector, position } of sources) {
    expect(selectAll(compileSelector(selector) as Selector, root)).toEqual([elementsOf(root)[position]])
  }
})

describe('a hostile page', () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
  test.each([
    ['deep JSON-LD', `<script type="application/ld+json">{"@type":"A","x":${deep}}</script>`],
    ['deep lists of JSON-LD', `<script type="application/ld+json">${'['.repeat(20_000)}${']'.repeat(20_000)}</script>`],
    ['a million nodes', ld({ '@type': 'A', list: Array.from({ length: 200_000 }, (_, name) => ({ name })) })],
    ['many items', '<div itemscope itemtype=x/A><b itemprop=name>n</b></div>'.repeat(20_000)],
    ['deep items', '<div itemscope itemprop=x itemtype=x/A>'.repeat(5_000)],
    ['many labels', '<li>Label: value</li>'.repeat(20_000)],
    ['a wide table', `<table><tr>${'<th>h'.repeat(5_000)}<tr>${'<td>x'.repeat(5_000)}</table>`],
    ['a long table', `<table>${'<tr><td>Label<td>x'.repeat(20_000)}</table>`],
    ['brackets without end', `<script>window.__INITIAL_STATE__ = ${'['.repeat(500_000)}</script>`],
    ['quotes without end', `<script>${'window.__INITIAL_STATE__ = {"'.repeat(20_000)}</script>`],
  ])('with %s gives a bounded answer', (_, html) => {
    const data = read(html)
    expect(data.items.length).toBeLessThanOrEqual(2_000)
    expect(data.sources.length).toBeLessThanOrEqual(5_000)
    expect(data.labelled.length).toBeLessThanOrEqual(2_000)
    expect(JSON.stringify(data).length).toBeLessThan(6_000_000)
  })
})
