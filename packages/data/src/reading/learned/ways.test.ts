import { expect, test } from 'vitest'

import { openPage } from '@harvestman/html/internal'
import { waysTo } from './ways.ts'

const { base } = openPage(
  { html: '', url: 'https://a.example/' },
  { onlyMainContent: false, includeTags: [], excludeTags: [] },
)

test('a value is cut out of other words, but not out of a word with a hyphen', () => {
  expect(waysTo('By Ada Lee', 'Ada Lee', base)).toEqual([{ as: 'text', before: 'By ' }])
  expect(waysTo('/life-style', 'style', base)).toEqual([])
  expect(waysTo('style-guide', 'style', base)).toEqual([])
})
