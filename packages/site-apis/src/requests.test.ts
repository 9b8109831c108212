import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { fillRequest, isReading, templateOf, withRequestValue } from './requests.ts'

const exchange = (more: Partial<Exchange>): Exchange => ({
  ...{ method: 'POST', url: 'https://a.example/api?x=1', headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map(), text: '' },
  ...more,
})

const body = (value: unknown): Partial<Exchange> => ({ sent: JSON.stringify(value) })

test.each([
  ['a GET request', { method: 'GET' }, true],
  ['an anonymous query', body({ query: '{ lamps }' }), true],
  [
    'a query after a comment and a fragment',
    body({ query: '# mutation\nfragment F on L { a } query Q { ...F }' }),
    true,
  ],
  [
    'a query with a string',
    body({ query: 'query Q($a: In = { b: 1 }) { lamps(name: "} mutation {") { name } }' }),
    true,
  ],
  ['a query with a block string', body({ query: String.raw`{ a(b: """x \""" {""") }` }), true],
  ['a batch of queries', body([{ query: '{ a }' }, { query: 'query B { b }' }]), true],
  ['a mutation', body({ query: 'mutation { buy }' }), false],
  ['a mutation after a comment', body({ query: '# query\nmutation { buy }' }), false],
  ['a mutation after a fragment', body({ query: 'fragment F on L { a } mutation { buy { ...F } }' }), false],
  ['a mutation after a query', body({ query: 'query Q { a } mutation M { buy }', operationName: 'M' }), false],
  ['a mutation after a string with a number sign', body({ query: 'query Q { a(b: "#") } mutation M { buy }' }), false],
  ['a batch with a mutation', body([{ query: '{ a }' }, { query: 'mutation { b }' }]), false],
  ['an empty batch', body([]), false],
  ['a persisted query', body({ operationName: 'Lamps', extensions: { persistedQuery: { sha256Hash: 'a' } } }), false],
  ['a plain JSON body', body({ kind: 'lamp' }), false],
  ['a form', { sent: 'action=buy', headers: new Map([['content-type', 'application/x-www-form-urlencoded']]) }, false],
  ['a POST request without a body', {}, false],
] as const)('%s is a request that only reads, or not', (_, more, expected) => {
  expect(isReading(templateOf(exchange(more))!)).toBe(expected)
})

test('a URL with a password is not repeated', () => {
  expect(templateOf(exchange({ url: 'https://me:secret@a.example/api' }))).toBeUndefined()
})

test('a request with a body that is too large for a recipe is not repeated', () => {
  expect(templateOf(exchange({ sent: JSON.stringify({ query: `{ ${'a '.repeat(33_000)} }` }) }))).toBeUndefined()
})

test('a value that fills a placeholder is not a placeholder itself', () => {
  const request = withRequestValue(templateOf(exchange({}))!, { in: 'query', path: ['x'] }, '{{page.q}}')
  const values = new Map([
    ['page.q', '{{token1}}'],
    ['token1', 'secret'],
  ])
  expect(fillRequest(request, values).query).toEqual([['x', '{{token1}}']])
})

test.each([
  ['token', false],
  ['kind', true],
])('a body that is too deep to be searched and contains the name %s is repeated: %s', (name, isRepeated) => {
  const sent = `${'{"a":'.repeat(13)}{"${name}":"floor"}${'}'.repeat(13)}`
  expect(templateOf(exchange({ sent })) !== undefined).toBe(isRepeated)
})
