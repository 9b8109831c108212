import { expect, test } from 'vitest'
import { z } from 'zod'

import { fileOutput, makeEndpoint, resultFormOf } from './make-endpoint.ts'

const parts = { method: 'GET', path: '/v2/notes', summary: 'Lists notes.', run: () => undefined } as const
const page = z.object({ data: z.array(z.string()), next: z.string().optional() })

test.each([
  ['nowhere, without an output', {}, 'none'],
  ['in data', { output: page }, 'data'],
  ['next to success, for a flat endpoint', { output: page, isFlat: true }, 'flat'],
  ['a file', { output: fileOutput('text/csv') }, 'file'],
  ['a file, also for a flat endpoint', { output: fileOutput('text/csv'), isFlat: true }, 'file'],
  ['nowhere, also for a flat endpoint', { isFlat: true }, 'none'],
])('a result is %s', (_, given, form) => {
  expect(resultFormOf(makeEndpoint({ ...parts, ...given }))).toBe(form)
})
