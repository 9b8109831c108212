import { expect, test } from 'vitest'

import { describeUrls, describeTarget } from './target.ts'

test('a request for several pages is named by their number and their sites, without passwords', () => {
  expect(describeUrls(['https://a.test/1'])).toBe('https://a.test/1')
  expect(describeUrls(['https://me:secret@a.test/1', 'https://a.test/2'])).toBe('2 pages of a.test')
  expect(describeUrls(['https://a.test/1', 'http://b.test:81/', 'https://a.test/2'])).toBe(
    '3 pages of a.test and 1 more site',
  )
  expect(describeUrls(['a.test/1', 'https://b.test/', 'https://c.test/'])).toBe('3 pages of a.test and 2 more sites')
  expect(describeUrls(['http://A.test\\1', 'http://me:secret@a.test:80?q=/', 'http://a.test#/'])).toBe(
    '3 pages of a.test',
  )
  expect(describeUrls([])).toBeUndefined()
  expect(describeUrls([7, 'https://a.test/'])).toBeUndefined()
})

test('a label is shown before the subject', () => {
  expect(describeTarget('https://me:secret@a.test/', 'Prices')).toBe('Prices: https://a.test/')
  expect(describeTarget(undefined, 'Prices')).toBeUndefined()
})
