import { EngineError } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { explainFormats } from './page-options.ts'

const problem = (path: readonly (string | number)[], message: string): EngineError =>
  new EngineError('invalid_request', message, { details: { problems: [{ code: 'custom', path, message }] } })

test.each([
  [['waitFor'], 'waitFor must be at most 60000, but is 1e9.', 'waitFor (--wait) must be at most 60000, but is 1e9.'],
  [['includePaths', 0], 'includePaths[0] is wrong.', 'includePaths[0] (--include-paths) is wrong.'],
  [['headers'], 'headers: The header "a b" is wrong.', 'headers (--header): The header "a b" is wrong.'],
  [['timeout'], 'timeout must be at least 1000, but is 5.', 'timeout must be at least 1000, but is 5.'],
])('the problem of an option names the flag that sets it, if that has another name: %j', (path, message, expected) => {
  expect(explainFormats(problem(path, message), { formats: ['markdown'] })).toMatchObject({
    code: 'invalid_request',
    message: expected,
  })
})

test('an error about something else is unchanged', () => {
  const error = new EngineError('timeout', 'Too slow.')
  expect(explainFormats(error, { formats: ['markdown'] })).toBe(error)
})
