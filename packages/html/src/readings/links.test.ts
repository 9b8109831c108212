import { describe, expect, test } from 'vitest'
import type { Content } from '../page/content.ts'
import { findImages } from './images.ts'
import { findAllLinks, findLinks, type LinkedPage } from './links.ts'
import { parseHtml } from '../parse/parse.ts'
import type { Element } from '../tree/tree.ts'
import { makeBase } from '../addresses/urls.ts'
import { elementsOf, findElement } from '../tree/walk.ts'

const base = makeBase('https://site.test/a/')
const treeOf = (html: string): Element => parseHtml(`<body>${html}`).root

function contentOf(html: string, without?: string): Content {
  const root = treeOf(html)
  return { root, removed: new Set(without ? [findElement(root, without)!] : []), noscript: false, readsHidden: false }
}

const pageOf = (root: Element): LinkedPage => ({ elements: elementsOf(root), base, isUnseen: () => false })

describe('links', () => {
  test('are absolute, each once, in the order of the page', () => {
    const html = '<a href="b">1</a><a href="/c">2</a><a href="./b">3</a><map><area href="https://o.test/"></map>'
    expect(findLinks(contentOf(html), base)).toEqual([
      'https://site.test/a/b',
      'https://site.test/c',
      'https://o.test/',
    ])
  })

  test('keep mail and telephone, and mistyped addresses repaired', () => {
    const html = '<a href="mailto:a@b.c">1</a><a href="tel:+1">2</a><a href="http:/x.test/y">3</a>'
    expect(findLinks(contentOf(html), base)).toEqual(['mailto:a@b.c', 'tel:+1', 'http://x.test/y'])
  })

  test('leave out what leads nowhere: parts of the page, scripts, data, nonsense', () => {
    const html =
      '<a href="#x">1</a><a href="">2</a><a href=" ">3</a><a>4</a><a href="javascript:x()">5</a><a href="data:,x">6</a><a href="https://">7</a><a href="java&#10;script:x()">8</a><a href="&#1;javascript:x()">9</a>'
    expect(findLinks(contentOf(html), base)).toEqual([])
  })

  test('come from the content only', () => {
    const html =
      '<nav><a href="n">1</a></nav><a href="m">2</a><noscript><a href="s">3</a></noscript><template><a href="t">4</a></template>'
    expect(findLinks(contentOf(html, 'nav'), base)).toEqual(['https://site.test/a/m'])
    expect(findLinks({ ...contentOf(html), noscript: true }, base)).toContain('https://site.test/a/s')
  })

  test('for a crawl come from the whole page, frames too', () => {
    const html = '<nav><a href="n">1</a></nav><iframe src="f"></iframe><noscript><a href="s">3</a></noscript>'
    expect(findAllLinks(pageOf(treeOf(html)))).toEqual([
      'https://site.test/a/n',
      'https://site.test/a/f',
      'https://site.test/a/s',
    ])
    expect(findAllLinks(pageOf(parseHtml('<frameset><frame src="left"><frame src="right"></frameset>').root))).toEqual([
      'https://site.test/a/left',
      'https://site.test/a/right',
    ])
  })
})

describe('images', () => {
  test('are the sources of img and picture with all candidates, posters, image buttons and images in svg', () => {
    const html = `<img src="1.png" srcset="2.png 2x, 1.png 1x"><picture><source srcset="3.webp 100w"><img src="4.png"></picture>
      <video poster="5.png"><source src="v.mp4"></video><input type="image" src="6.png"><svg><image href="7.png"/></svg>`
    expect(findImages(contentOf(html), base)).toEqual(
      ['1.png', '2.png', '3.webp', '4.png', '5.png', '6.png', '7.png'].map((name) => `https://site.test/a/${name}`),
    )
  })

  test('count lazy ones, and not what is written into the page', () => {
    const html = '<img src="data:image/gif;base64,R0" data-src="1.png"><img data-srcset="2.png 1x"><img src="blob:x">'
    expect(findImages(contentOf(html), base)).toEqual(['https://site.test/a/1.png', 'https://site.test/a/2.png'])
  })
})
