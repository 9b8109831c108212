import { expect, test } from 'vitest'

import { configSchema } from './settings.ts'
import { describeSettings } from './describe-settings.ts'
import { limitsOf } from './limits.ts'

test('A server tells every limit with its value now, its unit, and the setting that changes it', () => {
  const limits = limitsOf(configSchema.parse({ limits: { concurrency: 7 }, timeout: 9_000 }))
  const found = new Map(limits.map((limit) => [limit.setting, limit]))
  expect(found.get('limits.concurrency')).toMatchObject({ value: 7, variable: 'HARVESTMAN_LIMITS_CONCURRENCY' })
  expect(found.get('limits.bodyBytes')).toMatchObject({ value: 50_000_000, unit: 'bytes' })
  expect(found.get('timeout')).toMatchObject({ value: 9_000, unit: 'ms' })
  expect(found.get('limits.teamConcurrency')?.value).toBeUndefined()
  const settings = describeSettings().filter(({ key }) => /^(limits|keep|live)\./.test(key))
  expect(settings.filter(({ key }) => !found.has(key))).toEqual([])
  expect(limits.filter(({ description, variable }) => description === '' || variable === '')).toEqual([])
})
