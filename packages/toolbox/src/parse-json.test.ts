import { expect, test } from 'vitest'

import { parseJson } from './parse-json.ts'

test.each([
  ['null', null],
  ['"a"', 'a'],
  [' {"a":[1]} ', { a: [1] }],
])('the value of %s is read', (text, value) => {
  expect(parseJson(text)).toEqual(value)
})

test.each(['', '{', 'undefined', '{"a":1}x'])('%j is not JSON', (text) => {
  expect(parseJson(text)).toBeUndefined()
})
