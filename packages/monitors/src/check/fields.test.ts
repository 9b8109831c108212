import { expect, test } from 'vitest'

import { changedFields } from './fields.ts'

test.each(['constructor', 'toString', '__proto__'])('a new field named %s was null before', (name) => {
  const rules = { fields: [], items: [], thresholds: [] }
  const value = JSON.parse(`{"${name}":"oak"}`) as { readonly [name: string]: string }
  const changed = { [name]: { previous: null, current: 'oak' } }
  expect(Object.entries(changedFields({}, value, rules))).toEqual(Object.entries(changed))
})

test('list items without their key field are compared by value', () => {
  const rules = { fields: [], items: [{ at: 'list', key: 'constructor' }], thresholds: [] }
  const changes = changedFields({ list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 2 }] }, rules)
  expect(Object.values(changes)).toEqual([{ previous: { a: 1 }, current: null }])
})
