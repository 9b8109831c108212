import { describe, expect, test } from 'vitest'

import { makeForwarded, type TrustedProxies } from './forwarded.ts'

const headers = {
  'x-forwarded-for': '9.9.9.9, 198.51.100.1',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'web.example',
  'x-forwarded-prefix': '/data',
}

function read(peer: string | undefined, trusted?: TrustedProxies, more: Record<string, string> = {}) {
  return makeForwarded(trusted)(new Request('http://a/', { headers: { ...headers, ...more } }), peer)
}

describe('Headers of a proxy', () => {
  test.each(['203.0.113.9', '172.18.0.2', '10.0.0.7', '192.168.1.4', 'fd00::4'])(
    'are ignored from a peer that is not a trusted proxy, also in a private network: %s',
    (peer) => {
      expect(read(peer)).toEqual({ caller: peer })
      expect(read(peer, false)).toEqual({ caller: peer })
      expect(read(peer, ['10.1.0.0/16', '203.0.113.8'])).toEqual({ caller: peer })
    },
  )

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('give caller and scheme from this machine: %s', (peer) => {
    expect(read(peer)).toEqual({ caller: '198.51.100.1', scheme: 'https' })
    expect(read(peer, [])).toEqual({ caller: peer.replace('::ffff:', '') })
  })

  test('give all from a proxy that the operator named, the last address being the one that it added', () => {
    const all = { caller: '198.51.100.1', scheme: 'https', host: 'web.example', prefix: '/data' }
    expect(read('10.0.0.7', ['10.0.0.0/8'])).toEqual(all)
    expect(read('fd00::4', ['fd00::/8'])).toEqual(all)
    expect(read('203.0.113.9', true)).toEqual(all)
  })

  test('name the caller before a chain of trusted proxies, and never one that it claims to be', () => {
    const chain = { 'x-forwarded-for': '1.1.1.1, 198.51.100.7:5123, [::ffff:10.0.0.9]:80' }
    expect(read('10.0.0.7', ['10.0.0.0/8'], chain).caller).toBe('198.51.100.7')
    expect(read('10.0.0.7', ['10.0.0.0/8'], { 'x-forwarded-for': 'nobody' }).caller).toBe('10.0.0.7')
  })

  test('give nothing but the scheme where a framework does not name the peer', () => {
    expect(read(undefined)).toEqual({ caller: '', scheme: 'https' })
    expect(read(undefined, true).host).toBe('web.example')
    expect(read(undefined, false, { 'x-forwarded-proto': 'javascript' })).toEqual({ caller: '' })
  })

  test.each(['proxy.internal', '10.0.0.0/33', '10.0.0.0/', '', '10.0.0.0/8/8'])(
    'of a network that is none are refused by its name: %j',
    (network) => expect(() => makeForwarded([network])).toThrow(`${JSON.stringify(network)} is not a network`),
  )
})
