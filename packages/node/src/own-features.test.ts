import { expect, test } from 'vitest'

import { ownFeatureSummaries } from './own-feature-summaries.ts'
import { ownFeatures } from './own-features.ts'

test('our own features have summaries that are known without loading them', () => {
  expect(ownFeatures.map(({ name, summary }) => [name, summary])).toEqual(Object.entries(ownFeatureSummaries))
})
