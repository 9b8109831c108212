import { expect, test } from 'vitest'
import { z } from 'zod'

import { readJobAnswer } from './kind-of-part.ts'

test('A result of a plugin that does not fit its schema is an internal error that names the kind and the field', async () => {
  const job = { documents: () => (async function* () {})() }
  const part = {
    kind: 'counts',
    answer: z.object({ count: z.number() }),
    way: { is: 'visits', join: () => ({ count: 'three' }) },
  }
  await expect(readJobAnswer(job, part as never, {})).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringMatching(
      /^The job kind counts returned a result that its output schema refuses at count: /,
    ) as unknown,
  })
})
