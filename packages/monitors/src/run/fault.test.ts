import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { messageOf } from './fault.ts'

test.each(['store_failed', 'newer_version', 'internal'] as const)(
  'a check that fails with %s names no host',
  (code) => {
    const message = messageOf(new EngineError(code, 'Redis failed. (ECONNREFUSED 10.0.0.5:6379)'))
    expect(message).not.toContain('10.0.0.5')
  },
)

test('a check that fails for another reason says which', () => {
  const message = 'The page did not load in time.'
  expect(messageOf(new EngineError('timeout', message))).toBe(message)
  expect(messageOf(new Error('at /home/me'))).toBe('The check failed.')
})
