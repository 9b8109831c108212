import { expect, test } from 'vitest'

import { originOf } from './origin.ts'

function asked(url: string, forwarded?: string): string {
  return originOf(new Request(url, forwarded === undefined ? {} : { headers: { 'x-forwarded-proto': forwarded } }))
}

test.each([
  ['http://localhost:3002/v2/scrape?x=/', undefined, 'http://localhost:3002'],
  ['http://[::1]:3002/', undefined, 'http://[::1]:3002'],
  ['http://api.example/v2/scrape', 'https', 'https://api.example'],
  ['http://api.example/v2/scrape', 'HTTPS, http', 'https://api.example'],
  ['https://api.example/v2/scrape', 'http', 'http://api.example'],
  ['http://api.example/v2/scrape', 'javascript', 'http://api.example'],
  ['http://api.example/v2/scrape', '', 'http://api.example'],
])('who asks %s, forwarded from %s, reaches the server at %s', (url, forwarded, origin) => {
  expect(asked(url, forwarded)).toBe(origin)
})
