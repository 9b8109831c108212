import { expect, test } from 'vitest'

import { readConfig } from './config.ts'

test('headers of every page are an object, or its JSON in the environment', () => {
  const env = { HARVESTMAN_HEADERS: '{"from": "me@example.com"}', HARVESTMAN_ROBOTS: 'always' }
  expect(readConfig({ env }).config).toMatchObject({ headers: { from: 'me@example.com' }, robots: 'always' })
  const file = { name: 'a.json', text: '{"headers": {"from": "us@example.com"}}' }
  expect(readConfig({ file }).config.headers).toEqual({ from: 'us@example.com' })
})

test.each([
  ['HARVESTMAN_HEADERS', 'from: me', /^headers must be an object of texts.*from HARVESTMAN_HEADERS/],
  [
    'HARVESTMAN_ROBOTS',
    'sometimes',
    /^robots is "sometimes"; use one of crawls, always, never.*from HARVESTMAN_ROBOTS/,
  ],
])('a wrong %s is said with its name', (name, value, message) => {
  expect(() => readConfig({ env: { [name]: value } })).toThrow(message)
})
