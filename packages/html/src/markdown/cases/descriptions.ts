import type { Case } from './case.ts'

/** Definition lists. */
export const descriptions: readonly Case[] = [
  {
    name: 'a description list of short terms',
    html: '<dl><dt>Term</dt><dd>Meaning</dd></dl>',
    markdown: ['Term', ': Meaning'],
  },
  {
    name: 'many terms and many meanings',
    html: '<dl><dt>A</dt><dt>B</dt><dd>one</dd><dd>two</dd><dt>C</dt><dd>three</dd></dl>',
    markdown: ['A', 'B', ': one', ': two', '', 'C', ': three'],
  },
  {
    name: 'meanings in a paragraph',
    html: '<dl><dt>A</dt><dd><p>one</p></dd></dl>',
    markdown: ['A', ': one'],
  },
  {
    name: 'meanings of several blocks',
    html: '<dl><dt>A</dt><dd><p>one</p><ul><li>two</li></ul></dd></dl>',
    markdown: ['A', '', 'one', '', '- two'],
  },
  {
    name: 'terms in boxes',
    html: '<dl><div><dt>A</dt><dd>one</dd></div><div><dt>B</dt><dd>two</dd></div></dl>',
    markdown: ['A', ': one', '', 'B', ': two'],
  },
  {
    name: 'a term without a meaning',
    html: '<dl><dt>A</dt></dl><p>b</p>',
    markdown: ['A', '', 'b'],
  },
  {
    name: 'emphasis and links in terms',
    html: '<dl><dt><b>A</b></dt><dd><a href="/x">one</a></dd></dl>',
    markdown: ['**A**', ': [one](/x)'],
  },
]
