import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { atOffset } from '@harvestman/testing'
import { afterAll, describe, expect, test } from 'vitest'

import { convertFile } from './convert.ts'
import { fileReader, kindOf } from './fixtures/reading.ts'
import { defaultLimits as limits } from './limits.ts'

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
      new Set([
        ...[
          'doc',
          'docx',
          'eml',
          'epub',
          'ics',
          'ipynb',
          'mbox',
          'msg',
          'odp',
          'ods',
          'odt',
          'ppt',
          'pptx',
          'rtf',
          'srt',
          'tex',
        ],
        ...['vcf', 'vtt', 'xls', 'xlsb', 'xlsx', 'zip'],
      ]),
    )
  })

  test.each(files)('is read: %s', async (name) => {
    const { markdown } = await reader.read(readFileSync(join(folder, name)), undefined, name)
    await expect(`${markdown}\n`).toMatchFileSnapshot(join(folder, `${basename(name)}.md`))
  })

  test.each(files)('is read alike at every offset of its buffer: %s', async (name) => {
    const bytes = readFileSync(join(folder, name))
    const read = (offset: number) => convertFile({ bytes: atOffset(bytes, offset), kind: kindOf(name), limits })
    const first = await read(0)
    for (const offset of [1, 2, 3]) expect(await read(offset)).toEqual(first)
  })
})
