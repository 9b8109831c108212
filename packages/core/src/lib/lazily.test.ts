import { expect, test } from 'vitest'

import { lazily, lazyMembers } from './lazily.ts'

test('A value is made when it is first asked for, and once, also when it is undefined', () => {
  let made = 0
  const value = lazily(() => void (made += 1))
  expect(made).toBe(0)
  value()
  value()
  expect(made).toBe(1)
})

test('A member is made when it is read, and no other with it', () => {
  const made: string[] = []
  const members = lazyMembers({ one: () => made.push('one'), other: () => made.push('other') })
  expect(Object.keys(members)).toEqual(['one', 'other'])
  expect(made).toEqual([])
  expect(members.other).toBe(members.other)
  expect(made).toEqual(['other'])
})
