import { expect, test } from 'vitest'

import { readAnswer } from './answer.ts'

const api = 'https://shop.test/api/teas'
const list = [{ id: 1 }, { id: 2 }]

test.each([
  ['an offset', `${api}?offset=20&limit=2`, { list }, `${api}?offset=22&limit=2`],
  ['a page', `${api}?page=3`, { list }, `${api}?page=4`],
  ['an address in the JSON', api, { list, next: '/api/teas?after=x' }, `${api}?after=x`],
  ['an address beside the paging', `${api}?page=1`, { paging: { next: '?page=b' }, list }, `${api}?page=b`],
  ['a cursor that the address has too', `${api}?cursor=a`, { list, pageInfo: { endCursor: 'b' } }, `${api}?cursor=b`],
  ['no cursor at the end', `${api}?cursor=a&page=1`, { list, nextCursor: null }, undefined],
  ['nothing that counts', `${api}?sort=price`, { list, page: 1 }, undefined],
  ['another host', api, { list, next: 'https://other.test/teas' }, undefined],
  ['an empty page', `${api}?page=3`, { list: [] }, undefined],
])('a page of JSON leads on by %s', (_, url, json, next) => {
  expect(readAnswer({ url, text: JSON.stringify(json) }, '/list')?.next).toBe(next)
})

test('what has no list there is no page of it', () => {
  expect(readAnswer({ url: api, text: '{"list":{}}' }, '/list')).toBeUndefined()
  expect(readAnswer({ url: api, text: '<html>' }, '/list')).toBeUndefined()
})
