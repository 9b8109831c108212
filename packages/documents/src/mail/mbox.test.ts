import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits as limits } from '../limits.ts'

const nested = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  ).join('')

test('a mail that nests too deeply is left out of the mailbox, and the others are read', async () => {
  const bytes = Buffer.from(`From a\nSubject: deep\n${nested(60)}\nx\nFrom b\nSubject: plain\n\nsafe\n`)
  const { html, warnings } = await convertFile({ bytes, kind: 'mailbox', limits })
  expect(html.join('')).toContain('safe')
  expect(warnings).toEqual([expect.stringMatching(/^Mail 1 is left out\. .*its parts nest deeper than 50/)])
})
