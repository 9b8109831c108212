import { expect, test } from 'vitest'

import type { Exchange } from './exchanges.ts'
import { fillRequest, templateOf, withRequestValue } from './requests.ts'

const exchange = (more: Partial<Exchange>): Exchange => ({
  ...{ method: 'POST', url: 'https://a.example/api?x=1', headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map(), text: '' },
  ...more,
})

test('requests that change data are not repeated', () => {
  expect(templateOf(exchange({ sent: JSON.stringify({ query: 'mutation { buy }' }) }))).toBeUndefined()
  expect(templateOf(exchange({ method: 'DELETE' }))).toBeUndefined()
  expect(templateOf(exchange({ sent: JSON.stringify({ query: '{ lamps }' }) }))).toBeDefined()
})

test('a URL with a password is not repeated', () => {
  expect(templateOf(exchange({ url: 'https://me:secret@a.example/api' }))).toBeUndefined()
})

test('a value that fills a placeholder is not a placeholder itself', () => {
  const request = withRequestValue(templateOf(exchange({}))!, { in: 'query', path: ['x'] }, '{{page.q}}')
  const values = new Map([
    ['page.q', '{{token1}}'],
    ['token1', 'secret'],
  ])
  expect(fillRequest(request, values).query).toEqual([['x', '{{token1}}']])
})
