import { expect, test } from 'vitest'

import { isOpaque, isOpaqueHeader, isSecretName } from './secret-values.ts'

test.each([
  ['a1b2c3d4e5f6a7b8', true],
  ['1764479900', true],
  ['1764479900123', true],
  ['lamps', false],
  ['query Lamps($first: Int) { lamps }', false],
  [12, false],
])('%s may be a secret: %s', (value, expected) => {
  expect(isOpaque(value)).toBe(expected)
})

test.each([
  ['abcdefghijklmnopqrstuvwxyz', true],
  ['application/vnd.lamps+json', false],
  ['XMLHttpRequest', false],
  ['some words that are long', false],
  [`a1${'b'.repeat(5_000)}`, true],
])('the header value %.30s may be a secret: %s', (value, expected) => {
  expect(isOpaqueHeader(value)).toBe(expected)
})

test.each([
  'password',
  'userPwd',
  'user_pass',
  'pin',
  'otp',
  'credentials',
  'jwt',
  'sid',
  'code',
  'apiKey',
  'loginCode',
  'Authorization',
  'authKey',
  'signature',
  'X-Signed',
  'userpassword',
  'Password1',
  'loginpwd',
  'userpass',
  'passcode',
  'pincode',
  'sig',
  'hmac',
  'x-userpwd',
  ...['codeSign', 'nodeSignature', 'hasSign', 'signalKey', 'authorKey', 'pw', 'psw', 'cred', 'creds', 'bearer'],
  ...['PHPSESSID', 'a'.repeat(201)],
])('a value named %s is secret', (name) => {
  expect(isSecretName(name)).toBe(true)
})

test.each([
  ...['passengers', 'shipping', 'side', 'countryCode', 'page', 'q', 'keyword', 'keywords', 'search-keyword', 'author'],
  ...['authors', 'design', 'designer', 'assignee', 'signal', 'keyboardLayout', 'compass'],
  ...['authorId', 'searchkeyword', 'assignedTo', 'consignee', 'significant', 'designerName', 'redesign'],
])('a value named %s is not secret', (name) => {
  expect(isSecretName(name)).toBe(false)
})
