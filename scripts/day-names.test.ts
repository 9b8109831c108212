import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { dayNames, target } from './day-names.ts'

const stored = readFileSync(target, 'utf8')

// Each version of the CLDR has some other names.
test.runIf(stored.includes(`(CLDR ${process.versions['cldr']})`))(
  'the names of months and weekdays are those of Intl',
  () => {
    expect(dayNames()).toBe(stored)
  },
)
