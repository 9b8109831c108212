import { expect, test } from 'vitest'

import { drifted, drifts, withoutMarkup, type Drift } from './drift.ts'

const page = `<html><head><title>Lamp</title><meta name="author" content="Ada"></head><body><div class="top"><div class="a">Lamps</div>
  <div class="b">Sale</div></div><main class="lamp"><h1>Aurora</h1><p class="by">By Ada Lee</p><p class="price">129.50</p>
  <p class="text">A lamp for every room of the house, made with care.</p></main>
  <div class="c"><p class="about">A lamp.</p></div></body></html>`

const values = ['129.50', 'Ada Lee']
const after = (kind: Drift, seed: number): string => drifted(page, { kinds: [kind], seed, values })
const wordsOf = (html: string): string[] =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
    .toSorted()

test.each(drifts)('the change %s is the same for the same seed, and changes the page with some seed', (kind) => {
  const unchanged = drifted(page, { kinds: [], seed: 1 })
  const pages = Array.from({ length: 20 }, (_, seed) => after(kind, seed))
  expect(Array.from({ length: 20 }, (_, seed) => after(kind, seed))).toEqual(pages)
  expect(pages.some((one) => one !== unchanged)).toBe(true)
})

test.each(['classes', 'wrappers', 'order'] as const)('what a page says is the same after the change %s', (kind) => {
  for (let seed = 0; seed < 20; seed += 1) expect(wordsOf(after(kind, seed))).toEqual(wordsOf(page))
})

test('a missing value is nowhere in the page, and a decoy has other words in a copy of its element', () => {
  const missing = Array.from({ length: 20 }, (_, seed) => after('missing', seed))
  for (const one of missing) expect(values.filter((value) => one.includes(value))).toHaveLength(1)
  const decoys = after('decoys', 1)
  expect(decoys).toContain('>129.50<')
  expect(decoys.match(/class="price"/g)).toHaveLength(2)
})

test('a page without its markup says nothing for programs', () => {
  const marked = `${page}<script type="application/ld+json">{}</script><b itemprop="price">129.50</b>`
  const bare = withoutMarkup(marked)
  expect(bare).not.toMatch(/ld\+json|<meta|itemprop/)
  expect(bare).toContain('<b>129.50</b>')
})
