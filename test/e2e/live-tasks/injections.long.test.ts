// @module-tag long
// @module-tag browser
import { expect, test } from 'vitest'

import { cases, testInjections } from './injections.ts'

test('There are five orders in ten places', () => {
  expect(cases.length).toBe(50)
})

testInjections(cases)
