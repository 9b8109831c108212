import { expect, test } from 'vitest'

import { hasCredentials, isSealed, sealedMark, sealedScheme } from './sealed.ts'

test.each([
  ['https://a.test/?q=token', false],
  ['https://a.test/@name', false],
  ['mailto:a@b.test', false],
  ['https://a.test/?x=1&access_token=x', true],
  ['http://me@a.test/', true],
  ['https://hooks.slack.com/services/T/B/x', true],
])('%s has credentials: %s', (url, expected) => {
  expect(hasCredentials(url)).toBe(expected)
})

test('a URL too long to be one is not searched for credentials', () => {
  expect(hasCredentials(`https://a.test/?token=${'x'.repeat(10_000)}`)).toBe(false)
})

test('what is encrypted is known by its prefix or its only member', () => {
  expect([`${sealedScheme}abc`, { [sealedMark]: 'abc' }].map(isSealed)).toEqual([true, true])
  expect(['abc', {}, null, undefined, 3, [sealedMark]].map(isSealed)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})
