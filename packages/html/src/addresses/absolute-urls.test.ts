import { describe, expect, test } from 'vitest'
import { absoluteAttributes, imageSource } from './absolute-urls.ts'
import { parseHtml } from '../parse/parse.ts'
import type { Element } from '../tree/tree.ts'
import { makeBase } from './urls.ts'
import { elementsOf } from '../tree/walk.ts'

const base = makeBase('https://site.test/a/')
const last = (html: string): Element => elementsOf(parseHtml(`<body>${html}`).body).at(-1)!
const absolute = (html: string): Record<string, string> => ({ ...absoluteAttributes(last(html), base) })

describe('addresses become absolute', () => {
  test.each([
    ['<a href="x">', { href: 'https://site.test/a/x' }],
    ['<area href="x">', { href: 'https://site.test/a/x' }],
    ['<link href="x" rel="y">', { href: 'https://site.test/a/x', rel: 'y' }],
    ['<iframe src="x">', { src: 'https://site.test/a/x' }],
    ['<video src="x" poster="y">', { src: 'https://site.test/a/x', poster: 'https://site.test/a/y' }],
    ['<audio src="x">', { src: 'https://site.test/a/x' }],
    ['<object data="x">', { data: 'https://site.test/a/x' }],
    ['<form action="x">', { action: 'https://site.test/a/x' }],
    ['<svg><a xlink:href="x">', { 'xlink:href': 'https://site.test/a/x' }],
    ['<video><source src="x">', { src: 'https://site.test/a/x' }],
    ['<picture><source srcset="x 1x, y 2x">', { srcset: 'https://site.test/a/x, https://site.test/a/y 2x' }],
  ])('%s', (html, expected) => {
    expect(absolute(html)).toEqual(expected)
  })

  test('what is absolute, or leads within the page, stays as it is, and the element keeps its attributes', () => {
    for (const html of ['<a href="https://x.test/y">', '<a href="#x">', '<p title="x">', '<a href="https://">']) {
      const element = last(html)
      expect(absoluteAttributes(element, base)).toBe(element.attributes)
    }
  })
})

describe('an image', () => {
  test('takes its largest candidate as its source', () => {
    expect(absolute('<img src="s" srcset="m 300w, l 600w" alt="x">')).toEqual({
      src: 'https://site.test/a/l',
      srcset: 'https://site.test/a/m 300w, https://site.test/a/l 600w',
      alt: 'x',
    })
    expect(absolute('<img src="s" srcset="half 0.5x">')['src']).toBe('https://site.test/a/s')
  })

  test.each([
    ['<img src="data:image/gif;base64,R0" data-src="real">', 'real'],
    ['<img data-lazy-src="real">', 'real'],
    ['<img src="" data-srcset="a 1x, real 2x">', 'real'],
    ['<img src="data:image/gif;base64,R0">', 'data:image/gif;base64,R0'],
    ['<img src="shown" data-src="later">', 'shown'],
    ['<img src="#" data-original="real">', 'real'],
    ['<img alt="none">', undefined],
  ])('behind a placeholder is what a script would load: %s', (html, expected) => {
    expect(imageSource(last(html))).toBe(expected)
  })
})
