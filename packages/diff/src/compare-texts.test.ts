import { expect, test } from 'vitest'

import { compareTexts } from './compare-texts.ts'

// A pattern that cannot be compiled shows whether any was: none comes here from a request that was checked.
const patterns = ['(']
const page = (markdown: string) => ({ markdown, hidden: [] })

test('for pages that are the same to the letter no pattern is compiled', () => {
  const task = { now: page('a\nb'), before: page('a\nb'), patterns, wanted: ['isSame', 'kept'] } as const
  expect(compareTexts(task).isSame).toBe(true)
  expect(() => compareTexts({ ...task, before: page('a\nc') })).toThrow('is the pattern')
})
