import { expect, test } from 'vitest'

import { siteApisFeature } from './feature.ts'
import { makeOpenBrowsers } from './open-browsers.ts'
import { makeWorkThreads } from './threads.ts'

test('a disabled feature does not wrap the operations of the engine', () => {
  const parts = { threads: makeWorkThreads(), browsers: makeOpenBrowsers(), context: () => undefined }
  expect(siteApisFeature(undefined).around).toBeUndefined()
  expect(siteApisFeature(parts).around).toBeTypeOf('function')
})
