import { expect, test } from 'vitest'

import { subjectOf, targetOf } from './target.ts'

test('a request for several pages is named by their number and their sites, without passwords', () => {
  expect(subjectOf(['https://a.test/1'])).toBe('https://a.test/1')
  expect(subjectOf(['https://me:secret@a.test/1', 'https://a.test/2'])).toBe('2 pages of a.test')
  expect(subjectOf(['https://a.test/1', 'http://b.test:81/', 'https://a.test/2'])).toBe(
    '3 pages of a.test and 1 more site',
  )
  expect(subjectOf(['a.test/1', 'https://b.test/', 'https://c.test/'])).toBe('3 pages of a.test and 2 more sites')
  expect(subjectOf([])).toBeUndefined()
  expect(subjectOf([7, 'https://a.test/'])).toBeUndefined()
})

test('a label is shown before the subject', () => {
  expect(targetOf('https://me:secret@a.test/', 'Prices')).toBe('Prices: https://a.test/')
  expect(targetOf(undefined, 'Prices')).toBeUndefined()
})
