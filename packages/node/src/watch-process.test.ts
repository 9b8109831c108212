import { expect, test } from 'vitest'

import { stuckReportFile } from './watch-process.ts'

test.each([
  ['sqlite:/data/a.sqlite', '/data/a.sqlite.stuck.log'],
  ['sqlite::memory:', undefined],
  ['memory:', undefined],
  [undefined, undefined],
])('reports of stuck processes with the store %j are written to %j', (store, file) => {
  expect(stuckReportFile({ store })).toBe(file)
})
