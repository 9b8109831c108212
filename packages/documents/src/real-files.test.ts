import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { fileReader } from './fixtures/reading.ts'

const reader = fileReader()
afterAll(() => reader.close())

const folder = join(import.meta.dirname, 'fixtures/real')
const files = globSync('*.*', { cwd: folder })
  .filter((name) => !name.endsWith('.md'))
  .toSorted()

// Written by LibreOffice, by pandoc and by libraries. (Only Excel itself writes xlsb: this one is of the library that reads
// it, and LibreOffice shows the same cells.) The expected Markdown beside each was read by a person.
describe('a file of another program', () => {
  test('is there for every kind', () => {
    expect(new Set(files.map((name) => name.split('.')[1]))).toEqual(
      new Set(['docx', 'epub', 'odp', 'ods', 'odt', 'pptx', 'rtf', 'xls', 'xlsb', 'xlsx']),
    )
  })

  test.each(files)('is read: %s', async (name) => {
    const { markdown } = await reader.read(readFileSync(join(folder, name)))
    await expect(`${markdown}\n`).toMatchFileSnapshot(join(folder, `${basename(name)}.md`))
  })
})
