// @module-tag long
import { EngineError } from '@harvestman/core'
import { afterAll, describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { hostile } from './fixtures/hostile.ts'
import { docx, p } from './fixtures/files.ts'
import { fileReader } from './fixtures/reading.ts'

// Other work on the machine must not decide what is too slow here.
const timeout = 120_000
const reader = fileReader({ budget: timeout })
afterAll(() => reader.close())

async function answerTo(bytes: Uint8Array, type: string | undefined, file: string | undefined) {
  try {
    return { markdown: (await reader.read(bytes, type, file)).markdown }
  } catch (error) {
    if (EngineError.is(error)) return { code: error.code, reason: error.details['reason'] }
    throw error
  }
}

describe('a hostile file gets a clear answer, and harms no other work', () => {
  const large = /1,048,576 rows|60 MB|says that it is small/
  for (const { name, make, answer, type, file } of hostile)
    test(name, { ...longIf(large.test(name)), timeout }, async () => {
      const { markdown } = answer as { markdown?: string | RegExp }
      const given = await answerTo(make(), type, file)
      if (markdown instanceof RegExp) expect(given.markdown).toMatch(markdown)
      else expect(given).toEqual(answer)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
      // The next file is read as if nothing had been.
      expect((await reader.read(docx(p('next')))).markdown).toBe('next')
    })
})

describe('the thread of a file', () => {
  test('is ended when the file takes longer than its budget', async () => {
    const hasty = fileReader({ budget: 1 })
    const slow = hasty.read(docx(p('x').repeat(20_000)))
    await expect(slow).rejects.toMatchObject({
      code: 'page_too_complex',
      message: expect.stringContaining('within 1 ms'),
    })
    await hasty.close()
  })

  test('is ended when the file takes more memory than it may have', async () => {
    const poor = fileReader({ megabytes: 16 })
    const large = poor.read(docx(Array.from({ length: 100_000 }, (_, i) => p(`line ${i}`)).join('')))
    await expect(large).rejects.toMatchObject({
      code: 'page_too_complex',
      message: expect.stringContaining('more than 16 MB'),
    })
    await poor.close()
  })
})
