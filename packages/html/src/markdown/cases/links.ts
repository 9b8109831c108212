import { makeBase } from '../../addresses/urls.ts'
import type { Case } from './case.ts'

/** Links and their URLs. */
export const links: readonly Case[] = [
  {
    name: 'a link is its text and its address',
    html: '<p><a href="/x">text</a></p>',
    markdown: '[text](/x)',
  },
  {
    name: 'a title is kept',
    html: '<p><a href="/x" title="A title">text</a></p>',
    markdown: '[text](/x "A title")',
  },
  {
    name: 'a title that repeats the text is dropped',
    html: '<p><a href="/x" title="text">text</a></p>',
    markdown: '[text](/x)',
  },
  {
    name: 'quotation marks in a title are escaped',
    html: '<p><a href="/x" title=\'say "hi"\'>text</a></p>',
    markdown: '[text](/x "say \\"hi\\"")',
  },
  {
    name: 'a title over lines is one line',
    html: '<p><a href="/x" title="one\ntwo">text</a></p>',
    markdown: '[text](/x "one two")',
  },
  {
    name: 'white space at the edges of a link moves out',
    html: '<p>a<a href="/x"> b </a>c</p>',
    markdown: 'a [b](/x) c',
  },
  {
    name: 'brackets in the text are escaped',
    html: '<p><a href="/x">a [b] c</a></p>',
    markdown: '[a \\[b\\] c](/x)',
  },
  {
    name: 'balanced parentheses in the address are kept',
    html: '<p><a href="/wiki/A_(b)">a</a></p>',
    markdown: '[a](/wiki/A_(b))',
  },
  {
    name: 'unbalanced parentheses in the address are escaped',
    html: '<p><a href="/a)b(">a</a></p>',
    markdown: '[a](/a\\)b\\()',
  },
  {
    name: 'spaces in the address are encoded',
    html: '<p><a href="/a b">a</a></p>',
    markdown: '[a](/a%20b)',
  },
  {
    name: 'line breaks in the address are dropped',
    html: '<p><a href="/a\n b">a</a></p>',
    markdown: '[a](/a%20b)',
  },
  {
    name: 'angle brackets and backslashes in the address are encoded',
    html: '<p><a href="/a<b>\\c">a</a></p>',
    markdown: '[a](/a%3Cb%3E%5Cc)',
  },
  {
    name: 'an address that looks like a reference is kept from being one',
    html: '<p><a href="/?a=1&amp;copy;=2">a</a></p>',
    markdown: '[a](/?a=1&amp;copy;=2)',
  },
  {
    name: 'letters of any language in the address are kept',
    html: '<p><a href="/straße/日本">a</a></p>',
    markdown: '[a](/straße/日本)',
  },
  {
    name: 'an empty address is kept',
    html: '<p><a href="">a</a></p>',
    markdown: '[a]()',
  },
  {
    name: 'a link without address is its text',
    html: '<p><a name="x">a</a> <a>b</a></p>',
    markdown: 'a b',
  },
  {
    name: 'a script is no address',
    html: '<p><a href="javascript:void(0)">a</a> <a href=" JavaScript:x()">b</a></p>',
    markdown: 'a b',
  },
  {
    name: 'signs that browsers ignore do not hide a script',
    html: '<p><a href="java&#10;script:x()">a</a> <a href="&#1;javascript:x()">b</a> <a href="&#9;vb&#13;script:x()">c</a> <a href="&#1;/d&#2;">d</a></p>',
    markdown: 'a b c [d](/d)',
  },
  {
    name: 'signs that browsers ignore do not hide a script, with a base',
    options: { base: makeBase('https://site.example/') },
    html: '<p><a href="java&#10;script:x()">a</a> <a href="&#1;javascript:x()">b</a></p>',
    markdown: 'a b',
  },
  {
    name: 'mail and telephone addresses are kept',
    html: '<p><a href="mailto:a@b.de?subject=x">mail</a> <a href="tel:+491">call</a></p>',
    markdown: '[mail](mailto:a@b.de?subject=x) [call](tel:+491)',
  },
  {
    name: 'a link that shows its address is an autolink',
    html: '<p><a href="https://a.b/c?d=e&amp;f">https://a.b/c?d=e&amp;f</a></p>',
    markdown: '<https://a.b/c?d=e&f>',
  },
  {
    name: 'a link that shows its mail address is an autolink',
    html: '<p><a href="mailto:me@a.de">me@a.de</a></p>',
    markdown: '<me@a.de>',
  },
  {
    name: 'an autolink with a title is a link',
    html: '<p><a href="https://a.b" title="t">https://a.b</a></p>',
    markdown: '[https://a.b](https://a.b "t")',
  },
  {
    name: 'a line break in a link is escaped, the link stays one',
    html: '<p><a href="/x">one<br>two</a></p>',
    markdown: ['[one\\', 'two](/x)'],
  },
  {
    name: 'lines of blocks in a link are escaped, the link stays one',
    html: '<a href="/x"><div>one</div><div>two</div></a>',
    markdown: ['[one\\', '\\', 'two](/x)'],
  },
  {
    name: 'paragraphs in a link are escaped lines',
    html: '<a href="/x"><p>one</p><p>two</p></a>',
    markdown: ['[one\\', '\\', 'two](/x)'],
  },
  {
    name: 'an image and text in a link',
    html: '<a href="/x"><div><img src="/i.png" alt="i"></div><div>text</div></a>',
    markdown: ['[![i](/i.png)\\', '\\', 'text](/x)'],
  },
  {
    name: 'a start of a line inside a link is escaped too',
    html: '<a href="/x"><p>one</p><p># two</p><p>- three</p></a>',
    markdown: ['[one\\', '\\', '\\# two\\', '\\', '\\- three](/x)'],
  },
  {
    name: 'a linked image',
    html: '<p><a href="/x"><img src="/i.png" alt="i"></a></p>',
    markdown: '[![i](/i.png)](/x)',
  },
  {
    name: 'a card: the heading carries the link',
    html: '<a href="/x"><img src="/i.png" alt="i"><h3>Title</h3><p>Text</p></a>',
    markdown: ['![i](/i.png)', '', '### [Title](/x)', '', 'Text'],
  },
  {
    name: 'a link around a list goes to its first item',
    html: '<a href="/x"><ul><li>one</li><li>two</li></ul></a>',
    markdown: ['- [one](/x)', '- two'],
  },
  {
    name: 'a link around a figure goes to the picture',
    html: '<a href="/x"><figure><img src="/i.png" alt="i"><figcaption>cap</figcaption></figure></a>',
    markdown: ['[![i](/i.png)](/x)', '', 'cap'],
  },
  {
    name: 'a link around code blocks',
    html: '<a href="/x"><p>text</p><pre>code</pre></a>',
    markdown: ['[text](/x)', '', '```', 'code', '```'],
  },
  {
    name: 'a link in a list item over lines keeps to its item',
    html: '<ul><li><a href="/x"><div>one</div><div>two</div></a></li></ul>',
    markdown: ['- [one\\', '  \\', '  two](/x)'],
  },
  {
    name: 'an empty link without children keeps its address',
    html: '<p>a <a href="/x"></a></p>',
    markdown: 'a [](/x)',
  },
  {
    name: 'an icon that is a link takes the name it has',
    html: '<p><a href="/x" aria-label="Next page"><svg></svg></a></p>',
    markdown: '[Next page](/x)',
  },
  {
    name: 'an icon that is a link without a name is dropped',
    html: '<p>a <a href="/x"><i class="icon"></i></a></p>',
    markdown: 'a',
  },
  {
    name: 'an empty link to a place in the page is dropped',
    html: '<p>a <a href="#x"></a></p>',
    markdown: 'a',
  },
  {
    name: 'a link in emphasis in a link',
    html: '<p><em>a <a href="/x">b</a></em></p>',
    markdown: '_a [b](/x)_',
  },
  {
    name: 'code in a link',
    html: '<p><a href="/x"><code>a]b</code></a></p>',
    markdown: '[`a]b`](/x)',
  },
  {
    name: 'a number in a link at the start of a line',
    html: '<p><a href="/x">1. one</a></p>',
    markdown: '[1. one](/x)',
  },
  {
    name: 'links beside each other',
    html: '<p><a href="/x">a</a><a href="/y">b</a></p>',
    markdown: '[a](/x)[b](/y)',
  },
  {
    name: 'text in brackets before a link',
    html: '<p>[<a href="/x">a</a>]</p>',
    markdown: '[[a](/x)]',
  },
  {
    name: 'text in parentheses after a link',
    html: '<p><a href="/x">a</a>(b)</p>',
    markdown: '[a](/x)(b)',
  },
  {
    name: 'addresses are resolved, places in the page stay',
    html: '<p><a href="c.html">a</a> <a href="/d">b</a> <a href="//e.f/g">c</a> <a href="?r=2">d</a> <a href="#h">e</a></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown:
      '[a](https://site.test/a/c.html) [b](https://site.test/d) [c](https://e.f/g) [d](https://site.test/a/b.html?r=2) [e](#h)',
  },
  {
    name: 'dots in addresses are resolved',
    html: '<p><a href="../c">a</a> <a href="./d/../e">b</a></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown: '[a](https://site.test/c) [b](https://site.test/a/e)',
  },
  {
    name: 'absolute addresses are written as the list of links has them',
    html: '<p><a href="https://x.test">a</a> <a href="HTTP://X.test/%7e">b</a></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown: '[a](https://x.test/) [b](http://x.test/%7e)',
  },
  {
    name: 'an address that cannot be resolved is kept',
    html: '<p><a href="//[">a</a></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown: '[a](//[)',
  },
  {
    name: 'an address with spaces around is trimmed',
    html: '<p><a href=" /x ">a</a></p>',
    options: { base: makeBase('https://site.test/a/b.html?q=1') },
    markdown: '[a](https://site.test/x)',
  },
  {
    name: 'a raised link is a plain link',
    html: '<p>a<sup><a href="#c">[2]</a></sup></p>',
    markdown: 'a[\\[2\\]](#c)',
  },
  {
    name: 'a link inside a heading inside a link',
    html: '<a href="/x"><h2>A <em>b</em></h2></a>',
    markdown: '## [A _b_](/x)',
  },
  {
    name: 'a pipe in an address is encoded',
    html: '<p><a href="/a|b">a</a></p>',
    markdown: '[a](/a%7Cb)',
  },
  {
    name: 'a link that shows its own address inside a span',
    html: '<a href="https://site.test/a"><span> https://site.test/a </span></a>',
    markdown: ['<https://site.test/a>'],
  },
  {
    name: 'a link that shows its own address but for the last slash, and says it again in its title',
    html: '<a href="https://site.test/" title="https://site.test">https://site.test</a>',
    markdown: ['<https://site.test>'],
  },
]
