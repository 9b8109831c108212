import zlib from 'node:zlib'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { sortKey } from './cdxj.ts'
import { foreignBody, originalHeaders, printResponseHead, readMessage, statusOf } from './http.ts'
import { packMember, unpackMember } from './members.ts'

test('any bytes come out of a member as they went in, for others too', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200_000 }),
      fc.integer({ min: 0, max: 9 }),
      fc.uint8Array(),
      (size, level, tail) => {
        const bytes = Buffer.concat([Buffer.alloc(size, 'harvest'), tail])
        const member = packMember(bytes, level)
        const found = unpackMember(Buffer.concat([member, tail]), 1_000_000)
        expect(typeof found === 'object' && found.bytes.equals(bytes) && found.length === member.length).toBe(true)
        expect(zlib.gunzipSync(member).equals(bytes)).toBe(true)
      },
    ),
    { numRuns: 30 },
  )
})

test('a member that does not end is short, and what is none or too large is nothing', () => {
  const member = zlib.gzipSync(Buffer.alloc(10_000, 'text'))
  for (const end of [5, 20, member.length - 1]) expect(unpackMember(member.subarray(0, end), 100_000)).toBe('short')
  expect(unpackMember(Buffer.alloc(100), 100_000)).toBeUndefined()
  expect(unpackMember(member, 9_999)).toBeUndefined()
})

test('an answer keeps what its host had said of the packing of its body, and says how long it is here', () => {
  const headers = [
    ['content-type', 'text/html'],
    ['content-encoding', 'br'],
    ['content-length', '7'],
  ] as const
  const message = readMessage(Buffer.concat([printResponseHead(203, headers, 12), Buffer.from('a body of 12')]))
  expect(message && statusOf(message)).toBe(203)
  expect(message?.headers).toContainEqual(['content-length', '12'])
  expect(message && originalHeaders(message.headers)).toEqual(headers)
})

test.each([
  ['in chunks', 'transfer-encoding: chunked', Buffer.from('4;x=1\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n')],
  ['packed', 'content-encoding: gzip', zlib.gzipSync('Wikipedia')],
  ['packed twice', 'content-encoding: deflate, br', zlib.brotliCompressSync(zlib.deflateSync('Wikipedia'))],
  ['plain, though it claims chunks', 'transfer-encoding: chunked', Buffer.from('Wikipedia')],
  ['plain, though it claims a packing', 'content-encoding: gzip', Buffer.from('Wikipedia')],
])('the body of a foreign answer is read: %s', (_what, header, body) => {
  const message = readMessage(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`), body]))
  expect(message && Buffer.from(foreignBody(message, 1_000)).toString()).toBe('Wikipedia')
})

test.each([
  ['https://www.Example.com/A?b=2&a=1', 'com,example)/a?a=1&b=2'],
  ['http://example.co.uk:8080/', 'uk,co,example:8080)/'],
  ['http://127.0.0.1/x', '127.0.0.1)/x'],
])('%s stands in the index under %s', (url, key) => {
  expect(sortKey(url)).toBe(key)
})
