import { expect, test } from 'vitest'

import { checkReadable } from './readable.ts'

const sealed = { $sealed: 'of another key' }

test('a request whose credentials are still encrypted is rejected with their names', () => {
  const request = { url: 'https://example.com/', headers: { authorization: sealed }, location: { country: 'US' } }
  expect(() => checkReadable(request)).toThrow('The stored authorization of this request cannot be decrypted')
  // Rejected again, because only readable parts are remembered.
  expect(() => checkReadable(request)).toThrow('authorization')
})

test('a part that is readable in one request does not hide an encrypted one of another request', () => {
  const location = { country: 'US' }
  checkReadable({ url: 'https://example.com/a', location })
  const other = { url: 'https://example.com/b', location, actions: [{ type: 'write', text: 'sealed:of another key' }] }
  expect(() => checkReadable(other)).toThrow('The stored text of this request')
})
