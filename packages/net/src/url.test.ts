import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { canonicalUrl, parseWebUrl } from './url.ts'

const invalid = 'Invalid URL'
const protocol = 'URL uses unsupported protocol'
const host = 'URL must have a valid top-level domain or be an IP address'

describe('an address as people write it', () => {
  test.each([
    ['example.com', 'http://example.com'],
    ['example.com/a b', 'http://example.com/a b'],
    ['example.com:8080/x', 'http://example.com:8080/x'],
    ['localhost:3000', 'http://localhost:3000'],
    ['//example.com/a', 'http://example.com/a'],
    ['  https://example.com ', 'https://example.com'],
    ['HTTPS://Example.COM/Path', 'HTTPS://Example.COM/Path'],
    ['пример.рф', 'http://пример.рф'],
    ['example.xn--p1ai', 'http://example.xn--p1ai'],
    ['127.0.0.1', 'http://127.0.0.1'],
    ['[::1]:80', 'http://[::1]:80'],
    ['http://2130706433', 'http://2130706433'],
    ['http://localhost', 'http://localhost'],
    ['http://example.com.', 'http://example.com.'],
    ['http://user:word@example.com/', 'http://user:word@example.com/'],
    ['example.com?u=http://a.com', 'http://example.com?u=http://a.com'],
  ])('%j is read, and echoed with its scheme only', (input, text) => {
    const parsed = parseWebUrl(input)
    expect(parsed.text).toBe(text)
    expect(parsed.url?.href).toBe(new URL(text).href)
  })

  test.each([
    ['', invalid],
    ['http://', invalid],
    ['http://ex ample.com', invalid],
    ['http://[::1', invalid],
    ['http://1.2.3.256', invalid],
    ['http://example.com:99999', invalid],
    ['http://http://example.com', invalid],
    ['https://ftp://example.com', invalid],
    ['ftp://example.com', protocol],
    ['file:///etc/passwd', protocol],
    ['javascript:alert(1)', protocol],
    ['data:text/html,x', protocol],
    ['mailto:a@example.com', protocol],
    ['about:blank', protocol],
    ['view-source:http://example.com', protocol],
    ['chrome://version', protocol],
    ['ws://example.com', protocol],
    ['foo', host],
    ['http://intranet/', host],
    ['http://example.c', host],
    ['http://example.b1', host],
    ['http://a..com', host],
    ['http://.com', host],
    ['http://https//example.com', host],
    [`http://example.com/${'x'.repeat(8_200)}`, 'URL must not be longer than 8192 characters'],
  ])('%j is refused with the sentence that clients know', (input, problem) => {
    expect(parseWebUrl(input)).toEqual({ problem })
  })

  test('never throws, and gives http and https only', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), (input) => {
        const { url } = parseWebUrl(input)
        expect(url === undefined || /^https?:$/.test(url.protocol)).toBe(true)
      }),
    )
  })
})

describe('the one way to write an address', () => {
  test.each([
    ['http://EXAMPLE.com:80', 'http://example.com/'],
    ['https://example.com:443/a', 'https://example.com/a'],
    ['https://example.com./a', 'https://example.com/a'],
    ['https://example.com/a#part', 'https://example.com/a'],
    ['https://example.com/a?', 'https://example.com/a'],
    ['https://example.com/a?#', 'https://example.com/a'],
    ['https://example.com/%7euser/%c3%bc', 'https://example.com/~user/%C3%BC'],
    ['https://example.com/a/./b/../c', 'https://example.com/a/c'],
    ['https://example.com/?q=%2f%41', 'https://example.com/?q=%2FA'],
    ['https://bücher.de/', 'https://xn--bcher-kva.de/'],
  ])('%s becomes %s', (input, canonical) => {
    expect(canonicalUrl(input)).toBe(canonical)
  })

  test.each([
    ['https://example.com/a', 'https://example.com/A'],
    ['https://example.com/a', 'https://example.com/a/'],
    ['https://example.com/?a=1&b=2', 'https://example.com/?b=2&a=1'],
    ['https://example.com/', 'http://example.com/'],
    ['https://example.com/a%2Fb', 'https://example.com/a/b'],
    ['https://example.com/#/one', 'https://example.com/#/two'],
    ['https://example.com/#!/one', 'https://example.com/#!/two'],
    ['https://one@example.com/', 'https://two@example.com/'],
  ])('keeps %s apart from %s', (one, other) => {
    expect(canonicalUrl(one)).not.toBe(canonicalUrl(other))
  })

  test('changes nothing when done again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (input) => {
        const once = canonicalUrl(input)
        expect(canonicalUrl(once)).toBe(once)
      }),
    )
  })
})
