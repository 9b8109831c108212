import type { Case } from './case.ts'

/** Paragraphs, white space, and elements without text. */
export const paragraphs: readonly Case[] = [
  {
    name: 'a paragraph is a line',
    html: '<p>Hello, world.</p>',
    markdown: 'Hello, world.',
  },
  {
    name: 'paragraphs are parted by an empty line',
    html: '<p>One.</p><p>Two.</p>',
    markdown: ['One.', '', 'Two.'],
  },
  {
    name: 'white space of the source collapses',
    html: '<p>\n  One\n\ttwo   three \n</p>',
    markdown: 'One two three',
  },
  {
    name: 'white space around inline elements is kept once',
    html: '<p>one <span> two </span> three</p>',
    markdown: 'one two three',
  },
  {
    name: 'elements without space between them stay together',
    html: '<p>one<span>two</span>three</p>',
    markdown: 'onetwothree',
  },
  {
    name: 'text beside blocks is a paragraph of its own',
    html: '<div>before<p>inside</p>after</div>',
    markdown: ['before', '', 'inside', '', 'after'],
  },
  {
    name: 'divisions part lines as paragraphs do',
    html: '<div>one</div><div>two</div>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'sections, articles and addresses are blocks',
    html: '<section>one</section><article>two</article><address>three</address>',
    markdown: ['one', '', 'two', '', 'three'],
  },
  {
    name: 'empty paragraphs leave no trace',
    html: '<p>one</p><p></p><p>&nbsp;</p><p> \n </p><p>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'a paragraph of zero-width characters leaves no trace',
    html: '<p>one</p><p>&#8203;&#65279;</p><p>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'a line break is two spaces at the end of the line',
    html: '<p>one<br>two</p>',
    markdown: ['one  ', 'two'],
  },
  {
    name: 'white space around a line break is dropped',
    html: '<p>one <br>\n two</p>',
    markdown: ['one  ', 'two'],
  },
  {
    name: 'a line break at the end of a block is nothing',
    html: '<p>one<br></p><p>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'a line break at the start of a block is nothing',
    html: '<p><br>one</p>',
    markdown: 'one',
  },
  {
    name: 'two line breaks part paragraphs',
    html: '<p>one<br><br>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'many line breaks part paragraphs once',
    html: '<p>one<br><br> <br><br>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'no-break spaces between words are kept',
    html: '<p>10&nbsp;km</p>',
    markdown: '10\u00A0km',
  },
  {
    name: 'no-break spaces at the edges of a block are dropped',
    html: '<p>&nbsp;&nbsp;one&nbsp;</p>',
    markdown: 'one',
  },
  {
    name: 'soft hyphens and zero-width spaces are dropped',
    html: '<p>Donau&shy;dampf&#8203;schiff</p>',
    markdown: 'Donaudampfschiff',
  },
  {
    name: 'zero-width joiners are kept, they change letters',
    html: '<p>می&zwnj;خواهم 👩&zwj;💻</p>',
    markdown: 'می\u200Cخواهم 👩\u200D💻',
  },
  {
    name: 'a word that may break stays one word',
    html: '<p>super<wbr>long</p>',
    markdown: 'superlong',
  },
  {
    name: 'nothing gives nothing',
    html: '',
    markdown: '',
  },
  {
    name: 'comments are not text',
    html: '<p>one<!-- two -->three</p>',
    markdown: 'onethree',
  },
  {
    name: 'scripts, styles and templates are not text',
    html: '<p>one</p><script>x()</script><style>a{}</style><template><p>t</p></template><p>two</p>',
    markdown: ['one', '', 'two'],
  },
  {
    name: 'the head of a page is not text',
    html: '<html><head><title>T</title><meta name="a"></head><body><p>one</p></body></html>',
    markdown: 'one',
  },
  {
    name: 'hidden elements are skipped',
    html: '<p hidden>one</p><p>two<span hidden>three</span></p>',
    markdown: 'two',
  },
  {
    name: 'what is hidden until found is content',
    html: '<p hidden="until-found">one</p>',
    markdown: 'one',
  },
  {
    name: 'pictures drawn in place, frames and media are skipped',
    html: '<p>a<svg><title>t</title><text>s</text></svg>b</p><iframe src="x">f</iframe><video>v</video><audio>u</audio><canvas>c</canvas>',
    markdown: 'ab',
  },
  {
    name: 'a closed dialog is skipped and an open one is not',
    html: '<dialog>one</dialog><dialog open>two</dialog>',
    markdown: 'two',
  },
  {
    name: 'noscript is skipped',
    html: '<p>one</p><noscript><p>two</p></noscript>',
    markdown: 'one',
  },
  {
    name: 'noscript is read on demand',
    html: '<p>one</p><noscript><p>two</p></noscript>',
    options: { noscript: true },
    markdown: ['one', '', 'two'],
  },
  {
    name: 'unknown elements are transparent',
    html: '<my-box><p>one</p></my-box><p>a<x-y>b</x-y>c</p>',
    markdown: ['one', '', 'abc'],
  },
  {
    name: 'controls stand apart from each other',
    html: '<p><button>Save</button><button>Cancel</button></p>',
    markdown: 'Save Cancel',
  },
  {
    name: 'options of a choice stand apart',
    html: '<select><option>Red</option><option>Blue</option></select>',
    markdown: 'Red Blue',
  },
  {
    name: 'the parts of a form are lines',
    html: '<form><fieldset><legend>Name</legend><label>First</label></fieldset></form>',
    markdown: ['Name', '', 'First'],
  },
  {
    name: 'a rule is three dashes',
    html: '<p>one</p><hr><p>two</p>',
    markdown: ['one', '', '---', '', 'two'],
  },
  {
    name: 'a rule at the start cannot be taken for front matter',
    html: '<hr><p>one</p>',
    markdown: ['___', '', 'one'],
  },
  {
    name: 'rules in a row stay apart',
    html: '<p>a</p><hr><hr>',
    markdown: ['a', '', '---', '', '---'],
  },
  {
    name: 'text in quotation elements gets its marks',
    html: '<p>He said <q>yes</q>.</p>',
    markdown: 'He said "yes".',
  },
  {
    name: 'ruby without brackets gets them',
    html: '<p><ruby>漢<rt>kan</rt></ruby></p>',
    markdown: '漢(kan)',
  },
  {
    name: 'ruby with brackets keeps its own',
    html: '<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>',
    markdown: '漢(kan)',
  },
  {
    name: 'a figure is its picture and its caption',
    html: '<figure><img src="/a.png" alt="A"><figcaption>The letter A</figcaption></figure>',
    markdown: ['![A](/a.png)', '', 'The letter A'],
  },
  {
    name: 'small, time, cite and the like are plain',
    html: '<p><small>a</small> <time>b</time> <cite>c</cite> <abbr title="x">d</abbr> <var>e</var></p>',
    markdown: 'a b c d e',
  },
  {
    name: 'letters from right to left need nothing',
    html: '<p dir="rtl">שלום <b>עולם</b>.</p>',
    markdown: 'שלום **עולם**.',
  },
  {
    name: 'a line break of the source between Chinese characters is no space',
    html: '<p>中文\n換行</p>',
    markdown: '中文換行',
  },
  {
    name: 'a line break between Japanese characters and an element is no space',
    html: '<p>日本語\n<b>強調</b>\nです</p>',
    markdown: '日本語**強調**です',
  },
  {
    name: 'a space between Chinese characters is kept',
    html: '<p>中文 字</p>',
    markdown: '中文 字',
  },
  {
    name: 'a line break between Latin words is a space',
    html: '<p>one\ntwo</p>',
    markdown: 'one two',
  },
  {
    name: 'a line break between Chinese and Latin is a space',
    html: '<p>中文\nLatin</p>',
    markdown: '中文 Latin',
  },
  {
    name: 'a line break between Korean words is a space',
    html: '<p>한국어\n단어</p>',
    markdown: '한국어 단어',
  },
  {
    name: 'a label and its value that only a style sheet parts',
    html: '<div><span class="name">ISBN-13</span><span class="value">9780544103054</span></div>',
    markdown: ['ISBN-13 9780544103054'],
  },
  {
    name: 'a label and its value in small letters',
    html: '<div><span class="label">color</span><span class="value">blue</span></div>',
    markdown: ['color blue'],
  },
  {
    name: 'a first name and a last',
    html: '<p><span class="first">Jane</span><span class="last">Doe</span></p>',
    markdown: ['Jane Doe'],
  },
  {
    name: 'parts that are one word',
    html: '<p><span class="a">face</span><span class="b">book</span>, <span>H</span><span class="x">ello</span>, <span class="c">$</span><span class="v">12</span></p>',
    markdown: ['facebook, Hello, $12'],
  },
]
