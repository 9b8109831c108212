import { expect, test } from 'vitest'

import { Option } from './command-line.ts'
import { valueOf } from './schema-flags.ts'

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
