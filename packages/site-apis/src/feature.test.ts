import { expect, test } from 'vitest'

import { siteApisFeature } from './feature.ts'

test('a disabled feature does not wrap the operations of the engine', () => {
  expect(siteApisFeature(false).around).toBeUndefined()
  expect(siteApisFeature(true).around).toBeTypeOf('function')
})
