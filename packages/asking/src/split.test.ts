import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { estimateTokens } from '@harvestman/toolbox/tokens'
import { splitText } from './split.ts'

describe('a long text', () => {
  test('is split into parts that fit, and nothing of it is lost', () => {
    const word = fc.constantFrom('word ', 'a\n', 'Sentence. ', '\n\n', '# Title\n', '日本語のテキスト', 'x'.repeat(300))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), fc.integer({ min: 20, max: 400 }), (words, most) => {
        const text = words.join('')
        const parts = splitText(text, most)
        for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(most + parts.length)
        expect(parts.join('').trim()).toBe(text.trim())
      }),
    )
  })

  test('is split before its headings', () => {
    const section = (name: string): string => `# ${name}\n\n${'Some words here. '.repeat(20)}\n\n`
    const parts = splitText(section('One') + section('Two') + section('Three'), 130)
    expect(parts.map((part) => part.slice(0, 5))).toEqual(['# One', '# Two', '# Thr'])
  })
})
