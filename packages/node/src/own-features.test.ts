import { expect, test } from 'vitest'

import { ownFeatureNames } from './own-feature-names.ts'
import { ownFeatures } from './own-features.ts'

test('the names of our own features are known without loading them', () => {
  expect(ownFeatures.map(({ name }) => name)).toEqual(ownFeatureNames)
})
