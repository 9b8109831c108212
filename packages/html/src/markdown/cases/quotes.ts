import type { Case } from './case.ts'

/** Quotations and details. */
export const quotes: readonly Case[] = [
  {
    name: 'a quotation',
    html: '<blockquote>one</blockquote>',
    markdown: '> one',
  },
  {
    name: 'paragraphs in a quotation',
    html: '<blockquote><p>one</p><p>two</p></blockquote>',
    markdown: ['> one', '>', '> two'],
  },
  {
    name: 'a quotation in a quotation',
    html: '<blockquote>a<blockquote>b</blockquote>c</blockquote>',
    markdown: ['> a', '>', '> > b', '>', '> c'],
  },
  {
    name: 'a list in a quotation',
    html: '<blockquote><ul><li>a<ul><li>b</li></ul></li></ul></blockquote>',
    markdown: ['> - a', '>   - b'],
  },
  {
    name: 'code in a quotation',
    html: '<blockquote><pre>a\n\nb</pre></blockquote>',
    markdown: ['> ```', '> a', '>', '> b', '> ```'],
  },
  {
    name: 'a heading in a quotation',
    html: '<blockquote><h2>a</h2><p>b</p></blockquote>',
    markdown: ['> ## a', '>', '> b'],
  },
  {
    name: 'a table in a quotation',
    html: '<blockquote><table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table></blockquote>',
    markdown: ['> | a | b |', '> | --- | --- |', '> | c | d |'],
  },
  {
    name: 'two quotations in a row stay two',
    html: '<blockquote>a</blockquote><blockquote>b</blockquote>',
    markdown: ['> a', '', '> b'],
  },
  {
    name: 'a line break in a quotation',
    html: '<blockquote>a<br>b</blockquote>',
    markdown: ['> a  ', '> b'],
  },
  {
    name: 'an empty quotation is kept',
    html: '<p>a</p><blockquote></blockquote>',
    markdown: ['a', '', '>'],
  },
  {
    name: 'a quotation of icons is nothing',
    html: '<p>a</p><blockquote><i></i></blockquote>',
    markdown: 'a',
  },
  {
    name: 'a quotation in a list in a quotation',
    html: '<blockquote><ul><li><blockquote>a<p>b</p></blockquote></li></ul></blockquote>',
    markdown: ['> - > a', '>   >', '>   > b'],
  },
  {
    name: 'the source of a quotation',
    html: '<blockquote><p>a</p><footer>— <cite>B</cite></footer></blockquote>',
    markdown: ['> a', '>', '> — B'],
  },
  {
    name: 'details stay, with Markdown inside',
    html: '<details><summary>More</summary><p>one</p><ul><li>two</li></ul></details>',
    markdown: ['<details>', '<summary>More</summary>', '', 'one', '', '- two', '', '</details>'],
  },
  {
    name: 'open details say so',
    html: '<details open><summary>More</summary>one</details>',
    markdown: ['<details open>', '<summary>More</summary>', '', 'one', '', '</details>'],
  },
  {
    name: 'signs in a summary are written for HTML',
    html: '<details><summary>a &lt;b&gt; &amp; c</summary>one</details>',
    markdown: ['<details>', '<summary>a &lt;b> &amp; c</summary>', '', 'one', '', '</details>'],
  },
  {
    name: 'a summary with a heading is Markdown too',
    html: '<details><summary><h3>More</h3></summary>one</details>',
    markdown: ['<details>', '<summary>', '', '### More', '', '</summary>', '', 'one', '', '</details>'],
  },
  {
    name: 'details without a summary',
    html: '<details>one</details>',
    markdown: ['<details>', '', 'one', '', '</details>'],
  },
  {
    name: 'details in a list item',
    html: '<ul><li>a<details><summary>b</summary>c</details></li></ul>',
    markdown: ['- a', '', '  <details>', '  <summary>b</summary>', '', '  c', '', '  </details>'],
  },
]
