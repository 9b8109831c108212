import type { Case } from './case.ts'

/** Pieces of pages as they are. */
export const pages: readonly Case[] = [
  {
    name: 'an article',
    html: '<html><head><title>T</title></head><body><main><article><h1>Title</h1><p>By <a href="/u/ann">Ann</a>, <time>May 1</time></p><p>First <b>bold</b> words.</p><ul><li>one</li><li>two</li></ul><pre><code class="language-js">let a = 1</code></pre><blockquote><p>Said.</p></blockquote></article></main></body></html>',
    markdown: ['# Title', '', 'By [Ann](/u/ann), May 1', '', 'First **bold** words.', '', '- one', '- two', '', '```js', 'let a = 1', '```', '', '> Said.'],
  },
  {
    name: 'cards',
    html: '<div class="grid"><a class="card" href="/1"><img src="/1.png" alt="One"><h3>One</h3><p>First.</p></a><a class="card" href="/2"><img src="/2.png" alt="Two"><h3>Two</h3><p>Second.</p></a></div>',
    markdown: ['![One](/1.png)', '', '### [One](/1)', '', 'First.', '', '![Two](/2.png)', '', '### [Two](/2)', '', 'Second.'],
  },
  {
    name: 'a menu of links',
    html: '<nav><ul><li><a href="/">Home</a></li><li><a href="/a">A</a><ul><li><a href="/a/b">B</a></li></ul></li></ul></nav>',
    markdown: ['- [Home](/)', '- [A](/a)', '  - [B](/a/b)'],
  },
  {
    name: 'questions and answers',
    html: '<dl><dt>Why?</dt><dd>Because.</dd></dl><details><summary>How?</summary><p>So.</p></details>',
    markdown: ['Why?', ': Because.', '', '<details>', '<summary>How?</summary>', '', 'So.', '', '</details>'],
  },
  {
    name: 'a comparison of products',
    html: '<table><thead><tr><th></th><th>Basic</th><th>Pro</th></tr></thead><tbody><tr><th>Price</th><td>$0</td><td>$9 <small>a month</small></td></tr><tr><th>Users</th><td>1</td><td>∞</td></tr></tbody></table>',
    markdown: ['|  | Basic | Pro |', '| --- | --- | --- |', '| Price | $0 | $9 a month |', '| Users | 1 | ∞ |'],
  },
  {
    name: 'a recipe',
    html: '<h2>Ingredients</h2><ul><li>½ cup <b>sugar</b></li><li>1–2 eggs</li></ul><h2>Steps</h2><ol><li><p>Mix.</p></li><li><p>Bake at 180&nbsp;°C for 20&nbsp;min.</p></li></ol>',
    markdown: ['## Ingredients', '', '- ½ cup **sugar**', '- 1–2 eggs', '', '## Steps', '', '1. Mix.', '', '2. Bake at 180\u00A0°C for 20\u00A0min.'],
  },
  {
    name: 'a page of a library',
    html: '<h3><code>map(fn: (a: T) =&gt; U): U[]</code><a class="headerlink" href="#map">#</a></h3><p>Calls <code>fn</code> for each item. See <a href="/filter"><code>filter()</code></a>.</p><div class="highlight-js"><div class="highlight"><pre><span></span>[1].map((n) =&gt; n * 2)\n</pre></div></div>',
    markdown: ['### `map(fn: (a: T) => U): U[]`', '', 'Calls `fn` for each item. See [`filter()`](/filter).', '', '```js', '[1].map((n) => n * 2)', '```'],
  },
  {
    name: 'a discussion',
    html: '<div><div><b>ann</b> <span>2 h ago</span></div><blockquote><div><cite>bob:</cite><p>No.</p></div></blockquote><p>Yes!</p></div>',
    markdown: ['**ann** 2 h ago', '', '> bob:', '>', '> No.', '', 'Yes!'],
  },
]
