import { expect, test } from 'vitest'

import { runInNewContext } from 'node:vm'

import { pageCall } from './page-call.ts'

test('arguments arrive as they were, those that are no JSON as undefined', () => {
  const call = pageCall(
    '(...args) => args.map((one) => (one === undefined ? "none" : JSON.stringify(one)))',
    {
      a: ['"', '\u2028'],
    },
    undefined,
    null,
  )
  expect([...(runInNewContext(call) as string[])]).toEqual(['{"a":["\\"","\u2028"]}', 'none', 'null'])
})

test('a call needs no arguments', () => {
  expect(runInNewContext(pageCall('(...args) => args.length'))).toBe(0)
})
