import { expect, test } from 'vitest'

import { threadFile } from './thread-file.ts'

test('A bundle without the file of a thread is told which file it lacks, and how to bundle', () => {
  expect(() => threadFile('file:///srv/app/bundle.mjs')).toThrow(
    /^The file \/srv\/app\/worker\.js is missing: .* Keep @harvestman\/\* external/,
  )
})
