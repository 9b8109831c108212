// @module-tag browser
// Every place of an order and every order; all orders in all places are in injections.long.test.ts.
import { expect, test } from 'vitest'

import { someCases, testInjections } from './injections.ts'

test('There are orders in ten places', () => {
  expect(new Set(someCases.map(([, place]) => place)).size).toBe(10)
  expect(new Set(someCases.map(([order]) => order)).size).toBe(5)
})

testInjections(someCases)
