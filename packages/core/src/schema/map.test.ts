import { describe, expect, test } from 'vitest'

import { mapSchema } from './map.ts'
import { check } from './problems.ts'

const url = 'https://a.example/'
const accepts = (input: object): boolean => mapSchema().safeParse({ url, ...input }).success

test('a request that says nothing gets every default', () => {
  expect(check(mapSchema(), { url: 'a.example' })).toEqual({
    url: 'http://a.example',
    search: undefined,
    timeout: undefined,
    sitemap: 'include',
    includeSubdomains: true,
    ignoreQueryParameters: true,
    ignoreCache: false,
    limit: 5_000,
    location: { country: 'US', languages: ['en-US'] },
    headers: {},
    filterByPath: true,
    withoutEffect: [],
  })
})

describe('edges', () => {
  test.each<[object, boolean]>([
    [{ limit: 0 }, false],
    [{ limit: 1 }, true],
    [{ limit: 100_000 }, true],
    [{ limit: 100_001 }, false],
    [{ limit: 1.5 }, false],
    [{ timeout: 0 }, false],
    [{ timeout: 1 }, true],
    [{ sitemap: 'skip' }, true],
    [{ sitemap: 'only' }, true],
    [{ sitemap: 'none' }, false],
    [{ search: 'x'.repeat(1_000) }, true],
    [{ search: 'x'.repeat(1_001) }, false],
    [{ headers: { host: 'x' } }, false],
    [{ location: { country: 'XX1' } }, false],
    [{ url: 'file:///etc/passwd' }, false],
    [{ url: undefined }, false],
  ])('%j: %s', (input, expected) => {
    expect(accepts(input)).toBe(expected)
  })
})

test('an unknown key is refused by its name', () => {
  expect(() => check(mapSchema(), { url, maxDepth: 2 })).toThrow('maxDepth')
})

test('what clients of the public service may send is taken, and named where it asks for something', () => {
  const sent = {
    useIndex: false,
    includePaths: ['/x'],
    excludePaths: [],
    allowExternalLinks: true,
    deduplicateSimilarURLs: true,
  }
  expect(check(mapSchema(), { url, ...sent }).withoutEffect).toEqual(['allowExternalLinks', 'includePaths'])
})

test('words that are only blanks are none', () => {
  expect(check(mapSchema(), { url, search: '  ' }).search).toBeUndefined()
})
