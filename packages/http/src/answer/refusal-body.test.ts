import fc from 'fast-check'
import { expect, test } from 'vitest'

import { maxBytes, refusalBody } from './refusal-body.ts'

const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme', minLength: 500, maxLength: 20_000 }))
const problem = fc.record({
  code: fc.string(),
  path: fc.array(fc.oneof(text, fc.nat()), { maxLength: 30 }),
  message: text,
})

test('no refusal is larger than 16 KB, whatever stands in it', () => {
  fc.assert(
    fc.property(text, fc.oneof(fc.array(problem, { maxLength: 40 }), fc.dictionary(text, text)), (error, details) => {
      const body = refusalBody({ status: 400, code: 'BAD_REQUEST', error, details })
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(maxBytes)
    }),
    { numRuns: 50 },
  )
})

test('the first twenty problems are explained', () => {
  const details = Array.from({ length: 300 }, (_, index) => ({ code: 'custom', path: ['urls', index], message: 'no.' }))
  expect(refusalBody({ status: 400, code: 'BAD_REQUEST', error: 'no.', details })).toMatchObject({
    details: details.slice(0, 20),
  })
})
