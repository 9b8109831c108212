import { expect, test } from 'vitest'

import { EngineError } from './error.ts'
import { messageWith } from './remedies.ts'

const details = { port: 'search', problem: 'An agent needs a search provider.', otherRemedy: 'Or give urls.' }
const missing = new EngineError('not_configured', `${details.problem} Pass createEngine({ search }). Or give urls.`, {
  details,
})

test('a missing port gets the remedy of those who read the message, and keeps the other remedy', () => {
  const told = 'An agent needs a search provider. Set SEARXNG_ENDPOINT. Or give urls.'
  expect(messageWith(missing, { search: 'Set SEARXNG_ENDPOINT.' })).toBe(told)
})

test('a port without a remedy gets the general one, or keeps the message', () => {
  expect(messageWith(missing, {}, 'Ask the operator.')).toBe(
    'An agent needs a search provider. Ask the operator. Or give urls.',
  )
  expect(messageWith(missing, {})).toBe(missing.message)
})

test('a blocked URL gets the remedy for its code, and no general one', () => {
  const problem = 'This URL is blocked.'
  const blocked = new EngineError('url_blocked', `${problem} Pass allowPrivate.`, { details: { problem } })
  expect(messageWith(blocked, { url_blocked: 'Set ALLOW.' }, 'y')).toBe('This URL is blocked. Set ALLOW.')
  expect(messageWith(blocked, {}, 'y')).toBe(blocked.message)
})

test('other errors keep their message', () => {
  const unsafe = new EngineError('not_configured', 'It is off.', { details: { port: 'search' } })
  const late = new EngineError('timeout', 'Too slow.', { details: { port: 'search' } })
  for (const error of [unsafe, late]) expect(messageWith(error, { search: 'x' }, 'y')).toBe(error.message)
})

test('a missing parser gets the general remedy, or keeps the message', () => {
  const problem = 'No parser reads image/jp2.'
  const unread = new EngineError('unsupported_file', `${problem} Add a plugin.`, {
    details: { problem, isMissing: true },
  })
  expect(messageWith(unread, {}, 'Ask the operator.')).toBe(`${problem} Ask the operator.`)
  expect(messageWith(unread, {})).toBe(unread.message)
})
