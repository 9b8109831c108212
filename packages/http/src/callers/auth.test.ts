import { describe, expect, test } from 'vitest'

import { apiKeys } from './auth.ts'

function asking(key: string): Request {
  return new Request('http://api.test/', { headers: { authorization: `Bearer ${key}` } })
}

describe('A list of keys', () => {
  test('gives each key its team, and keys without one the team "default"', async () => {
    const authenticate = apiKeys(' acme:a-1 , plain,acme:a-2,b.c_d-e:fc-0f3a ')
    expect(await authenticate?.(asking('a-1'))).toEqual({ team: 'acme' })
    expect(await authenticate?.(asking('a-2'))).toEqual({ team: 'acme' })
    expect(await authenticate?.(asking('plain'))).toEqual({ team: 'default' })
    expect(await authenticate?.(asking('fc-0f3a'))).toEqual({ team: 'b.c_d-e' })
    expect(await authenticate?.(asking('acme'))).toBeUndefined()
    expect(await authenticate?.(asking('A-1'))).toBeUndefined()
  })

  test('may be a list of texts, whose entries may hold commas', async () => {
    expect(await apiKeys(['acme:a,b'])?.(asking('a,b'))).toEqual({ team: 'acme' })
  })

  test('takes what follows the first colon as the key', async () => {
    expect(await apiKeys('acme:a:b')?.(asking('a:b'))).toEqual({ team: 'acme' })
  })

  test('is no list when it is empty', () => {
    expect(apiKeys('')).toBeUndefined()
    expect(apiKeys(' , ,')).toBeUndefined()
    expect(apiKeys([])).toBeUndefined()
  })

  test('may not give one key to two teams, and says so without the key', () => {
    expect(() => apiKeys('one:secret,two:secret')).toThrow(/one and two have the same API key/)
    expect(() => apiKeys('one:secret,two:secret')).not.toThrow(/secret/)
    expect(apiKeys('one:secret,one:secret')).toBeDefined()
  })

  test.each(['acme:', ':secret', 'my team:secret', 'secret with spaces'])('refuses %s without showing it', (list) => {
    expect(() => apiKeys(list)).toThrow(/neither "key" nor "team:key"/)
    expect(() => apiKeys(list)).not.toThrow(/secret/)
  })
})
