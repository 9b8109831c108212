import { expect, test } from 'vitest'

import { errorCode, errorMessage } from './error-message.ts'

test.each([
  ['an error', new TypeError('broken'), 'broken'],
  ['a string', 'broken', 'broken'],
  ['nothing', undefined, 'undefined'],
  ['an object without a text', Object.create(null), 'a value of type object'],
])('the message of %s is readable', (_, error, message) => {
  expect(errorMessage(error)).toBe(message)
})

test('the code of an error is a string, and only errors have one', () => {
  expect(errorCode(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe('ENOENT')
  expect(errorCode(Object.assign(new Error('x'), { code: 7 }))).toBe('7')
  expect(errorCode(new Error('x'))).toBeUndefined()
  expect(errorCode({ code: 'ENOENT' })).toBeUndefined()
})
