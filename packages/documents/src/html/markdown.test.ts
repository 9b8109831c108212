import { expect, test } from 'vitest'

import { markdownHtml } from './markdown.ts'

test('Markdown with a very long paragraph is plain text', () => {
  const html = markdownHtml(`*short*\n\n${'['.repeat(50_001)}`)
  expect(html.startsWith('<p>*short*</p><p>[[[')).toBe(true)
})

test('Markdown with a large picture in it retains its format', () => {
  const html = markdownHtml(`*short* ![a](data:image/png;base64,${'QUJD'.repeat(20_000)})`)
  expect(html).toContain('<p><em>short</em> </p>')
})
