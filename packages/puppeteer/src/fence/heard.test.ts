import { afterEach, expect, test, vi } from 'vitest'

import { hear } from './heard.ts'

afterEach(() => vi.restoreAllMocks())

const much = 'x'.repeat(100_000)
const mine = { sessionId: 'S' }

test.each<[string, object]>([
  ['an answer', { id: 12, result: { value: much }, ...mine }],
  ['an answer with the marks of another in it', { id: 12, result: { value: `${much},"sessionId":"OTHER"}` }, ...mine }],
  ['an event', { method: 'Runtime.consoleAPICalled', params: { text: much }, ...mine }],
])('no values are made of a large message that is passed on: %s', (_name, message) => {
  const text = JSON.stringify(message)
  const parse = vi.spyOn(JSON, 'parse')
  const { id, method, sessionId, written = '' } = hear(text)
  expect(parse).not.toHaveBeenCalled()
  const { params, result, ...envelope } = message as { params?: object; result?: object }
  expect(JSON.parse(JSON.stringify({ id, method, sessionId }))).toEqual(envelope)
  expect(JSON.parse(written)).toEqual(params ?? result)
})

test.each<[string, object]>([
  ['a small one', { id: 1, result: {}, ...mine }],
  ['of a target', { method: 'Target.attachedToTarget', params: { url: much }, ...mine }],
  ['an error', { id: 1, error: { message: much }, ...mine }],
  ['without a session', { id: 1, result: { value: much } }],
  ['in another order', { id: 1, sessionId: 'S', result: { value: much } }],
  ['with more behind it', { id: 1, result: { value: much }, sessionId: 'S', more: 1 }],
])('whatever else is read whole: %s', (_name, message) => {
  expect(hear(JSON.stringify(message))).toEqual(message)
})

test('values are made of a large message when they are asked for', () => {
  expect(hear(JSON.stringify({ id: 1, result: { data: much }, ...mine })).result).toEqual({ data: much })
  expect(hear(JSON.stringify({ method: 'A.b', params: { data: much }, ...mine })).params).toEqual({ data: much })
})
