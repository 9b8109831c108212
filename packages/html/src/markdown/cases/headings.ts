import type { Case } from './case.ts'

/** Headings. */
export const headings: readonly Case[] = [
  {
    name: 'headings have as many hashes as their level',
    html: '<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6>',
    markdown: ['# a', '', '## b', '', '### c', '', '#### d', '', '##### e', '', '###### f'],
  },
  {
    name: 'line breaks in a heading are spaces',
    html: '<h2>one<br>two\nthree</h2>',
    markdown: '## one two three',
  },
  {
    name: 'blocks in a heading are one line',
    html: '<h2><div>one</div><div>two</div></h2>',
    markdown: '## one two',
  },
  {
    name: 'a link in a heading stays',
    html: '<h2><a href="/x">Title</a></h2>',
    markdown: '## [Title](/x)',
  },
  {
    name: 'a heading in a link keeps both',
    html: '<a href="/x"><h2>Title</h2></a>',
    markdown: '## [Title](/x)',
  },
  {
    name: 'emphasis in a heading stays',
    html: '<h2>A <em>b</em></h2>',
    markdown: '## A _b_',
  },
  {
    name: 'code in a heading stays',
    html: '<h2>The <code>x</code> option</h2>',
    markdown: '## The `x` option',
  },
  {
    name: 'an image in a heading stays',
    html: '<h1><img src="/logo.png" alt="Logo"></h1>',
    markdown: '# ![Logo](/logo.png)',
  },
  {
    name: 'empty headings leave no trace',
    html: '<h2></h2><h2> <br></h2><p>one</p>',
    markdown: 'one',
  },
  {
    name: 'hashes at the end of a heading are kept',
    html: '<h2>C #</h2>',
    markdown: '## C \\#',
  },
  {
    name: 'a hash that ends a word needs nothing',
    html: '<h2>C#</h2>',
    markdown: '## C#',
  },
  {
    name: 'a heading of hashes only is kept',
    html: '<h3>###</h3>',
    markdown: '### ##\\#',
  },
  {
    name: 'a number at the start of a heading needs nothing',
    html: '<h2>1. Intro</h2>',
    markdown: '## 1. Intro',
  },
  {
    name: 'a dash at the start of a heading needs nothing',
    html: '<h2>- Intro</h2>',
    markdown: '## - Intro',
  },
  {
    name: 'the sign by which a heading offers its address is dropped',
    html: '<h2 id="a">Title<a class="headerlink" href="#a">¶</a></h2>',
    markdown: '## Title',
  },
  {
    name: 'an empty anchor in a heading is dropped',
    html: '<h2><a id="a" class="anchor" href="#a"></a>Title</h2>',
    markdown: '## Title',
  },
  {
    name: 'a heading inside a list item belongs to the item',
    html: '<ul><li><h3>Title</h3><p>text</p></li></ul>',
    markdown: ['- ### Title', '', '  text'],
  },
  {
    name: 'hgroup keeps its lines',
    html: '<hgroup><h1>Title</h1><p>Sub</p></hgroup>',
    markdown: ['# Title', '', 'Sub'],
  },
]
