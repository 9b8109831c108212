import { EngineError } from '@harvestman/core'
import { expect, test } from 'vitest'

import { refusalOf } from './errors.ts'

test.each([
  [['parsers', 0, 'mode'], 'parsers[0].mode must be fast.', 'parsers.0.mode must be fast.'],
  [['headers', 'x[1]'], 'headers.x[1] must be a string.', 'headers.x[1] must be a string.'],
  [['headers', 'a b', 1], 'headers.a b[1] must be a string.', 'headers.a b.1 must be a string.'],
  [[], 'The request must be an object.', 'The request must be an object.'],
])('a message about the field %j has the path of the public API', (path, message, expected) => {
  const details = { problems: [{ code: 'invalid_type', path, message }] }
  expect(refusalOf(new EngineError('invalid_request', message, { details })).error).toBe(expected)
})
