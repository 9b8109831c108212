import type { Case } from './case.ts'

/** Text that looks like the start of a block. */
export const lineStarts: readonly Case[] = [
  {
    name: 'a hash at the start of a line is escaped',
    html: '<p># not a heading</p>',
    markdown: '\\# not a heading',
  },
  {
    name: 'a hash before a letter needs nothing',
    html: '<p>#hashtag</p>',
    markdown: '#hashtag',
  },
  {
    name: 'a dash at the start of a line is escaped',
    html: '<p>- not an item</p>',
    markdown: '\\- not an item',
  },
  {
    name: 'a plus at the start of a line is escaped',
    html: '<p>+ not an item</p>',
    markdown: '\\+ not an item',
  },
  {
    name: 'a star at the start of a line is escaped',
    html: '<p>* not an item</p>',
    markdown: '\\* not an item',
  },
  {
    name: 'a dash before a word needs nothing',
    html: '<p>-5 degrees</p>',
    markdown: '-5 degrees',
  },
  {
    name: 'a number at the start of a line is escaped',
    html: '<p>1986. A great year</p>',
    markdown: '1986\\. A great year',
  },
  {
    name: 'a number with a parenthesis is escaped',
    html: '<p>1) one</p>',
    markdown: '1\\) one',
  },
  {
    name: 'a number before a word needs nothing',
    html: '<p>1.5 litres</p>',
    markdown: '1.5 litres',
  },
  {
    name: 'a number of ten digits needs nothing',
    html: '<p>1234567890. a</p>',
    markdown: '1234567890. a',
  },
  {
    name: 'a greater than at the start of a line is escaped',
    html: '<p>&gt; not a quote</p>',
    markdown: '\\> not a quote',
  },
  {
    name: 'a greater than inside a line needs nothing',
    html: '<p>a &gt; b</p>',
    markdown: 'a > b',
  },
  {
    name: 'dashes alone are escaped',
    html: '<p>---</p>',
    markdown: '\\---',
  },
  {
    name: 'stars alone are escaped',
    html: '<p>* * *</p><p>***</p>',
    markdown: ['\\* * *', '', '\\*\\*\\*'],
  },
  {
    name: 'underscores alone are escaped',
    html: '<p>___</p>',
    markdown: '\\_\\_\\_',
  },
  {
    name: 'equal signs below a text are escaped',
    html: '<p>a<br>===</p>',
    markdown: ['a  ', '\\==='],
  },
  {
    name: 'equal signs in a first line need nothing',
    html: '<p>===</p>',
    markdown: '===',
  },
  {
    name: 'dashes below a text are escaped',
    html: '<p>a<br>---</p>',
    markdown: ['a  ', '\\---'],
  },
  {
    name: 'two dashes in a first line need nothing',
    html: '<p>--</p>',
    markdown: '--',
  },
  {
    name: 'three backticks at the start are escaped',
    html: '<p>```js</p>',
    markdown: '\\```js',
  },
  {
    name: 'three tildes at the start are escaped',
    html: '<p>~~~</p>',
    markdown: '\\~~~',
  },
  {
    name: 'a table row below a text is escaped',
    html: '<p>a | b<br>--- | ---</p>',
    markdown: ['a | b  ', '\\--- | ---'],
  },
  {
    name: 'the start of a line after a line break counts too',
    html: '<p>one<br># two<br>- three<br>4. four</p>',
    markdown: ['one  ', '\\# two  ', '\\- three  ', '4\\. four'],
  },
  {
    name: 'a number before a link at the start is escaped',
    html: '<p>1. <a href="/x">a</a></p>',
    markdown: '1\\. [a](/x)',
  },
  {
    name: 'a dash before bold at the start is escaped',
    html: '<p>- <b>a</b></p>',
    markdown: '\\- **a**',
  },
  {
    name: 'four spaces do not make code',
    html: '<p>    four</p>',
    markdown: 'four',
  },
  {
    name: 'a box at the start of an item is escaped',
    html: '<ul><li>[ ] text</li></ul>',
    markdown: '- \\[ ] text',
  },
  {
    name: 'bare addresses are left alone',
    html: '<p>See https://example.com/a_b_c?d=*e* and www.example.com</p>',
    markdown: 'See https://example.com/a_b_c?d=\\*e\\* and www.example.com',
  },
  {
    name: 'a dollar is left alone',
    html: '<p>$x$ and $5</p>',
    markdown: '$x$ and $5',
  },
  {
    name: 'signs inside code are left alone',
    html: '<p><code>*a* _b_ [c](d) &lt;e&gt;</code></p>',
    markdown: '`*a* _b_ [c](d) <e>`',
  },
  {
    name: 'signs of an emoticon are left alone',
    html: '<p>:-* ^_^ ;_;</p>',
    markdown: ':-* ^\\_^ ;\\_;',
  },
  {
    name: 'a marked word beside emphasis is escaped',
    html: '<p><em>a</em> and *b*</p>',
    markdown: '_a_ and \\*b\\*',
  },
]
