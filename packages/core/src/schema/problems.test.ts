import { expect, test } from 'vitest'
import { z } from 'zod'

import { check } from './problems.ts'

const schema = z.object({ limit: z.number(), mode: z.enum(['a', 'b']) })

test('a bigint is an invalid value like any other', () => {
  const call = (): unknown => check(schema, { limit: 10n, mode: 20n })
  expect(call).toThrow('limit must be a number, but is 10n. mode is 20n; use one of a, b.')
  expect(call).toThrow(expect.objectContaining({ code: 'invalid_request' }))
})
