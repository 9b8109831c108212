import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { withFiles } from './file-inputs.ts'

const folder = mkdtempSync(join(tmpdir(), 'file-inputs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const stdin = () => Buffer.from('from stdin')

test('a path is replaced by the content of its file: text as it is, other bytes in base64', () => {
  const [text, packed] = [join(folder, 'page.har'), join(folder, 'run.warc.gz')]
  writeFileSync(text, '{"log":"ü"}')
  writeFileSync(packed, Buffer.from([0x1f, 0x8b, 8]))
  expect(withFiles({ file: text, shown: text }, ['file'], { stdin })).toEqual({ file: '{"log":"ü"}', shown: text })
  expect(withFiles({ file: packed }, ['file'], { stdin })).toEqual({ file: 'H4sI' })
  expect(withFiles({ file: '-' }, ['file', 'other'], { stdin })).toEqual({ file: 'from stdin' })
})

test('the message about a missing file has its path', () => {
  expect(() => withFiles({ file: 'no-such.har' }, ['file'], { stdin })).toThrow('<file> no-such.har cannot be read.')
})
