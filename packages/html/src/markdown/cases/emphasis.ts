import type { Case } from './case.ts'

/** Emphasis: choice and position of delimiters. */
export const emphasis: readonly Case[] = [
  {
    name: 'em and i are emphasis',
    html: '<p><em>a</em> <i>b</i></p>',
    markdown: '_a_ _b_',
  },
  {
    name: 'strong and b are strong',
    html: '<p><strong>a</strong> <b>b</b></p>',
    markdown: '**a** **b**',
  },
  {
    name: 'del, s and strike are struck out',
    html: '<p><del>a</del> <s>b</s> <strike>c</strike></p>',
    markdown: '~~a~~ ~~b~~ ~~c~~',
  },
  {
    name: 'white space at the edges moves out',
    html: '<p>a<b> b </b>c</p>',
    markdown: 'a **b** c',
  },
  {
    name: 'no-break spaces at the edges move out',
    html: '<p>a<b>&nbsp;b&nbsp;</b>c</p>',
    markdown: 'a\u00A0**b**\u00A0c',
  },
  {
    name: 'empty emphasis leaves no trace',
    html: '<p>a<b></b><i> </i>b</p>',
    markdown: 'a b',
  },
  {
    name: 'emphasis of a mere no-break space leaves the space',
    html: '<p>a<b>&nbsp;</b>b</p>',
    markdown: 'a\u00A0b',
  },
  {
    name: 'emphasis inside a word uses stars',
    html: '<p>un<em>frigging</em>believable</p>',
    markdown: 'un*frigging*believable',
  },
  {
    name: 'strong inside a word works',
    html: '<p>un<b>do</b>ing</p>',
    markdown: 'un**do**ing',
  },
  {
    name: 'strong inside emphasis',
    html: '<p><em>a <strong>b</strong> c</em></p>',
    markdown: '_a **b** c_',
  },
  {
    name: 'emphasis inside strong',
    html: '<p><strong>a <em>b</em> c</strong></p>',
    markdown: '**a _b_ c**',
  },
  {
    name: 'emphasis right inside strong',
    html: '<p><strong><em>a</em></strong></p>',
    markdown: '**_a_**',
  },
  {
    name: 'strong right inside emphasis',
    html: '<p><em><strong>a</strong></em></p>',
    markdown: '_**a**_',
  },
  {
    name: 'emphasis within emphasis',
    html: '<p><em>a <em>b</em> c</em></p>',
    markdown: '_a _b_ c_',
  },
  {
    name: 'strong within strong',
    html: '<p><strong>a <strong>b</strong> c</strong></p>',
    markdown: '**a **b** c**',
  },
  {
    name: 'neighbours of one kind join',
    html: '<p><b>a</b><b>b</b></p>',
    markdown: '**ab**',
  },
  {
    name: 'neighbours of one kind with a space stay two',
    html: '<p><b>a</b> <b>b</b></p>',
    markdown: '**a** **b**',
  },
  {
    name: 'neighbours of two kinds use different signs',
    html: '<p><em>a</em><strong>b</strong></p>',
    markdown: '_a_**b**',
  },
  {
    name: 'struck out beside strong',
    html: '<p><del>a</del><strong>b</strong></p>',
    markdown: '~~a~~**b**',
  },
  {
    name: 'punctuation at the end inside, a letter outside: tags',
    html: '<p><b>Name:</b>value</p>',
    markdown: '<strong>Name:</strong>value',
  },
  {
    name: 'punctuation at the end inside, a space outside: stars',
    html: '<p><b>Name: </b>value</p>',
    markdown: '**Name:** value',
  },
  {
    name: 'punctuation at both edges before a space: stars',
    html: '<p><b>(a)</b> b</p>',
    markdown: '**(a)** b',
  },
  {
    name: 'Chinese punctuation before a character: tags',
    html: '<p><b>注意：</b>文字</p>',
    markdown: '<strong>注意：</strong>文字',
  },
  {
    name: 'Chinese characters around emphasis need no space',
    html: '<p>這是<em>強調</em>文字</p>',
    markdown: '這是*強調*文字',
  },
  {
    name: 'quotation marks inside before a letter: tags',
    html: '<p><em>“quoted”</em>text</p>',
    markdown: '<em>“quoted”</em>text',
  },
  {
    name: 'a lone colon in bold is not worth tags',
    html: '<p>Name<b>:</b> value</p>',
    markdown: 'Name: value',
  },
  {
    name: 'emphasis around paragraphs goes into each',
    html: '<b><p>one</p><p>two</p></b>',
    markdown: ['**one**', '', '**two**'],
  },
  {
    name: 'emphasis around a heading goes into it',
    html: '<em><h2>one</h2></em>',
    markdown: '## _one_',
  },
  {
    name: 'emphasis around a list goes into each item',
    html: '<b><ul><li>one</li><li>two</li></ul></b>',
    markdown: ['- **one**', '- **two**'],
  },
  {
    name: 'emphasis around two line breaks goes into both paragraphs',
    html: '<p><i>one<br><br>two</i></p>',
    markdown: ['_one_', '', '_two_'],
  },
  {
    name: 'emphasis over a line break stays one',
    html: '<p><i>one<br>two</i></p>',
    markdown: ['_one  ', 'two_'],
  },
  {
    name: 'emphasis around code',
    html: '<p><b><code>a</code></b></p>',
    markdown: '**`a`**',
  },
  {
    name: 'emphasis around a link',
    html: '<p><b><a href="/x">a</a></b></p>',
    markdown: '**[a](/x)**',
  },
  {
    name: 'emphasis inside a link',
    html: '<p><a href="/x"><b>a</b></a></p>',
    markdown: '[**a**](/x)',
  },
  {
    name: 'emphasis around an image',
    html: '<p><b><img src="/x.png" alt="a"></b></p>',
    markdown: '**![a](/x.png)**',
  },
  {
    name: 'an icon made of emphasis is nothing',
    html: '<p><i class="fa fa-home"></i> Home</p>',
    markdown: 'Home',
  },
  {
    name: 'bold that says it is normal is plain',
    html: '<b style="font-weight:normal"><p>one</p></b>',
    markdown: 'one',
  },
  {
    name: 'sub and sup stay tags',
    html: '<p>H<sub>2</sub>O and x<sup>2</sup></p>',
    markdown: 'H<sub>2</sub>O and x<sup>2</sup>',
  },
  {
    name: 'kbd, mark and ins stay tags',
    html: '<p><kbd>Ctrl</kbd> <mark>new</mark> <ins>added</ins></p>',
    markdown: '<kbd>Ctrl</kbd> <mark>new</mark> <ins>added</ins>',
  },
  {
    name: 'underline is plain',
    html: '<p><u>a</u></p>',
    markdown: 'a',
  },
  {
    name: 'empty tags leave no trace',
    html: '<p>a<sup></sup><kbd> </kbd></p>',
    markdown: 'a',
  },
  {
    name: 'a lone star in emphasis needs nothing',
    html: '<p><em>a*b</em></p>',
    markdown: '_a*b_',
  },
  {
    name: 'an underscore in a word in emphasis needs nothing',
    html: '<p><em>snake_case</em></p>',
    markdown: '_snake_case_',
  },
  {
    name: 'emphasis ending in a star',
    html: '<p><b>a*</b> b</p>',
    markdown: '**a\\*** b',
  },
  {
    name: 'stars in emphasis that uses underscores pair among themselves',
    html: '<p><em>*a* b</em></p>',
    markdown: '_\\*a\\* b_',
  },
  {
    name: 'a tilde beside bold needs nothing',
    html: '<p><b>~5</b></p>',
    markdown: '**~5**',
  },
  {
    name: 'wide spaces at the edges move out',
    html: '<p>a<b>　b </b>c</p>',
    markdown: 'a　**b** c',
  },
  {
    name: 'emphasis of one emoji',
    html: '<p><b>😀</b> smile</p>',
    markdown: '**😀** smile',
  },
  {
    name: 'emphasis after an emoji',
    html: '<p>😀<b>a</b></p>',
    markdown: '😀**a**',
  },
  {
    name: 'unclosed bold over blocks is closed in each',
    html: '<p><b>one<p>two',
    markdown: ['**one**', '', '**two**'],
  },
  {
    name: 'many nested marks are cut',
    html: '<b><b><b><b><b><b><b><b><b><b>deep</b></b></b></b></b></b></b></b></b></b>',
    markdown: '**__**deep**__**',
  },
  {
    name: 'emphasis before a word that starts with an underscore',
    html: '<p><em>a</em>_b</p>',
    markdown: '_a_\\_b',
  },
  {
    name: 'bold that begins in the middle of a sentence in brackets',
    html: '<p>(<b>a</b>)</p>',
    markdown: '(**a**)',
  },
]
