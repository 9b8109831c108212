import { describe as group, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { chooseBlocks, thresholdFor } from './choose.ts'
import { describe, readingOf } from './features.ts'
import { emptyLexicon } from './lexicon.ts'

const pageWith = (head: string, ...words: number[]) =>
  describe(
    parseHtml(head + words.map((count, index) => `<p>${`word${index} `.repeat(count)}</p>`).join('')).root,
    '',
    readingOf(emptyLexicon),
  )
const page = (...words: number[]) => pageWith('', ...words)

group('from chances to a choice', () => {
  test('a page that is certain asks more of a block than one that is not', () => {
    const described = page(50, 50, 50, 50)
    const certain = thresholdFor(described, Float32Array.of(0.99, 0.98, 0.02, 0.01))
    const doubtful = thresholdFor(described, Float32Array.of(0.5, 0.4, 0.3, 0.3))
    expect(certain).toBeGreaterThan(0.45)
    expect(doubtful).toBeLessThan(0.35)
  })

  test.each([
    ['og:type', '<meta property="og:type" content="article">'],
    ['JSON-LD', '<script type="application/ld+json">{"@type":"NewsArticle"}</script>'],
  ])('a page that declares an article in %s needs higher probabilities, if it is certain', (_, head) => {
    const certain = Float32Array.of(0.99, 0.98, 0.55, 0.01)
    expect([...chooseBlocks(pageWith(head, 50, 50, 50, 50), certain)]).toEqual([1, 1, 0, 0])
    expect([...chooseBlocks(page(50, 50, 50, 50), certain)]).toEqual([1, 1, 1, 0])
    const uncertain = Float32Array.of(0.5, 0.4, 0.3, 0.3)
    expect(thresholdFor(pageWith(head, 50, 50, 50, 50), uncertain)).toBe(thresholdFor(page(50, 50, 50, 50), uncertain))
  })

  test('a block is kept when its chance reaches the threshold', () => {
    expect([...chooseBlocks(page(50, 50, 50), Float32Array.of(0.9, 0.1, 0.95))]).toEqual([1, 0, 1])
  })

  test('a page without words has no choice to make', () => {
    expect(chooseBlocks(page(), new Float32Array(0))).toHaveLength(0)
  })
})
