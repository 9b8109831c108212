import { expect, test } from 'vitest'

import { parseProxy } from './proxy-address.ts'

test.each([
  ['http://proxy.example', 'http', 'proxy.example', 80],
  ['https://proxy.example', 'https', 'proxy.example', 443],
  ['socks5://10.0.0.1', 'socks5', '10.0.0.1', 1080],
  ['socks5h://proxy.example:9', 'socks5', 'proxy.example', 9],
  ['http://[::1]:3128/', 'http', '::1', 3128],
])('%s is a proxy', (text, kind, host, port) => {
  expect(parseProxy(text)).toMatchObject({ kind, host, port, authorization: undefined })
})

test('a name and a word become what an HTTP proxy is told, also when they are written in percent signs', () => {
  const { username, password, authorization } = parseProxy('http://us%40er:p%3Aw@proxy.example:1')
  expect([username, password]).toEqual(['us@er', 'p:w'])
  expect(authorization).toBe(`Basic ${Buffer.from('us@er:p:w').toString('base64')}`)
})

test('what is refused is not repeated: it can hold a secret', () => {
  expect(() => parseProxy('gopher://user:secret@proxy')).toThrow(/^(?!.*secret).*not the URL of a proxy/)
})
