import { expect, test } from 'vitest'

import { readHtmlTable } from '../page/src/lib/html-table.ts'

test('reads a table of Markdown with spans, links and entities', () => {
  const html =
    '<table>\n<tr><th rowspan="2">A &amp; B<br>c</th></tr>\n<tr><td><a href="https://a.test/?x=&quot;1">d</a></td></tr>\n</table>\n'
  expect(readHtmlTable(html)).toEqual({
    name: 'table',
    attributes: {},
    children: [
      '\n',
      {
        ...{ name: 'tr', attributes: {} },
        children: [
          {
            ...{ name: 'th', attributes: { rowspan: '2' } },
            children: ['A & B', { name: 'br', attributes: {}, children: [] }, 'c'],
          },
        ],
      },
      '\n',
      {
        ...{ name: 'tr', attributes: {} },
        children: [
          {
            ...{ name: 'td', attributes: {} },
            children: [{ name: 'a', attributes: { href: 'https://a.test/?x="1' }, children: ['d'] }],
          },
        ],
      },
      '\n',
    ],
  })
})

test.each([
  ['an unknown element', '<table><tr><td><script>x</script></td></tr></table>'],
  ['an element that is not closed', '<table><tr><td>x</tr></table>'],
  ['text beside it', 'x<table></table>'],
  ['an attribute without quotation marks', '<table><tr><td onclick=x>y</td></tr></table>'],
  ['another element', '<p>x</p>'],
  ['elements nested too deeply', `<table>${'<b>'.repeat(200)}${'</b>'.repeat(200)}</table>`],
])('does not read HTML with %s', (_, html) => {
  expect(readHtmlTable(html)).toBeUndefined()
})

test('omits attributes other than links and spans', () => {
  expect(readHtmlTable('<table style="color: red" onclick="x()"></table>')?.attributes).toEqual({})
})
