import { expect, test, vi } from 'vitest'

import { compilePatterns, findMisfits, readJsonSchema } from './index.ts'
import { readOnce } from './read-once.ts'

test('a value that is frozen is read once, and one that may change each time', () => {
  const read = vi.fn((value: { readonly a: number }) => ({ twice: 2 * value.a }))
  const readIt = readOnce(read)
  const frozen = Object.freeze({ a: 1 })
  expect(readIt(frozen)).toBe(readIt(frozen))
  expect(read).toHaveBeenCalledTimes(1)
  const open = { a: 2 }
  expect(readIt(open).twice).toBe(4)
  open.a = 3
  expect(readIt(open).twice).toBe(6)
})

test('of a schema that is frozen the patterns are compiled once, also of one that cannot be used', () => {
  const schema = Object.freeze({ type: 'string', pattern: '^a+$' })
  expect(readJsonSchema(schema)).toBe(readJsonSchema(schema))
  expect([findMisfits('aa', schema), findMisfits('b', schema).length]).toEqual([[], 1])
  const wrong = Object.freeze({ type: 'string', pattern: '(' })
  expect(readJsonSchema(wrong)).toBe(readJsonSchema(wrong))
  const patterns = Object.freeze(['a', 'b'])
  expect(compilePatterns(patterns)).toBe(compilePatterns(patterns))
})
