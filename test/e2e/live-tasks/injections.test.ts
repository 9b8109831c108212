// @module-tag long
// @module-tag browser
// Every order, in five places; all orders in all places are in injections.long.test.ts.
import { expect, test } from 'vitest'

import { someCases, testInjections } from './injections.ts'

test('There are five orders in five places', () => {
  expect(new Set(someCases.map(([, place]) => place)).size).toBe(5)
  expect(new Set(someCases.map(([order]) => order)).size).toBe(5)
})

testInjections(someCases)
