import { expect, test } from 'vitest'

import { compareSteps } from './compare.ts'

const cache = { step: 'cache', outcome: 'miss', at: 0 } as const
const loader = { step: 'loader', loader: 'http', outcome: 'page', at: 3, ms: 20 } as const

test('the first step that differs is named, whatever the times are', () => {
  const failed = { ...loader, outcome: 'failed', reason: 'status 500' }
  expect(compareSteps({ steps: [cache, loader] }, { steps: [cache, failed] })).toMatchObject({
    place: 1,
    says: 'Step 2 was loader http page, and is loader http failed (status 500).',
  })
  expect(compareSteps({ steps: [cache, loader] }, { steps: [cache, { ...loader, at: 9, ms: 1 }] })).toBeUndefined()
  expect(compareSteps({ steps: [cache, loader] }, { steps: [cache] })?.says).toContain('is not there')
})
