import { describe, expect, test } from 'vitest'
import { readMetadata, type Metadata } from './metadata.ts'
import { parseHtml } from '../parse/parse.ts'
import { elementsOf } from '../tree/walk.ts'
import { findBase } from '../addresses/urls.ts'

function read(html: string): Metadata {
  const { root } = parseHtml(html)
  const elements = elementsOf(root)
  return readMetadata(elements, findBase(elements, 'https://site.test/a/'))
}

describe('metadata', () => {
  test('has the names of the API', () => {
    const meta = (name: string, content: string): string => `<meta property="${name}" content="${content}">`
    const html = [
      '<html lang="de"><title> A \n title </title><meta name="description" content="About">',
      '<meta name="keywords" content="a, b"><meta name="robots" content="noindex">',
      meta('og:title', 'OT'),
      meta('og:description', 'OD'),
      meta('og:url', '/u'),
      meta('og:image', '/i.png'),
      meta('og:audio', '/a.mp3'),
      meta('og:determiner', 'the'),
      meta('og:locale', 'de_DE'),
      meta('og:site_name', 'S'),
      meta('og:video', '/v.mp4'),
      meta('og:locale:alternate', 'fr_FR'),
      meta('article:published_time', '2024'),
      meta('article:modified_time', '2025'),
      meta('article:tag', 't1'),
      meta('article:tag', 't2'),
      meta('article:section', 'sec'),
      meta('dcterms.created', '1'),
      meta('DC.date.created', '2'),
      meta('dc.date', '3'),
      meta('dcterms.type', '4'),
      meta('dc.type', '5'),
      meta('dcterms.audience', '6'),
      meta('dcterms.subject', '7'),
      meta('dc.subject', '8'),
      meta('dc.description', '9'),
      meta('dcterms.keywords', '10'),
      '<link rel="icon" href="/f.ico">',
    ].join('')
    expect(read(html)).toEqual({
      title: 'A title',
      headline: 'OT',
      siteName: 'S',
      description: 'About',
      language: 'de',
      keywords: 'a, b',
      robots: 'noindex',
      ogTitle: 'OT',
      ogDescription: 'OD',
      ogUrl: 'https://site.test/u',
      ogImage: 'https://site.test/i.png',
      ogAudio: 'https://site.test/a.mp3',
      ogDeterminer: 'the',
      ogLocale: 'de_DE',
      ogSiteName: 'S',
      ogVideo: 'https://site.test/v.mp4',
      ogLocaleAlternate: ['fr_FR'],
      publishedTime: '2024',
      modifiedTime: '2025',
      articleTag: 't1',
      articleSection: 'sec',
      dcTermsCreated: '1',
      dcDateCreated: '2',
      dcDate: '3',
      dcTermsType: '4',
      dcType: '5',
      dcTermsAudience: '6',
      dcTermsSubject: '7',
      dcSubject: '8',
      dcDescription: '9',
      dcTermsKeywords: '10',
      favicon: 'https://site.test/f.ico',
    })
  })

  test('other meta elements keep their names; said once a text, said more often a list', () => {
    const html =
      '<meta name="generator" content="g"><meta property="og:price" content="1"><meta property="og:price" content="2"><meta itemprop="x" content="3">'
    expect(read(html)).toEqual({ generator: 'g', 'og:price': ['1', '2'], x: '3' })
  })

  test('descriptions are joined, what they repeat is said once', () => {
    const one =
      '<meta name="Description" content="a"><meta name="description" content="b"><meta name="description" content="a">'
    expect(read(one)['description']).toBe('a, b')
    const other = '<meta name="twitter:description" content="a"><meta name="twitter:description" content="b">'
    expect(read(other)['twitter:description']).toBe('a, b')
  })

  test('of a known key the first counts, of alternate locales all', () => {
    const html =
      '<meta property="og:image" content="1"><meta property="og:image" content="2"><meta property="og:locale:alternate" content="a"><meta property="og:locale:alternate" content="b">'
    expect(read(html)).toMatchObject({ ogImage: 'https://site.test/a/1', ogLocaleAlternate: ['a', 'b'] })
  })

  test('the author is named as people are, several as a list, and the raw entry is not given', () => {
    const author = (content: string): string => `<meta name="author" content="${content}">`
    expect(read(author('By ANN LEE, Reporter'))).toEqual({ author: 'Ann Lee' })
    expect(read(author('Ann Lee') + author('Bob Ray'))).toEqual({ author: ['Ann Lee', 'Bob Ray'] })
    expect(read(author('admin'))).toEqual({})
  })

  test('the title stays as the page writes it, the headline is without the site', () => {
    const html = '<title>Rain falls | The Site</title><meta property="og:site_name" content="The Site">'
    expect(read(html)).toMatchObject({ title: 'Rain falls | The Site', headline: 'Rain falls', siteName: 'The Site' })
  })

  test('a time of the public API stays if nothing of the page says it better', () => {
    expect(read('<meta property="article:published_time" content="2024">')['publishedTime']).toBe('2024')
  })

  test('an empty meta says nothing', () => {
    expect(read('<meta name="a" content=""><meta name="b"><meta content="c"><title></title>')).toEqual({})
  })

  test.each([
    ['<title>T</title><meta property="og:title" content="O"><h1>H</h1>', 'T'],
    ['<meta property="og:title" content="O"><h1>H</h1>', 'O'],
    ['<meta name="twitter:title" content="W"><h1>H</h1>', 'W'],
    ['<title> </title><h1>H <b>x</b></h1>', 'H x'],
    ['<svg><title>drawing</title></svg><h1>H</h1>', 'H'],
    ['<p>x', undefined],
  ])('the title of %s is %s', (html, expected) => {
    expect(read(html)['title']).toBe(expected)
  })

  test.each([
    ['<html lang="en-GB"><meta http-equiv="content-language" content="fr">', 'en-GB'],
    ['<meta http-equiv="Content-Language" content="fr, de">', 'fr'],
    ['<meta property="og:locale" content="pt_BR">', 'pt-BR'],
    ['<html lang="">', undefined],
  ])('the language of %s is %s', (html, expected) => {
    expect(read(html)['language']).toBe(expected)
  })

  test('the favicon is the plain one if there is one, and absolute by the base', () => {
    const base = '<base href="https://cdn.test/x/">'
    expect(
      read(`${base}<link rel="apple-touch-icon" href="a.png"><link rel="shortcut icon" href="f.ico">`)['favicon'],
    ).toBe('https://cdn.test/x/f.ico')
    expect(read('<link rel="apple-touch-icon" href="a.png">')['favicon']).toBe('https://site.test/a/a.png')
  })

  test('a page cannot speak for the engine', () => {
    const names = ['statusCode', 'sourceURL', 'error', 'scrapeId', 'creditsUsed', 'cacheState', '__proto__']
    const metadata = read(names.map((name) => `<meta name="${name}" content="x">`).join(''))
    expect(metadata).toEqual({})
    expect(({} as Record<string, unknown>)['content']).toBeUndefined()
  })

  test('has bounds, whatever a page repeats', () => {
    const distinct = Array.from({ length: 5_000 }, (_, i) => `<meta name="n${i}" content="x">`).join('')
    expect(Object.keys(read(distinct))).toHaveLength(500)
    expect(read('<meta name="n" content="x">'.repeat(5_000))['n']).toHaveLength(100)
  })
})
