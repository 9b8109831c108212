import { expect, test } from 'vitest'

import { shownText } from './shown-text.ts'

test('HTML becomes its text without scripts and styles', () => {
  const html =
    '<!doctype html><head><title>Shop</title></head><ul><li>Amber &amp; lamp<script>"Basalt lamp"</script></ul>'
  expect(shownText(html).replaceAll(/\s+/g, ' ').trim()).toBe('Amber & lamp')
})

test('words that inline elements divide are joined, and block elements separate words', () => {
  const text = shownText('<ul><li>Am<b>ber</b> lamp</li><li>Basalt<br>lamp</li></ul>')
  expect(text.replaceAll(/\s+/g, ' ').trim()).toBe('Amber lamp Basalt lamp')
})

test('other text is unchanged, up to 500,000 characters', () => {
  expect(shownText('Amber < lamp')).toBe('Amber < lamp')
  expect(shownText('x'.repeat(500_001))).toHaveLength(500_000)
})
