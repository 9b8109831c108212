import { EngineError } from '@harvestman/core'
import { atOffset, damagedFile, damages } from '@harvestman/testing'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

import { convertFile, type FileResult } from './convert.ts'
import { docx, odf, p } from './fixtures/files.ts'
import { kindOf } from './fixtures/reading.ts'
import { defaultLimits as limits } from './limits.ts'

const folder = join(import.meta.dirname, 'fixtures/real')
const files = globSync('*.*', { cwd: folder }).filter((name) => !name.endsWith('.md'))
const seeds = Array.from({ length: 8 }, (_, seed) => seed)

/** Other files have no checksum: a changed character is a text like any other. */
const withChecksum = /\.(?:docx|epub|od[pst]|pptx|xlsx|xlsb|zip)$/

const read = (name: string, bytes: Uint8Array): Promise<FileResult | EngineError> =>
  convertFile({ bytes, kind: kindOf(name), limits }).catch((error: unknown) => {
    if (EngineError.is(error)) return error
    throw error
  })

describe('a damaged file', () => {
  test.each(files)('is read as it was, with a warning, or refused in a sentence of ours: %s', async (name) => {
    const bytes = new Uint8Array(readFileSync(join(folder, name)))
    const whole = (await read(name, bytes)) as FileResult
    for (const damage of damages) {
      for (const seed of seeds) {
        const result = await read(name, atOffset(damagedFile(bytes, damage, seed), seed % 4))
        if (EngineError.is(result)) {
          expect(result.code).toMatch(/^(?:unsupported_file|response_too_large|page_too_complex)$/)
          expect(result.message).toMatch(/^The (?:file|archive|part) [^\0-\x1f\ufffd]+\.$/)
        } else if (withChecksum.test(name) && result.warnings.length === whole.warnings.length) {
          expect(result.html, `${damage} with the seed ${seed}`).toEqual(whole.html)
        }
      }
    }
  })

  test('is refused when no library understands it, without the words of the library', async () => {
    const broken = docx('', {
      'word/document.xml': '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>',
    })
    expect(await read('a.docx', broken)).toMatchObject({
      code: 'unsupported_file',
      details: { reason: 'damaged' },
      message: expect.not.stringMatching(/Cannot|undefined|null/),
    })
  })

  test.each([
    ['docx', (name: string) => docx(p('text'), { [name]: 'x' })],
    ['odt', (name: string) => odf('text', '<text:p>text</text:p>', '', { [name]: 'x' })],
  ])('does not hide a part whose name was changed: %s', async (ending, make) => {
    const bytes = new Uint8Array(make('other.xml'))
    const at = Buffer.from(bytes).lastIndexOf('other.xml')
    bytes[at] = 0x41
    expect(await read(`a.${ending}`, bytes)).toMatchObject({ message: expect.stringContaining('names one part both') })
  })
})
