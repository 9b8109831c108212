import { expect, test } from 'vitest'

import { headerPairs, wireHeaders } from './wire-headers.ts'

test('names are written as a browser writes them, in the order given', () => {
  const headers = { 'sec-ch-ua': 'a', 'sec-fetch-site': 'b', 'user-agent': 'c', dnt: '1', priority: 'd' }
  expect(wireHeaders(headers)).toEqual([
    ...['sec-ch-ua', 'a'],
    ...['Sec-Fetch-Site', 'b'],
    ...['User-Agent', 'c'],
    ...['Dnt', '1'],
    ...['priority', 'd'],
  ])
})

test('raw headers become pairs: small names, bare values, one character a byte', () => {
  const raw = ['Set-Cookie', ' a=1 ', 'X-Name', '\xfc', 'set-cookie', 'b=2'].map((text) => Buffer.from(text, 'latin1'))
  expect(headerPairs(raw)).toEqual([
    ['set-cookie', 'a=1'],
    ['x-name', 'ü'],
    ['set-cookie', 'b=2'],
  ])
})
