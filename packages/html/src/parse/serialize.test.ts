import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHtml } from './parse.ts'
import { toHtml } from './serialize.ts'
import { append, makeAttributes, makeElement, makeText } from '../tree/tree.ts'
import { makeBase } from '../addresses/urls.ts'
import { findElement } from '../tree/walk.ts'

const written = (html: string): string => toHtml(parseHtml(`<!doctype html><body>${html}`).body)

describe('html is written so that it reads back the same', () => {
  test.each([
    '<p>a &amp; b &lt; c &gt; d&nbsp;e</p>',
    '<a href="?a=1&amp;b=&quot;2&quot;" title="&lt;x&gt;">x</a>',
    '<br><img src="x"><hr><input type="text">',
    '<script>if (a < b && c) {}</script>',
    '<style>a > b {}</style>',
    '<textarea>&lt;b&gt;</textarea>',
    '<iframe><p></iframe>',
    '<pre>\n\na</pre>',
    '<svg><path d="M0"></path></svg>',
  ])('%s', (html) => {
    expect(written(html)).toBe(`<body>${html}</body>`)
  })

  test('any text and any attribute', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (text, value) => {
          const clean = (dirty: string): string => dirty.replaceAll(/[\0\r\uFEFF]/g, '')
          const attributes = makeAttributes()
          attributes['title'] = clean(value)
          const element = makeElement('q', attributes)
          if (clean(text)) append(element, makeText(clean(text)))
          const read = findElement(parseHtml(`<body>x${toHtml(element)}`).body, 'q')!
          expect(read.attributes['title']).toBe(clean(value))
          expect(read.first?.type === 'text' ? read.first.text : '').toBe(clean(text))
        },
      ),
    )
  })
})

test('what is left out is left out with all it holds', () => {
  const { body } = parseHtml('<body>1<nav>2<p>3</p></nav>4<nav></nav>')
  expect(toHtml(body, { leaveOut: (node) => node.type === 'element' && node.name === 'nav' })).toBe('<body>14</body>')
})

test('with a base, addresses become absolute and the tree stays as it is', () => {
  const { body } = parseHtml('<body><a href="x">a</a><img src="/y.png" alt="y"><a href="#z">z</a>')
  const before = toHtml(body)
  expect(toHtml(body, { base: makeBase('https://site.test/a/b') })).toBe(
    '<body><a href="https://site.test/a/x">a</a><img src="https://site.test/y.png" alt="y"><a href="#z">z</a></body>',
  )
  expect(toHtml(body)).toBe(before)
})

test('a document is written without its root, a single text as text', () => {
  expect(toHtml(parseHtml('a').root)).toBe('<html><head></head><body>a</body></html>')
  expect(toHtml(makeText('a<b'))).toBe('a&lt;b')
})

test('a page as deep as pages get does not overflow', () => {
  const { root } = parseHtml('<div>'.repeat(20_000), { depth: 30_000 })
  expect(toHtml(root)).toHaveLength('<html><head></head><body></body></html>'.length + 20_000 * '<div></div>'.length)
})
