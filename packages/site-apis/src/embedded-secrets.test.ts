import { expect, test } from 'vitest'

import { hasEmbeddedSecret } from './embedded-secrets.ts'

const token = 'abc123def456ghi789'
const nested = (value: object, levels: number): string =>
  levels === 0 ? JSON.stringify(value) : nested({ variables: JSON.stringify(value) }, levels - 1)
const deep = `${'{"a":'.repeat(1_000)}{"token":"word"}${'}'.repeat(1_000)}`

test.each([
  ['a secret name', JSON.stringify({ first: 12, accessToken: 'word' })],
  ['a random value', JSON.stringify({ first: 12, filter: [{ x: token }] })],
  ['a number with the name of a password', JSON.stringify({ login: { pin: 4711 } })],
  ['a value in an object with the name of a password', JSON.stringify({ credentials: { user: 'ann' } })],
  ['JSON in JSON', nested({ token: 'word' }, 2)],
  ['more levels of JSON than are read', nested({ first: 12 }, 3)],
  ['a secret name in a deep document', deep],
  ['another value than the name of a persisted query', JSON.stringify({ persistedQuery: { sha256Hash: token } })],
  ['a GraphQL literal', `{ lamps(note: "", apiKey: "word") { name } }`],
  ['a GraphQL block string', '{ lamps(token: """word""") { name } }'],
  ['JSON that is incomplete', '{"first":12,"token":"word"'],
])('a value with %s has a secret', (_, text) => {
  expect(hasEmbeddedSecret(text, new Set())).toBe(true)
})

test.each([
  ['plain text', 'floor lamps of 2024'],
  ['variables', JSON.stringify({ first: 12, sort: 'price', token: null, kinds: ['floor', 'desk'] })],
  ['a value of the page', JSON.stringify({ slug: 'floor-lamps-2024' })],
  ['the name of a persisted query', JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'a1'.repeat(32) } })],
  [
    'a GraphQL query',
    'query Lamps($token: String, $kind: String = "floor") { lamps(kind: "desk", token: $token) { key } }',
  ],
])('a value with %s has no secret', (_, text) => {
  expect(hasEmbeddedSecret(text, new Set(['floor-lamps-2024']))).toBe(false)
})
