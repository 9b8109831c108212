import { describe, expect, test } from 'vitest'

import { encodedJson, encodeJson } from '@harvestman/ports/values'
import { isSealed } from '@harvestman/toolbox/sealed'

import { openVault } from './vault.ts'

const request = {
  url: 'https://me:pa55@a.test/',
  scrapeOptions: { headers: { authorization: 'Bearer t0ken' }, actions: [{ type: 'write', text: 'pa55' }] },
  webhook: { url: 'https://b.test/?api_key=k3y', headers: { 'x-api-key': 'k3y' } },
  limit: 3,
}
const key = 'a key of 16 or more'
const isSecret = (name: string) => ['headers', 'actions', 'apiKey'].includes(name)

describe('a vault', () => {
  test('encrypts headers, actions and URLs with credentials, and gives them back with the same key', () => {
    const sealed = openVault({ secretKey: key, isSecret }).seal(request)
    expect(JSON.stringify(sealed)).not.toMatch(/pa55|t0ken|k3y/)
    expect(sealed).toMatchObject({ limit: 3 })
    expect(openVault({ secretKey: key, isSecret }).open(sealed)).toEqual(request)
  })

  test('encrypts text, too, where its name is one of a secret', () => {
    const vault = openVault({ secretKey: key, isSecret })
    const sealed = vault.seal({ apiKey: 'k3y', other: 'k3y', deep: [{ apiKey: '' }] })
    expect(sealed).toMatchObject({ apiKey: expect.stringMatching(/^sealed:/), other: 'k3y', deep: [{ apiKey: '' }] })
    expect(vault.open(sealed)).toEqual({ apiKey: 'k3y', other: 'k3y', deep: [{ apiKey: '' }] })
  })

  test('decodes a value that is encoded as JSON, and encrypts the credentials in it', () => {
    const vault = openVault({ secretKey: key, isSecret })
    const encoded = (value: unknown) => encodedJson(encodeJson(value)!)
    const links = ['https://bob:hunter2@a.test/', 'https://a.test/']
    const sealed = vault.seal({ values: { links: encoded(links) }, headers: encoded({ authorization: 'hunter2' }) })
    expect(JSON.stringify(sealed)).not.toContain('hunter2')
    expect(vault.open(sealed)).toEqual({ values: { links }, headers: { authorization: 'hunter2' } })
    expect(vault.open(vault.seal(encoded(links)))).toEqual(links)
  })

  test('leaves values without credentials as they are, and encrypts nothing twice', () => {
    const vault = openVault({ secretKey: key, isSecret })
    const plain = { url: 'https://a.test/', headers: {}, actions: [], list: ['a@b.test', 'x?token=1'] }
    expect(vault.seal(plain)).toBe(plain)
    const sealed = vault.seal(request)
    expect(vault.seal(sealed)).toBe(sealed)
    expect(vault.seal(request)).toEqual(sealed)
  })

  test('with another key leaves credentials encrypted, and they can be told', () => {
    const opened = openVault({ secretKey: 'another key, as long', isSecret }).open(
      openVault({ secretKey: key, isSecret }).seal(request),
    ) as typeof request
    expect([opened.url, opened.scrapeOptions.headers, opened.scrapeOptions.actions].map(isSealed)).toEqual([
      ...[true, true, true],
    ])
    expect(openVault({ secretKey: key, isSecret }).open(opened)).toEqual(request)
  })

  test('without a key serves the engines of one process', () => {
    expect(openVault({ isSecret }).open(openVault({ isSecret }).seal(request))).toEqual(request)
  })
})
