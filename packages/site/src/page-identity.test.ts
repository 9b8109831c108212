import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { normaliseUrl, similarKey } from './page-identity.ts'

const all = { ignoreQueryParameters: false }

type Relation = 'same' | 'similar' | 'other'

// `same`: one address by the standards. `similar`: one page on nearly every site. `other`: two pages.
const pairs: readonly (readonly [one: string, other: string, relation: Relation])[] = [
  ['http://a.example/', 'HTTP://A.EXAMPLE/', 'same'],
  ['http://a.example/', 'http://a.example', 'same'],
  ['http://a.example/', 'http://a.example:80/', 'same'],
  ['https://a.example/', 'https://a.example:443/', 'same'],
  ['http://a.example/', 'http://a.example./', 'same'],
  ['http://a.example/', 'http://user:pass@a.example/', 'same'],
  ['http://a.example/x', 'http://a.example/x#top', 'same'],
  ['http://a.example/x', 'http://a.example/x#', 'same'],
  ['http://a.example/x', 'http://a.example/x#/', 'same'],
  ['http://a.example/x', 'http://a.example/x#!/', 'same'],
  ['http://a.example/x', 'http://a.example/x?', 'same'],
  ['http://a.example/x', 'http://a.example/x?#a', 'same'],
  ['http://a.example/a/b', 'http://a.example/a/./b', 'same'],
  ['http://a.example/a/b', 'http://a.example/a/c/../b', 'same'],
  ['http://a.example/a', 'http://a.example/../../a', 'same'],
  ['http://a.example/a/b', 'http://a.example/a/%2e/b', 'same'],
  ['http://a.example/a/b', 'http://a.example\\a\\b', 'same'],
  ['http://a.example/%7Ejo', 'http://a.example/~jo', 'same'],
  ['http://a.example/%c3%a4', 'http://a.example/%C3%A4', 'same'],
  ['http://a.example/ä', 'http://a.example/%C3%A4', 'same'],
  ['http://a.example/a b', 'http://a.example/a%20b', 'same'],
  ['http://a.example/%61', 'http://a.example/a', 'same'],
  ['http://a.example/?q=%61', 'http://a.example/?q=a', 'same'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/', 'same'],
  ['http://ＡＢＣ.example/', 'http://abc.example/', 'same'],
  [' http://a.example/x\n', 'http://a.example/x', 'same'],
  ['http://a.exa\tmple/x', 'http://a.example/x', 'same'],
  ['http://127.1/', 'http://127.0.0.1/', 'same'],
  ['http://0x7f000001/', 'http://127.0.0.1/', 'same'],
  ['http://[0:0::1]/', 'http://[::1]/', 'same'],
  ['http://a.example/', 'https://a.example/', 'similar'],
  ['http://a.example/', 'http://www.a.example/', 'similar'],
  ['https://a.example/x', 'http://www.a.example/x/', 'similar'],
  ['http://a.example/x', 'http://a.example/x/', 'similar'],
  ['http://a.example/x', 'http://a.example/x/index.html', 'similar'],
  ['http://a.example/x/', 'http://a.example/x/index.php', 'similar'],
  ['http://a.example/', 'http://a.example/index.html', 'similar'],
  ['http://a.example/x?a=1', 'http://a.example/x/?a=1', 'similar'],
  ['http://a.example/index.php?a=1', 'http://a.example/?a=1', 'similar'],
  ['http://a.example/?a=1&b=2', 'http://a.example/?b=2&a=1', 'similar'],
  ['http://a.example/?a=1&&b=2', 'http://a.example/?a=1&b=2&', 'similar'],
  ['http://a.example/x', 'http://a.example/x?utm_source=mail&utm_medium=x', 'similar'],
  ['http://a.example/x?id=1', 'http://a.example/x?fbclid=abc&id=1', 'similar'],
  ['http://a.example/x?gclid=1', 'http://a.example/x?msclkid=2', 'similar'],
  ['http://a.example/x#/r', 'https://a.example/x/#/r', 'similar'],
  ['http://a.example/a', 'http://a.example/A', 'other'],
  ['http://a.example/a', 'http://a.example/a//', 'other'],
  ['http://a.example/a/b', 'http://a.example/a//b', 'other'],
  ['http://a.example/a', 'http://a.example/a.html', 'other'],
  ['http://a.example/a', 'http://a.example/a/default.aspx', 'other'],
  ['http://a.example/index.html', 'http://a.example/myindex.html', 'other'],
  ['http://a.example/x', 'http://a.example:8080/x', 'other'],
  ['http://a.example/x', 'http://b.a.example/x', 'other'],
  ['http://a.example/x', 'http://a.example/x?a=1', 'other'],
  ['http://a.example/x?a=1', 'http://a.example/x?a=2', 'other'],
  ['http://a.example/x?a=1&a=2', 'http://a.example/x?a=2&a=1', 'other'],
  ['http://a.example/x?a', 'http://a.example/x?a=', 'other'],
  ['http://a.example/a%2Fb', 'http://a.example/a/b', 'other'],
  ['http://a.example/x?q=a%26b', 'http://a.example/x?q=a&b', 'other'],
  ['http://a.example/x?utm=1', 'http://a.example/x', 'other'],
  ['http://a.example/#/one', 'http://a.example/#/two', 'other'],
  ['http://a.example/#!/one', 'http://a.example/', 'other'],
  ['http://a.example/a+b', 'http://a.example/a%20b', 'other'],
  ['http://exаmple.example/', 'http://example.example/', 'other'],
]

describe('of two addresses', () => {
  test.each(pairs)('%j and %j are %s', (one, other, relation) => {
    const [first, second] = [normaliseUrl(one, all)!, normaliseUrl(other, all)!]
    const found = first === second ? 'same' : similarKey(first) === similarKey(second) ? 'similar' : 'other'
    expect(found).toBe(relation)
  })
})

test('what is no address of the web is none', () => {
  for (const text of [
    '',
    'x',
    '/x',
    'mailto:a@a.example',
    'ftp://a.example/',
    'javascript:1',
    'http://',
    'http://a b/',
  ])
    expect(normaliseUrl(text, all)).toBeUndefined()
})

test('the query is left out on demand, and nothing else', () => {
  const options = { ignoreQueryParameters: true }
  expect(normaliseUrl('https://a.example/x?a=1', options)).toBe('https://a.example/x')
  expect(normaliseUrl('https://a.example/%7ex?a=1#/r', options)).toBe('https://a.example/~x#/r')
})

test('an address that is read is not changed', () => {
  const url = new URL('https://u:p@a.example/x?a#b')
  expect(normaliseUrl(url, all)).toBe('https://a.example/x?a')
  expect(url.href).toBe('https://u:p@a.example/x?a#b')
})

test('the short way gives what the long way gives', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '.',
    '..',
    '/',
    '//',
    '%41',
    '%E4',
    '%2e',
    '%2F',
    '~',
    "'",
    '?',
    '&',
    '=',
    ';',
    '^',
    '|',
    '#',
    '#/r',
    ' ',
    'ä',
  )
  const host = fc.constantFrom(
    'a.example',
    'a.example.',
    '1.2',
    'a.1',
    'xn--bcher-kva.example',
    'xn--a.example',
    'a..b',
    'A.example',
    'a_b.example',
    'localhost',
  )
  const query = fc.boolean()
  fc.assert(
    fc.property(host, fc.array(piece, { maxLength: 8 }), query, (name, pieces, ignoreQueryParameters) => {
      const text = `http://${name}/${pieces.join('')}`
      const parsed = URL.parse(text)
      // An object is always read by the long way.
      const long = parsed ? normaliseUrl(parsed, { ignoreQueryParameters }) : undefined
      expect(normaliseUrl(text, { ignoreQueryParameters })).toBe(long)
      if (long) expect(normaliseUrl(long, { ignoreQueryParameters })).toBe(long)
    }),
    { numRuns: 3_000 },
  )
})
