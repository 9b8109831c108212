import { expect, test } from 'vitest'

import { EngineError } from './error.ts'

test('an error printed as JSON says its code, its message and its details, and nothing from inside', () => {
  const cause = new Error('inner secret')
  const error = new EngineError('timeout', 'The page did not load in time.', { details: { timeout: 30_000 }, cause })
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: 'EngineError',
      code: 'timeout',
      message: 'The page did not load in time.',
      details: { timeout: 30_000 },
    },
  })
})
