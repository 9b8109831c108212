import { fakeBrowser } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/types.ts'

const url = 'https://a.test/'

/** An engine whose browser returns this value for the script of the format. */
function engineWith(captured: unknown, options: EngineOptions = {}) {
  return createEngine({
    resolver: async () => [{ address: '93.184.215.14', family: 4 }],
    browser: (guard) => {
      const fake = fakeBrowser({ pages: { '/': '<p>Some text.</p>' } })(guard)
      return {
        ...fake,
        open: async (...given) => ({ ...(await fake.open(...given)), evaluate: async () => captured }),
      }
    },
    ...options,
  })
}

describe('The format branding', () => {
  test('returns what the page shows, without keys that it does not know, and is not taken from the cache', async () => {
    const shown = { colorScheme: 'light', colors: { primary: '#2563EB' }, images: {}, extra: 'no' }
    await using engine = engineWith(shown)
    for (const _ of ['first', 'second']) {
      const { branding, metadata } = await engine.scrape({ url, formats: ['branding'], maxAge: 60_000 })
      expect(branding).toEqual({ colorScheme: 'light', colors: { primary: '#2563EB' }, images: {} })
      expect([metadata.creditsUsed, metadata.cacheState]).toEqual([1, 'miss'])
    }
  })

  test.each([
    [{ colors: { primary: 'javascript:x' } }],
    [{ brandName: 'x'.repeat(10_000) }],
    ['text'],
    [{ fonts: Array.from({ length: 1_000 }, () => ({ family: 'a', role: 'body' })) }],
  ])('refuses values that the page has changed: %.40j', async (captured) => {
    await using engine = engineWith(captured)
    await expect(engine.scrape({ url, formats: ['branding'] })).rejects.toMatchObject({ code: 'format_failed' })
  })

  test('needs a browser and a page, and says so with its own code', async () => {
    await using engine = engineWith({}, { browser: undefined })
    await expect(engine.scrape({ url, formats: ['branding'] })).rejects.toMatchObject({
      code: 'branding_not_supported',
      message: expect.stringContaining('needs a browser') as unknown,
    })
    await using ofFiles = engineWith(null)
    await expect(ofFiles.scrape({ url, formats: ['branding'] })).rejects.toMatchObject({
      code: 'branding_not_supported',
    })
    await expect(engine.scrape({ url, formats: ['screenshot'] })).rejects.toMatchObject({ code: 'not_configured' })
    const file = engine.parse(new TextEncoder().encode('a'), { name: 'a.txt', formats: ['branding'] as never })
    await expect(file).rejects.toMatchObject({ code: 'not_for_files' })
  })
})
