import { createPrivateKey } from 'node:crypto'

import { expect, test } from 'vitest'

import { makeBotKey, readBotKey } from './bot-key.ts'

// The Ed25519 key of RFC 9421, B.1.4, and its thumbprint in the drafts of Web Bot Auth.
const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'
const x = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs'
const jwk = { kty: 'OKP', crv: 'Ed25519', d, x }
const id = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'

const asPem = (): string =>
  createPrivateKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'pkcs8' }) as string

test.each([
  ['base64url', d],
  ['base64url with padding and spaces', ` ${d}=\n`],
  ['a JSON Web Key', JSON.stringify(jwk)],
  ['PEM', asPem()],
])('a key is read from %s, and named by its thumbprint', (_, text) => {
  expect(readBotKey(text)).toMatchObject({ id, publicKey: { kty: 'OKP', crv: 'Ed25519', x } })
})

test('a signature is that of RFC 9421, B.2.6', () => {
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    '"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  ].join('\n')
  expect(readBotKey(d).sign(base)).toBe(
    'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  )
})

test.each([
  ['an empty string', ''],
  ['a short key', 'n4Ni-HpISpVObnQMW0w'],
  ['a public key', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })],
  ['a key of another curve', JSON.stringify({ ...jwk, crv: 'X25519' })],
  ['broken JSON', `{"d":"${d}"`],
])('%s is refused, with a message and a stack that do not quote it', (_, text) => {
  const read = (): unknown => readBotKey(text)
  expect(read).toThrow(/not a private Ed25519 key/)
  try {
    read()
  } catch (error) {
    const { message, stack, cause } = error as Error
    expect(`${message}${stack}`).not.toContain('n4Ni')
    expect(cause).toBeUndefined()
  }
})

test('the message about a JSON Web Key that was split at its commas names the places where it works', () => {
  const [part = ''] = JSON.stringify(jwk).split(',')
  expect(() => readBotKey(part)).toThrow(
    /JSON Web Key works in the configuration file and in code, not in HARVESTMAN_BOT_KEYS/,
  )
})

test('a new key is random, and its private part can be read again', () => {
  const [one, two] = [makeBotKey(), makeBotKey()]
  expect(one.privateKey).not.toBe(two.privateKey)
  expect(readBotKey(one.privateKey).id).toBe(one.id)
})
