import { expect, test } from 'vitest'

import { publicMessage } from './covers.ts'
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

test('a public message has nothing of the server, whatever was thrown', () => {
  const inner = 'redis://10.1.2.3:6379 /srv/data'
  for (const code of ['store_failed', 'newer_version', 'closed', 'internal'] as const)
    expect(publicMessage(new EngineError(code, inner))).not.toContain(inner)
  for (const thrown of [new Error(inner), inner, undefined]) {
    expect(publicMessage(thrown)).toBe('An unexpected error occurred.')
    expect(publicMessage(thrown, 'The check failed.')).toBe('The check failed.')
  }
  expect(publicMessage(new EngineError('internal', inner), 'The format has a bug.')).toBe('The format has a bug.')
  expect(publicMessage(new EngineError('timeout', 'Too slow.'), 'The check failed.')).toBe('Too slow.')
})
