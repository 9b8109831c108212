import { expect, test } from 'vitest'

import { makePrint } from './secrets.ts'

const print = makePrint(['s3cret', 'Zm9vOnMzY3JldA=='])

test('what holds a secret is left out of a message, wherever it stands, and all else stays', () => {
  const message = {
    method: 'Network.requestWillBeSentExtraInfo',
    params: {
      headers: { Host: 'site.test', 'Proxy-Authorization': 'Basic Zm9vOnMzY3JldA==' },
      headersText: 'GET / HTTP/1.1\r\nProxy-Authorization: Basic Zm9vOnMzY3JldA==\r\n',
      list: ['a', 's3cret', 'b'],
    },
  }
  expect(JSON.parse(print(message))).toEqual({
    method: 'Network.requestWillBeSentExtraInfo',
    params: { headers: { Host: 'site.test' }, list: ['a', null, 'b'] },
  })
})

test('a message without a secret is printed as it is', () => {
  const message = { id: 1, result: { data: 'public' } }
  expect(print(message)).toBe(JSON.stringify(message))
})

test('a large message that holds a secret is searched for it, and not said at all when that would take long', () => {
  const head = { id: 1, sessionId: 'S' }
  const value = (size: number, more: object): string => JSON.stringify({ text: 'x'.repeat(size), ...more })
  expect(print.large(head, 'result', value(100_000, {}))).toBe(
    `{"id":1,"sessionId":"S","result":${value(100_000, {})}}`,
  )
  expect(print.large(head, 'params', value(100_000, { key: 's3cret' }))).toBe(
    JSON.stringify({ ...head, params: { text: 'x'.repeat(100_000) } }),
  )
  expect(print.large(head, 'result', value(2_000_000, { key: 's3cret' }))).toBeUndefined()
})
