import { expect, test } from 'vitest'

import { findUntaggedLong, isFilteredOut } from './long-tests.ts'

test('a long test is left out where the others are asked for, and the others where it is', () => {
  const [long, other] = [{ tags: ['redis', 'long'] }, { tags: ['redis'] }]
  const of = (filter?: readonly string[]) => [long, other].map((one) => isFilteredOut(one, filter))
  expect(of(['!long'])).toEqual([true, false])
  expect(of(['long'])).toEqual([false, true])
  expect(of()).toEqual([false, false])
})

test('a long file without its tag is named', () => {
  // In one piece it would be a tag of this file.
  const tag = ['// @module', 'tag long\n'].join('-')
  const files = { 'a.test.ts': '', 'b.long.test.ts': `${tag}import`, 'c.long.test.ts': '' }
  expect(findUntaggedLong(Object.entries(files).map(([file, text]) => ({ file, text })))).toEqual([
    expect.stringContaining('c.long.test.ts'),
  ])
})
