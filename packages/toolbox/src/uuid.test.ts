import { expect, test } from 'vitest'

import { uuidv7 } from './uuid.ts'

test('ids are UUIDs of version 7 that begin with the time', () => {
  const id = uuidv7(0x0198c7a15f0e)
  expect(id).toMatch(/^0198c7a1-5f0e-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('no two ids are alike', () => {
  expect(new Set(Array.from({ length: 10_000 }, () => uuidv7(1))).size).toBe(10_000)
})
