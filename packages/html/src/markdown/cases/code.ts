import type { Case } from './case.ts'

/** Code blocks, their languages and line numbers. */
export const code: readonly Case[] = [
  {
    name: 'a block of code is fenced',
    html: '<pre><code>a\n  b</code></pre>',
    markdown: ['```', 'a', '  b', '```'],
  },
  {
    name: 'a block without a code element is fenced too',
    html: '<pre>a\n  b</pre>',
    markdown: ['```', 'a', '  b', '```'],
  },
  {
    name: 'white space in code is kept',
    html: '<pre>  a\n\n\tb   \n</pre>',
    markdown: ['```', '  a', '', '\tb   ', '```'],
  },
  {
    name: 'an empty first line of code is kept',
    html: '<pre><code>\na</code></pre>',
    markdown: ['```', '', 'a', '```'],
  },
  {
    name: 'backticks in code make the fence longer',
    html: '<pre>```\na\n````</pre>',
    markdown: ['`````', '```', 'a', '````', '`````'],
  },
  {
    name: 'two backticks in code do not',
    html: '<pre>``a``</pre>',
    markdown: ['```', '``a``', '```'],
  },
  {
    name: 'line breaks in code',
    html: '<pre>a<br>b</pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'lines of code as blocks',
    html: '<pre><div>a</div><div>  b</div></pre>',
    markdown: ['```', 'a', '  b', '```'],
  },
  {
    name: 'lines of code as spans',
    html: '<pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'markup in code is text',
    html: '<pre><code>a <b>b</b> <a href="/x">c</a> &lt;d&gt;</code></pre>',
    markdown: ['```', 'a b c <d>', '```'],
  },
  {
    name: 'a label that says the language of its block is not content',
    html: '<div class="language-sh"><button title="Copy Code"></button><span class="lang">sh</span><pre><code>npm start</code></pre></div>',
    markdown: ['```sh', 'npm start', '```'],
  },
  {
    name: 'a head with such a label and a button is not content either',
    html: '<div><div><span>Python</span><button>Copy</button></div><div><pre><code class="language-python">a</code></pre></div></div>',
    markdown: ['```python', 'a', '```'],
  },
  {
    name: 'a label that says something else than the block is content: the name of a file, another language, a sentence',
    html: '<span>main.sh</span><pre><code class="language-sh">a</code></pre><span>js</span><pre><code class="language-sh">b</code></pre><div>Run sh</div><pre><code class="language-sh">c</code></pre><div>sh</div><pre>d</pre>',
    markdown: [
      'main.sh',
      '',
      '```sh',
      'a',
      '```',
      '',
      'js',
      '',
      '```sh',
      'b',
      '```',
      '',
      'Run sh',
      '',
      '```sh',
      'c',
      '```',
      '',
      'sh',
      '',
      '```',
      'd',
      '```',
    ],
  },
  {
    name: 'the language by class language-',
    html: '<pre><code class="language-js">a</code></pre>',
    markdown: ['```js', 'a', '```'],
  },
  {
    name: 'the language by class lang-',
    html: '<pre class="lang-py">a</pre>',
    markdown: ['```py', 'a', '```'],
  },
  {
    name: 'the language by class highlight-source-',
    html: '<div class="highlight highlight-source-shell"><pre>a</pre></div>',
    markdown: ['```shell', 'a', '```'],
  },
  {
    name: 'the language by class of highlight.js',
    html: '<pre><code class="hljs rust">a</code></pre>',
    markdown: ['```rust', 'a', '```'],
  },
  {
    name: 'the language by brush',
    html: '<pre class="brush: php; toolbar: false">a</pre>',
    markdown: ['```php', 'a', '```'],
  },
  {
    name: 'the language by data-lang',
    html: '<pre data-lang="go">a</pre>',
    markdown: ['```go', 'a', '```'],
  },
  {
    name: 'the language by data-language',
    html: '<pre><code data-language="ts">a</code></pre>',
    markdown: ['```ts', 'a', '```'],
  },
  {
    name: 'the language by a class of its name',
    html: '<pre><code class="python">a</code></pre>',
    markdown: ['```python', 'a', '```'],
  },
  {
    name: 'the language of a generator',
    html: '<div class="sourceCode" id="cb1"><pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre></div>',
    markdown: ['```haskell', 'a', '```'],
  },
  {
    name: 'the language of a documentation tool',
    html: '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>',
    markdown: ['```python', 'a', '```'],
  },
  {
    name: 'the language of a site generator',
    html: '<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>a</code></pre></div></div>',
    markdown: ['```ruby', 'a', '```'],
  },
  {
    name: 'the language by attribute lang',
    html: '<pre lang="ruby"><code>a</code></pre>',
    markdown: ['```ruby', 'a', '```'],
  },
  {
    name: 'a natural language is no language of code',
    html: '<pre lang="en">a</pre>',
    markdown: ['```', 'a', '```'],
  },
  {
    name: 'a class that is no language is none',
    html: '<pre class="wp-block-code"><code>a</code></pre>',
    markdown: ['```', 'a', '```'],
  },
  {
    name: 'a language that says it is none is none',
    html: '<pre><code class="language-none">a</code></pre>',
    markdown: ['```', 'a', '```'],
  },
  {
    name: 'no language reaches beyond its word',
    html: '<pre><code class="language-a`b">x</code></pre>',
    markdown: ['```a', 'x', '```'],
  },
  {
    name: 'a table of numbers and code (Rouge)',
    html: '<div class="language-sh"><table class="rouge-table"><tbody><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>a\nb\n</pre></td></tr></tbody></table></div>',
    markdown: ['```sh', 'a', 'b', '```'],
  },
  {
    name: 'a table of numbers and code (Hexo)',
    html: '<figure class="highlight js"><table><tr><td class="gutter"><pre><span class="line">1</span><br><span class="line">2</span><br></pre></td><td class="code"><pre><span class="line">a</span><br><span class="line">b</span><br></pre></td></tr></table></figure>',
    markdown: ['```js', 'a', 'b', '```'],
  },
  {
    name: 'a table of lines and numbers (highlight.js)',
    html: '<pre><code class="hljs js"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-numbers"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-code">a</td></tr><tr><td class="hljs-ln-numbers"></td><td class="hljs-ln-code">  b</td></tr></tbody></table></code></pre>',
    markdown: ['```js', 'a', '  b', '```'],
  },
  {
    name: 'a table of lines and numbers (GitHub)',
    html: '<table class="highlight"><tr><td id="L1" class="blob-num" data-line-number="1"></td><td class="blob-code">a</td></tr>\n<tr><td class="blob-num" data-line-number="2"></td><td class="blob-code">  b</td></tr></table>',
    markdown: ['```', 'a', '  b', '```'],
  },
  {
    name: 'a table of numbers and code (Pygments)',
    html: '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div class="highlight"><pre>a\nb\n</pre></div></td></tr></table>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'a table of numbers and code (Chroma)',
    html: '<div class="highlight"><table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre><code class="language-go" data-lang="go">a\nb\n</code></pre></td></tr></table></div>',
    markdown: ['```go', 'a', 'b', '```'],
  },
  {
    name: 'numbers as spans in code',
    html: '<pre><code><span class="ln">1</span>a\n<span class="ln">2</span>b</code></pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'numbers of a plug-in (Prism)',
    html: '<pre class="line-numbers language-css"><code>a\nb<span class="line-numbers-rows"><span></span><span></span></span></code></pre>',
    markdown: ['```css', 'a', 'b', '```'],
  },
  {
    name: 'numbers without a name',
    html: '<pre><div><div><span>1</span><div>a</div></div><div><span>2</span><div>b</div></div></div></pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'numbers that are code stay',
    html: '<pre>1\n2\n3</pre>',
    markdown: ['```', '1', '2', '3', '```'],
  },
  {
    name: 'a button to copy is not code',
    html: '<pre><button>Copy</button><code>a</code></pre>',
    markdown: ['```', 'a', '```'],
  },
  {
    name: 'an empty block of code',
    html: '<pre><code></code></pre>',
    markdown: ['```', '```'],
  },
  {
    name: 'lines that only a style sheet parts',
    html: '<pre><code><span class="line"><span>npm</span> create</span><span class="line"></span><span class="line">cd x</span></code></pre>',
    markdown: ['```', 'npm create', '', 'cd x', '```'],
  },
  {
    name: 'lines that say their number',
    html: '<pre><code><span data-line="1">a</span><span data-line="2">b</span></code></pre>',
    markdown: ['```', 'a', 'b', '```'],
  },
  {
    name: 'lines that end by themselves',
    html: '<pre><code><span class="line">a\n</span><span class="line">b</span>\n<span class="line">c</span></code></pre>',
    markdown: ['```', 'a', 'b', 'c', '```'],
  },
  {
    name: 'words of one line',
    html: '<pre><code><span class="k">de</span><span class="n">f</span></code></pre>',
    markdown: ['```', 'def', '```'],
  },
]
