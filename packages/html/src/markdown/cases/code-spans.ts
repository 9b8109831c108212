import type { Case } from './case.ts'

/** Inline code and other verbatim text. */
export const codeSpans: readonly Case[] = [
  {
    name: 'code in line',
    html: '<p>run <code>npm i</code> now</p>',
    markdown: 'run `npm i` now',
  },
  {
    name: 'teletype and sample are code',
    html: '<p><tt>a</tt> <samp>b</samp></p>',
    markdown: '`a` `b`',
  },
  {
    name: 'a backtick in code in line',
    html: '<p><code>a`b</code></p>',
    markdown: '``a`b``',
  },
  {
    name: 'two backticks in code in line',
    html: '<p><code>a``b`c</code></p>',
    markdown: '```a``b`c```',
  },
  {
    name: 'a backtick at the edge of code in line',
    html: '<p><code>`a`</code></p>',
    markdown: '`` `a` ``',
  },
  {
    name: 'only a backtick in code in line',
    html: '<p><code>`</code></p>',
    markdown: '`` ` ``',
  },
  {
    name: 'spaces at both edges of code in line are kept',
    html: '<p><code> a </code></p>',
    markdown: '`  a  `',
  },
  {
    name: 'a space at one edge of code in line is kept',
    html: '<p>x<code>a </code>y</p>',
    markdown: 'x`a `y',
  },
  {
    name: 'only a space in code in line',
    html: '<p><code> </code></p>',
    markdown: '` `',
  },
  {
    name: 'several spaces in code in line are kept',
    html: '<p><code>a   b</code></p>',
    markdown: '`a   b`',
  },
  {
    name: 'line breaks in code in line are spaces',
    html: '<p><code>\n  a\n  b\n</code></p>',
    markdown: '`a b`',
  },
  {
    name: 'empty code in line is nothing',
    html: '<p>a<code></code>b</p>',
    markdown: 'ab',
  },
  {
    name: 'neighbours of code join',
    html: '<p><code>a</code><code>b</code></p>',
    markdown: '`ab`',
  },
  {
    name: 'code with a link inside',
    html: '<p><code>List&lt;<a href="/s">String</a>&gt;</code></p>',
    markdown: '`List<`[`String`](/s)`>`',
  },
  {
    name: 'a link that is all of the code',
    html: '<p><code><a href="/s">String</a></code></p>',
    markdown: '[`String`](/s)',
  },
  {
    name: 'emphasis in code is text',
    html: '<p><code>a <b>b</b> <i>c</i></code></p>',
    markdown: '`a b c`',
  },
  {
    name: 'code in emphasis',
    html: '<p><em>a <code>b</code></em></p>',
    markdown: '_a `b`_',
  },
  {
    name: 'lines of code in a heading',
    html: '<h2><pre>a</pre></h2>',
    markdown: '## `a`',
  },
  {
    name: 'a text area is verbatim',
    html: '<textarea>a\n  b</textarea>',
    markdown: ['```', 'a', '  b', '```'],
  },
  {
    name: 'old elements of code',
    html: '<listing>a</listing><xmp><b></xmp>',
    markdown: ['```', 'a', '```', '', '```', '<b>', '```'],
  },
  {
    name: 'code block in a paragraph parts it',
    html: '<div>a<pre>b</pre>c</div>',
    markdown: ['a', '', '```', 'b', '```', '', 'c'],
  },
  {
    name: 'carriage returns do not survive',
    html: '<pre>a\r\nb</pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
]
