import type { Case } from './case.ts'

/** Text that looks like Markdown. Escaped only where Markdown would interpret it. */
export const escapes: readonly Case[] = [
  {
    name: 'prose is not littered',
    html: '<p>It costs $5 (about 4.50 €) + tax - see #3, v1.2; e-mail me_at_home: 50% off!</p>',
    markdown: 'It costs $5 (about 4.50 €) + tax - see #3, v1.2; e-mail me_at_home: 50% off!',
  },
  {
    name: 'a lone star needs nothing',
    html: '<p>5* hotel</p>',
    markdown: '5* hotel',
  },
  {
    name: 'stars with spaces need nothing',
    html: '<p>2 * 3 * 4</p>',
    markdown: '2 * 3 * 4',
  },
  {
    name: 'stars that could be emphasis are escaped',
    html: '<p>*not emphasis*</p>',
    markdown: '\\*not emphasis\\*',
  },
  {
    name: 'two stars around a word are escaped',
    html: '<p>**bold**</p>',
    markdown: '\\*\\*bold\\*\\*',
  },
  {
    name: 'a product of letters is escaped only if it could pair',
    html: '<p>a*b</p>',
    markdown: 'a*b',
  },
  {
    name: 'stars in two words are escaped',
    html: '<p>a*b*c</p>',
    markdown: 'a\\*b\\*c',
  },
  {
    name: 'stars that only close need nothing',
    html: '<p>5* and 4*</p>',
    markdown: '5* and 4*',
  },
  {
    name: 'underscores inside words need nothing',
    html: '<p>snake_case_name</p>',
    markdown: 'snake_case_name',
  },
  {
    name: 'underscores around a word are escaped',
    html: '<p>_private_</p>',
    markdown: '\\_private\\_',
  },
  {
    name: 'double underscores around a word are escaped',
    html: '<p>__init__</p>',
    markdown: '\\_\\_init\\_\\_',
  },
  {
    name: 'a lone underscore needs nothing',
    html: '<p>_private</p>',
    markdown: '_private',
  },
  {
    name: 'a lone backtick needs nothing',
    html: '<p>rock `n roll</p>',
    markdown: 'rock `n roll',
  },
  {
    name: 'two backticks are escaped',
    html: '<p>`a`</p>',
    markdown: '\\`a\\`',
  },
  {
    name: 'a backtick beside code is escaped',
    html: '<p>` <code>a</code></p>',
    markdown: '\\` `a`',
  },
  {
    name: 'tildes around a word are escaped',
    html: '<p>~~a~~</p>',
    markdown: '\\~\\~a\\~\\~',
  },
  {
    name: 'a tilde for about needs nothing',
    html: '<p>~5 to ~10</p>',
    markdown: '~5 to ~10',
  },
  {
    name: 'brackets need nothing',
    html: '<p>[a] and [b]</p>',
    markdown: '[a] and [b]',
  },
  {
    name: 'brackets before a parenthesis are escaped',
    html: '<p>[a](b)</p>',
    markdown: '[a\\](b)',
  },
  {
    name: 'an exclamation mark before brackets and parenthesis',
    html: '<p>![a](b)</p>',
    markdown: '![a\\](b)',
  },
  {
    name: 'an exclamation mark before a link is escaped',
    html: '<p>Wow!<a href="/x">a</a></p>',
    markdown: 'Wow\\![a](/x)',
  },
  {
    name: 'an exclamation mark and a space before a link need nothing',
    html: '<p>Wow! <a href="/x">a</a></p>',
    markdown: 'Wow! [a](/x)',
  },
  {
    name: 'a bracket that could define a reference is escaped',
    html: '<p>[a]: http://b.c</p>',
    markdown: '\\[a]: http://b.c',
  },
  {
    name: 'less than before a letter is escaped',
    html: '<p>a &lt;b&gt; c</p>',
    markdown: 'a \\<b> c',
  },
  {
    name: 'less than before a space or digit needs nothing',
    html: '<p>a &lt; b, x &lt;3</p>',
    markdown: 'a < b, x <3',
  },
  {
    name: 'the end of a tag is escaped',
    html: '<p>&lt;/p&gt; &lt;!-- x --&gt; &lt;?php</p>',
    markdown: '\\</p> \\<!-- x --> \\<?php',
  },
  {
    name: 'an ampersand needs nothing',
    html: '<p>AT&amp;T, a &amp; b</p>',
    markdown: 'AT&T, a & b',
  },
  {
    name: 'an ampersand that could be a reference is escaped',
    html: '<p>&amp;amp; &amp;#65; &amp;#x41;</p>',
    markdown: '\\&amp; \\&#65; \\&#x41;',
  },
  {
    name: 'a backslash before a letter needs nothing',
    html: '<p>C:\\Users\\me</p>',
    markdown: 'C:\\Users\\me',
  },
  {
    name: 'a backslash before punctuation is escaped',
    html: '<p>\\* and \\\\server</p>',
    markdown: '\\\\* and \\\\\\server',
  },
  {
    name: 'a backslash at the end of a line is escaped',
    html: '<p>a\\<br>b\\</p>',
    markdown: ['a\\  ', 'b\\\\'],
  },
  {
    name: 'a pipe needs nothing outside of tables',
    html: '<p>a | b</p>',
    markdown: 'a | b',
  },
]
