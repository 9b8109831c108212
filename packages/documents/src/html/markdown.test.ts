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

test.each([
  ['a table', `| a | b |\n| --- | --- |\n${`| ${'word '.repeat(10)}| 2 |\n`.repeat(1_000)}`, '<table>'],
  ['a list', `- ${'word '.repeat(14)}\n`.repeat(800), '<li>'],
  ['code', `\`\`\`\n${'let a = 1 // some words\n'.repeat(3_000)}\`\`\``, '<code>'],
  ['paragraphs with Windows line ends', `**bold** ${'word '.repeat(100)}\r\n\r\n`.repeat(200), '<strong>'],
])('Markdown with a long block that is not one paragraph has its format: %s', (_, text, tag) => {
  expect(text.length).toBeGreaterThan(50_000)
  expect(markdownHtml(text)).toContain(tag)
})
