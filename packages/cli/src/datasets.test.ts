import { tmpdir } from 'node:os'

import { expect, test } from 'vitest'

import { checkFile } from './datasets.ts'

test('rows are read from files only', () => {
  expect(() => checkFile(import.meta.filename)).not.toThrow()
  expect(() => checkFile(tmpdir())).toThrow(`${tmpdir()} is a folder. Pass a file with JSON lines.`)
  expect(() => checkFile('no-such-file')).toThrow('no-such-file cannot be read.')
})
