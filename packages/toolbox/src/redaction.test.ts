import { expect, test } from 'vitest'

import { redactionOf } from './redaction.ts'

const redaction = redactionOf({
  headers: ['X-Own'],
  query: ['ticket'],
  values: ['correct horse', 'correct horse battery'],
})

test.each([
  ['https://example.com/a?b=1&api_key=K&c=%20', 'https://example.com/a?b=1&api_key=left-out&c=%20'],
  ['https://example.com/a?Ticket=T', 'https://example.com/a?Ticket=left-out'],
  ['https://example.com/?next=/a?b&api_key=K', 'https://example.com/?next=/a?b&api_key=left-out'],
  ['https://example.com/?next=/a?api_key=K&c=/?', 'https://example.com/?next=/a?api_key=left-out&c=/?'],
  ['https://example.com/?api_key=K?L', 'https://example.com/?api_key=left-out'],
  ['https://example.com/a?b=?&c=??', 'https://example.com/a?b=?&c=??'],
  ['https://example.com/a?b=1&b=%zz', 'https://example.com/a?b=1&b=%zz'],
  ['https://example.com/a', 'https://example.com/a'],
])('the address %s is kept as %s', (address, kept) => {
  expect(redaction.address(address)).toBe(kept)
})

test('headers that carry keys and cookies are replaced, others are kept as they are', () => {
  const headers = [
    ['authorization', 'Bearer a'],
    ['set-cookie', 'id=1; Path=/'],
    ['x-own', 'mine'],
    ['location', '/next?access_token=z'],
    ['content-type', 'text/html'],
  ] as const
  expect(redaction.headers(headers).map(([, value]) => value)).toEqual([
    ...['left-out', 'id=left-out; Path=/', 'left-out'],
    '/next?access_token=left-out',
    'text/html',
  ])
})

test('a command line is kept without the keys in its headers and addresses', () => {
  const args = ['scrape', 'https://example.com/?api_key=K', '-H', 'Authorization: Bearer K', 'Accept: text/html']
  expect(args.map(redaction.argument).join(' ')).toBe(
    'scrape https://example.com/?api_key=left-out -H Authorization: left-out Accept: text/html',
  )
})

test('named texts are replaced in bodies, the longest first', () => {
  const bytes = Buffer.from('a correct horse battery, a correct horse')
  expect(Buffer.from(redaction.bytes(bytes)).toString()).toBe('a left-out, a left-out')
  const other = Buffer.from([0xff, 0, 0xfe])
  expect(redaction.bytes(other)).toBe(other)
})
