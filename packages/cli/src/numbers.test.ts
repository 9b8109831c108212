import { createEngine } from '@harvestman/core'
import { check } from '@harvestman/core/schema'
import { expect, test } from 'vitest'

import { toCrawl } from './crawl.ts'
import { countOf } from './numbers.ts'
import { pageOptions } from './page-options.ts'
import { toMap } from './map.ts'
import { toSearch } from './search.ts'

const { schemas } = createEngine()
const url = 'https://a.test/'

test.each([
  ['scrape', 'timeout', { url, ...pageOptions({ timeout: 'abc' }) }],
  ['scrape', 'waitFor', { url, ...pageOptions({ wait: 'abc' }) }],
  ['scrape', 'maxAge', { url, ...pageOptions({ maxAge: 'abc' }) }],
  ['crawl', 'limit', toCrawl(url, { limit: 'abc' })],
  ['map', 'timeout', toMap(url, { timeout: 'abc' })],
  ['search', 'limit', toSearch('x', { limit: 'abc' })],
] as const)('a flag of a %s for %s that is no number is refused with what was given', (kind, field, request) => {
  expect(() => check(schemas[kind], request)).toThrow(new RegExp(`${field} must be a number, but is (?:"abc"|a text)`))
})

test('a count that is none is refused by the name of its flag', () => {
  expect(countOf('--times', '3')).toBe(3)
  for (const text of ['abc', '0', '1.5', '', '-1'])
    expect(() => countOf('--times', text)).toThrow(`--times must be an integer from 1, but is ${JSON.stringify(text)}.`)
})
