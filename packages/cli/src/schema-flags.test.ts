import { describe, expect, test } from 'vitest'

import { answers } from '@harvestman/data/answers'
import { hasInput } from '@harvestman/core/plugin'
import { describeSchema, type DescribedSchema } from '@harvestman/core/schema'
import { ownFeatures } from '@harvestman/node/own-features'

import { Option } from './command-line.ts'
import { valueOf } from './schema-flags.ts'
import { aboutFlag, describedRequest } from './words.ts'

const columns = { type: 'array', items: { type: 'string' } } as const
const by = { name: 'key', field: columns, option: new Option('--by <columns>') }
const param = { name: 'parameters', field: { type: 'object' }, option: new Option('-p, --param <name=value>') }

test('a list is given as several words, or as one with commas', () => {
  expect(valueOf(by, ['url', 'name'])).toEqual([['key', ['url', 'name']]])
  expect(valueOf(by, 'url, name')).toEqual([['key', ['url', 'name']]])
})

test('an object is given as pairs, whose values may have equals signs', () => {
  expect(valueOf(param, ['city=Oslo', 'query=a=b'])).toEqual([['parameters', { city: 'Oslo', query: 'a=b' }]])
  expect(() => valueOf(param, ['Oslo'])).toThrow('--param must be name=value, but is Oslo.')
})

describe('a flag that turns an option off', () => {
  const requests: readonly (readonly [string, DescribedSchema])[] = [
    ...answers.jobs.map((part) => [part.kind, describedRequest(part)] as const),
    ...ownFeatures.flatMap(({ name, endpoints, commands }) => [
      ...Object.entries(endpoints).flatMap(([key, endpoint]) =>
        hasInput(endpoint) ? [[`${name} ${key}`, describeSchema(endpoint.input)] as const] : [],
      ),
      ...Object.entries(commands).map(([key, { input }]) => [`${name} ${key}`, describeSchema(input)] as const),
    ]),
  ]
  const flags = requests.flatMap(([request, { properties = {} }]) =>
    Object.entries(properties).flatMap(([name, field]) =>
      field.type === 'boolean' && field.default === true ? [[`${request} ${name}`, field] as const] : [],
    ),
  )

  test('exists in the commands of our own kinds and features', () => {
    expect(flags.map(([name]) => name)).toEqual(
      expect.arrayContaining(['extract includeSubdomains', 'llmstxt cache', 'scripts run repair']),
    )
  })

  test.each(flags)('has a sentence of its own on what it does: %s', (_, field) => {
    expect(field.whenFalse).toMatch(/^[A-Z].*\.$/)
    expect(aboutFlag(field)).toBe(field.whenFalse?.replaceAll('`', ''))
  })

  test('of a plugin that has no such sentence says that it turns the option off', () => {
    expect(aboutFlag({ type: 'boolean', default: true, description: 'Loads `images`.' })).toBe(
      'Turns this off: Loads images.',
    )
    expect(aboutFlag({ type: 'boolean', default: false, description: 'Loads images.' })).toBe('Loads images.')
  })
})
