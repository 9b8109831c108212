import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { elementsOf } from '../tree/walk.ts'
import { findBase, isFollowable, makeBase, resolveUrl } from './urls.ts'

const at = 'https://site.test/a/b.html?q=1#f'
const base = makeBase(at)

describe('a link means what a browser makes of it', () => {
  test.each([
    'x',
    'x/y.html',
    './x',
    '../x',
    '/x',
    '/x?y#z',
    '//other.test/x',
    '//other.test',
    '?a=b',
    '',
    'x y',
    'x"y',
    'ä',
    '/ä',
    'https://other.test/x',
    'https://OTHER.test/x',
    'https://other.test',
    'http://other.test:80/',
    'https://1.2.3/x',
    'https://xn--bcher-kva.test/x',
    'mailto:a@b.c',
    'tel:+1',
    'javascript:void(0)',
    '/a/./b',
    '/a/%2e%2e/b',
    '/.well-known/x',
    'a:b',
    '\\x',
    ' /x ',
    '/x\ny',
    'x#y#z',
    '#z',
    "/x?y='1'",
    '/a//b',
    'https://other.test/a|b',
    '%2Fx',
    '/a^b',
    '.',
  ])('%j', (href) => {
    expect(resolveUrl(href, base)).toBe(href === '' ? 'https://site.test/a/b.html?q=1' : new URL(href, at).href)
  })

  test('any text: the same answer as the parser, and never a throw', () => {
    const character = fc.constantFrom(...'aZ09-._~/?#[]@!$&()*+,;=:%2e \\"<>^`{}|é\t'.split(''))
    const text = fc.string({ unit: character, maxLength: 12 })
    fc.assert(
      fc.property(text, (href) => {
        if (href === '' || /^[ht]/i.test(href)) return
        expect(resolveUrl(href, base)).toBe(URL.parse(href, at)?.href)
      }),
      { numRuns: 3_000 },
    )
  })

  test('a link that means nothing has no URL', () => {
    expect(resolveUrl('https://', base)).toBeUndefined()
    expect(resolveUrl('x', makeBase('about:blank'))).toBeUndefined()
    expect(resolveUrl('https://site.test/x', makeBase(''))).toBe('https://site.test/x')
  })

  test('a base with a login, a port or only a host is understood', () => {
    expect(resolveUrl('/x', makeBase('https://u:p@site.test:8080/a/'))).toBe('https://u:p@site.test:8080/x')
    expect(resolveUrl('x', makeBase('http://site.test:8080'))).toBe('http://site.test:8080/x')
    expect(resolveUrl('?x', makeBase('http://site.test'))).toBe('http://site.test/?x')
  })
})

test.each([
  ['http:/x.test/a', 'http://x.test/a'],
  ['https:/x.test/a', 'https://x.test/a'],
  ['https//x.test/a', 'https://x.test/a'],
  ['http://https://x.test/a', 'https://x.test/a'],
  ['ttps://x.test/a', 'https://x.test/a'],
  ['htttp://x.test/a', 'http://x.test/a'],
])('the mistyped %s is read as %s', (href, expected) => {
  expect(resolveUrl(href, base)).toBe(expected)
})

describe('the base of a page', () => {
  const baseOf = (html: string): string => findBase(elementsOf(parseHtml(html).root), at).href

  test('is its URL, or its first base element that has an address', () => {
    expect(baseOf('<p>x')).toBe(at)
    expect(baseOf('<base target=_blank><base href="/c/"><base href="/d/">')).toBe('https://site.test/c/')
    expect(baseOf('<body><p>x<base href="//cdn.test/">')).toBe('https://cdn.test/')
  })

  test('is the URL when the element says nonsense', () => {
    expect(baseOf('<base href="javascript:x">')).toBe(at)
    expect(baseOf('<base href="https://">')).toBe(at)
  })
})

test('scripts and data are not places to go to', () => {
  for (const scheme of ['javascript', 'data', 'blob', 'about', 'vbscript', 'file']) {
    const capitalised = scheme[0]!.toUpperCase() + scheme.slice(1)
    const written = [scheme, capitalised, scheme.toUpperCase(), `${scheme[0]!}\t\n${scheme.slice(1)}`]
    for (const start of ['', ' ', '\t', '\n', '\u0001', '\u001f \r', '\u00a0']) {
      expect(written.map((name) => `${start}${name}:x`).filter(isFollowable)).toEqual([])
    }
  }
})

test('other schemes, and paths that start like one of those, are places to go to', () => {
  const links = [
    'mailto:a@b',
    'tel:1',
    '/x',
    'https://x',
    ' HTTPS://x',
    '#a',
    '?a',
    '',
    'database',
    'File',
    'é:x',
    '"x"',
  ]
  expect(links.filter(isFollowable)).toEqual(links)
})
