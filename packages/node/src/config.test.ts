import { expect, test } from 'vitest'

import { keepSchema, limitsSchema } from '@harvestman/core/schema'
import { liveLimitsSchema } from '@harvestman/live/options'

import { readConfig } from './config.ts'
import { environmentNames } from './setting-variables.ts'

test('headers of every page are an object, or its JSON in the environment', () => {
  const env = { HARVESTMAN_HEADERS: '{"from": "me@example.com"}', HARVESTMAN_ROBOTS: 'always' }
  expect(readConfig({ env }).config).toMatchObject({ headers: { from: 'me@example.com' }, robots: 'always' })
  const file = { name: 'a.json', text: '{"headers": {"from": "us@example.com"}}' }
  expect(readConfig({ file }).config.headers).toEqual({ from: 'us@example.com' })
})

test.each([
  ['HARVESTMAN_HEADERS', 'from: me', /^headers must be an object.*from HARVESTMAN_HEADERS/],
  [
    'HARVESTMAN_ROBOTS',
    'sometimes',
    /^robots is "sometimes"; use one of crawls, always, never.*from HARVESTMAN_ROBOTS/,
  ],
])('a wrong %s is said with its name', (name, value, message) => {
  expect(() => readConfig({ env: { [name]: value } })).toThrow(message)
})

const groups = { limits: limitsSchema(), keep: keepSchema(), live: liveLimitsSchema }
const all = Object.entries(groups).flatMap(([group, { shape }]) =>
  Object.keys(shape).map((key) => [group, key] as const),
)

test.each(all)(
  '%s.%s is set by the environment, a file or what is given last, each winning over the one before',
  (group, key) => {
    const name = `${group}.${key}`
    const [first = ''] = Object.entries(environmentNames).find(([known]) => known === name)?.[1] ?? []
    const valueIn = (sources: Parameters<typeof readConfig>[0]): unknown =>
      (readConfig(sources).config[group as keyof typeof groups] as Readonly<Record<string, unknown>>)[key]
    const file = { name: 'a.jsonc', text: JSON.stringify({ [group]: { [key]: 201 } }) }
    expect(valueIn({ file })).toBe(201)
    expect(valueIn({ file: { ...file, text: JSON.stringify({ [name]: 201 }) } })).toBe(201)
    expect(valueIn({ file, env: { [first]: '202' } })).toBe(202)
    expect(valueIn({ file, env: { [first]: '202' }, given: { [name]: '203' } })).toBe(203)
  },
)

test('a setting of a group that there is not, or with a wrong value, is refused by its name and where it came from', () => {
  expect(() => readConfig({ env: { HARVESTMAN_LIMITS_CONCURRENCY: 'many' } })).toThrow(
    /^limits\.concurrency .*from HARVESTMAN_LIMITS_CONCURRENCY/,
  )
  expect(() => readConfig({ given: { 'limits.speed': '3' } })).toThrow(/speed/)
  expect(() => readConfig({ given: { 'more.speed': '3' } })).toThrow(/more/)
  expect(() => readConfig({ given: { limits: '3' } })).toThrow(/limits/)
})
