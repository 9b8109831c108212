import { expect, test } from 'vitest'

import { markdownHtml } from './markdown.ts'

const silent = (): void => undefined
const long = '*a '.repeat(20_000)

test.each([
  ['a paragraph', long],
  ['a paragraph with numbers at the beginning of lines', 'a\n' + '2. *a\n'.repeat(10_000)],
  ['a paragraph behind a rule of a table', '|-|\n' + '*a\n'.repeat(20_000)],
  ['a paragraph between two kinds of fences', `~~~\n\`\`\`\n~~~\n${long}`],
  ['a paragraph behind a code span', `\`\`\`a\`\n${long}`],
  ['a list item', `- ${long}`],
  ['a cell of a table', `| a |\n| --- |\n| ${long} |`],
])('%s with very many characters is plain text with a warning, and the rest has its format', (_, text) => {
  const warnings: string[] = []
  const html = markdownHtml(`_short_\n\n${text}`, (message) => warnings.push(message))
  expect(html).toContain('<em>short</em>')
  expect(html.match(/\*a/g)?.length).toBeGreaterThan(9_000)
  expect(warnings).toEqual(['A paragraph of Markdown has more than 50000 characters, so it is read as plain text.'])
})

test('Markdown with a large picture in it retains its format', () => {
  const html = markdownHtml(`*short* ![a](data:image/png;base64,${'QUJD'.repeat(20_000)})`, silent)
  expect(html).toContain('<p><em>short</em> </p>')
})

test.each([
  ['a table', `| a | b |\n| --- | --- |\n${`| ${'word '.repeat(10)}| 2 |\n`.repeat(1_000)}`, '<table>'],
  ['a list', `- ${'word '.repeat(14)}\n`.repeat(800), '<li>'],
  ['code', `\`\`\`\n${'let a = 1 // some words\n'.repeat(3_000)}\`\`\``, '<code>'],
  ['paragraphs with Windows line ends', `**bold** ${'word '.repeat(100)}\r\n\r\n`.repeat(200), '<strong>'],
])('Markdown with a long block that is not one paragraph has its format: %s', (_, text, tag) => {
  expect(text.length).toBeGreaterThan(50_000)
  expect(markdownHtml(text, silent)).toContain(tag)
})
