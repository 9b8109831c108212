import { expect, test } from 'vitest'

import { convertFile } from '../convert.ts'
import { defaultLimits } from '../limits.ts'

const limits = { ...defaultLimits, lines: 4 }
const mail = (lines: string): Uint8Array => Buffer.from(`Subject: Lamp\n\n${lines}`)

test.each(['mail', 'mailbox'] as const)('a %s is read up to the limit of lines, with a warning', async (kind) => {
  const before = kind === 'mailbox' ? 'From a\n' : ''
  const bytes = Buffer.concat([Buffer.from(before), mail(`one\n${kind === 'mail' ? 'two\n' : ''}three\n`)])
  const { html, warnings } = await convertFile({ bytes, kind, limits })
  expect(html.join('')).toContain('one')
  expect(html.join('')).not.toContain('three')
  expect(warnings).toEqual([
    'The file has more than 4 lines; the rest is left out. Raise limits.lines of documents() to read it.',
  ])
})

test('a mail of exactly the limit of lines has no warning', async () => {
  const { html, warnings } = await convertFile({ bytes: mail('one\ntwo\n'), kind: 'mail', limits })
  expect(html.join('')).toContain('two')
  expect(warnings).toEqual([])
})
