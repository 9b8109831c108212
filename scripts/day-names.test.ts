import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { dayNames, target } from './day-names.ts'

test('the names of months and weekdays are those of Intl', () => {
  expect(dayNames()).toBe(readFileSync(target, 'utf8'))
})
