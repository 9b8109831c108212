import type { Case } from './case.ts'

/** Data tables and layout tables. */
export const tables: readonly Case[] = [
  {
    name: 'a table with a head',
    html: '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'a first row of headings is the head',
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'without headings the head is empty',
    html: '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    markdown: ['|  |  |', '| --- | --- |', '| a | b |', '| c | d |'],
  },
  {
    name: 'a first row that is all bold is the head',
    html: '<table><tr><td><b>a</b></td><td><strong>b</strong></td></tr><tr><td>c</td><td>d</td></tr></table>',
    markdown: ['| **a** | **b** |', '| --- | --- |', '| c | d |'],
  },
  {
    name: 'headings at the side are cells',
    html: '<table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table>',
    markdown: ['|  |  |', '| --- | --- |', '| a | 1 |', '| b | 2 |'],
  },
  {
    name: 'alignment by attribute',
    html: '<table><tr><th align="left">a</th><th align="center">b</th><th align="right">c</th><th>d</th></tr></table>',
    markdown: ['| a | b | c | d |', '| :--- | :---: | ---: | --- |'],
  },
  {
    name: 'alignment by style',
    html: '<table><tr><th style="text-align:center">a</th><th style="text-align: right">b</th></tr></table>',
    markdown: ['| a | b |', '| :---: | ---: |'],
  },
  {
    name: 'a cell that spans columns aligns all of them',
    html: '<table><tr><th colspan="2" align="center">a</th><th align="right">b</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    markdown: ['| a |  | b |', '| :---: | :---: | ---: |', '| 1 | 2 | 3 |'],
  },
  {
    name: 'an empty column is dropped with its alignment',
    html: '<table><tr><th align="left">a</th><th align="center"></th><th align="right">b</th></tr><tr><td>1</td><td></td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| :--- | ---: |', '| 1 | 2 |'],
  },
  {
    name: 'pipes are escaped',
    html: '<table><tr><th>a|b</th><th>c</th></tr></table>',
    markdown: ['| a\\|b | c |', '| --- | --- |'],
  },
  {
    name: 'pipes in code are escaped too',
    html: '<table><tr><th><code>a|b</code></th><th>c</th></tr></table>',
    markdown: ['| `a\\|b` | c |', '| --- | --- |'],
  },
  {
    name: 'a backslash before a pipe in code in a cell',
    html: '<table><tr><th><code>a\\|b</code></th><th>c</th></tr></table>',
    markdown: ['| <code>a&#92;&#124;b</code> | c |', '| --- | --- |'],
  },
  {
    name: 'backslashes before pipes',
    html: '<table><tr><th>a\\|b</th><th>c</th></tr></table>',
    markdown: ['| a\\\\\\|b | c |', '| --- | --- |'],
  },
  {
    name: 'a line break in a cell',
    html: '<table><tr><th>a<br>b</th><th>c</th></tr></table>',
    markdown: ['| a<br>b | c |', '| --- | --- |'],
  },
  {
    name: 'two line breaks in a cell',
    html: '<table><tr><th>a<br><br>b</th><th>c</th></tr></table>',
    markdown: ['| a<br><br>b | c |', '| --- | --- |'],
  },
  {
    name: 'paragraphs in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| a<br>b | c |'],
  },
  {
    name: 'a list in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td>x<ul><li>a</li><li>b</li></ul>y</td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| x<ul><li>a</li><li>b</li></ul>y | c |'],
  },
  {
    name: 'one line of code in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><pre>a | b</pre></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| `a \\| b` | c |'],
  },
  {
    name: 'lines of code in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><pre>a *\n  b</pre></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| <pre>a &#42;<br>  b</pre> | c |'],
  },
  {
    name: 'a heading in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><h3>a</h3>b</td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| **a**<br>b | c |'],
  },
  {
    name: 'a quotation in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><blockquote>a</blockquote></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| <blockquote>a</blockquote> | c |'],
  },
  {
    name: 'a table in a cell of a marked table',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| <table><tr><td>a</td><td>b</td></tr></table> | c |'],
  },
  {
    name: 'links, images and emphasis in cells',
    html: '<table><tr><th><a href="/x">a</a></th><th><img src="/i.png" alt="i"> <b>b</b></th></tr></table>',
    markdown: ['| [a](/x) | ![i](/i.png) **b** |', '| --- | --- |'],
  },
  {
    name: 'a link over lines in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><a href="/x">a<br>b</a></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| [a<br>b](/x) | c |'],
  },
  {
    name: 'signs that begin blocks mean nothing in a cell',
    html: '<table><tr><th># a</th><th>- b</th></tr><tr><td>1. c</td><td>&gt; d</td></tr></table>',
    markdown: ['| # a | - b |', '| --- | --- |', '| 1. c | > d |'],
  },
  {
    name: 'a cell over two columns',
    html: '<table><tr><th colspan="2">a</th><th>b</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    markdown: ['| a |  | b |', '| --- | --- | --- |', '| 1 | 2 | 3 |'],
  },
  {
    name: 'a cell over two rows',
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |', '|  | 3 |'],
  },
  {
    name: 'cells over rows and columns',
    html: '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan="2" colspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>',
    markdown: ['| a | b | c |', '| --- | --- | --- |', '| 1 |  | 2 |', '|  |  | 3 |'],
  },
  {
    name: 'columns that no cell fills are dropped',
    html: '<table><tr><th colspan="3">a</th></tr><tr><td colspan="3">b</td></tr></table>',
    markdown: ['| a |', '| --- |', '| b |'],
  },
  {
    name: 'spans without measure are not believed',
    html: '<table><tr><th colspan="1000">a</th><th>b</th></tr><tr><td rowspan="65000">1</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'rows of different length',
    html: '<table><tr><th>a</th></tr><tr><td>1</td><td>2</td><td>3</td></tr></table>',
    markdown: ['| a |  |  |', '| --- | --- | --- |', '| 1 | 2 | 3 |'],
  },
  {
    name: 'empty rows and columns are dropped',
    html: '<table><tr><th>a</th><th></th><th>b</th></tr><tr><td></td><td></td><td></td></tr><tr><td>1</td><td>&nbsp;</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'an empty cell is kept',
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td></td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '|  | 2 |'],
  },
  {
    name: 'a caption stands before the table',
    html: '<table><caption>Numbers</caption><tr><td>1</td><td>2</td></tr></table>',
    markdown: ['Numbers', '', '|  |  |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'the foot of a table comes last',
    html: '<table><tfoot><tr><td>x</td><td>y</td></tr></tfoot><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |', '| x | y |'],
  },
  {
    name: 'a head of two rows',
    html: '<table><thead><tr><th>a</th><th>b</th></tr><tr><th>c</th><th>d</th></tr></thead><tr><td>1</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| c | d |', '| 1 | 2 |'],
  },
  {
    name: 'a head of plain cells',
    html: '<table><thead><tr><td>a</td><td>b</td></tr></thead><tr><td>1</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| 1 | 2 |'],
  },
  {
    name: 'a table of one column of headings and cells',
    html: '<table><tr><th>a</th></tr><tr><td>1</td></tr></table>',
    markdown: ['| a |', '| --- |', '| 1 |'],
  },
  {
    name: 'a table of one column is no table',
    html: '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'a table of one cell is no table',
    html: '<table><tr><td><p>a</p><p>b</p></td></tr></table>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'a table that says it is for layout is no table',
    html: '<table role="presentation"><tr><td>a</td><td>b</td></tr></table>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'a table around a table is for layout',
    html: '<table><tr><td>a</td><td><table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table></td></tr></table>',
    markdown: ['a', '', '|  |  |', '| --- | --- |', '| 1 | 2 |', '| 3 | 4 |'],
  },
  {
    name: 'a table with headings of sections is for layout',
    html: '<table><tr><td><h2>a</h2></td><td>b</td></tr></table>',
    markdown: ['## a', '', 'b'],
  },
  {
    name: 'a table with long cells is for layout',
    html: '<table><tr><td><p>a</p><p>b</p><p>c</p><p>d</p></td><td>e</td></tr></table>',
    markdown: ['a', '', 'b', '', 'c', '', 'd', '', 'e'],
  },
  {
    name: 'one row of blocks is for layout',
    html: '<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'an empty table is nothing',
    html: '<p>a</p><table><tr><td></td><td></td></tr></table><p>b</p>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'a hidden row is skipped',
    html: '<table><tr><th>a</th><th>b</th></tr><tr hidden><td>1</td><td>2</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |'],
  },
  {
    name: 'two tables in a row stay two',
    html: '<table><tr><th>a</th><th>b</th></tr></table><table><tr><th>c</th><th>d</th></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '', '| c | d |', '| --- | --- |'],
  },
  {
    name: 'a table after text',
    html: '<div>a<table><tr><th>b</th><th>c</th></tr></table>d</div>',
    markdown: ['a', '', '| b | c |', '| --- | --- |', '', 'd'],
  },
  {
    name: 'text inside a table but outside of its cells',
    html: '<table>a<tr><th>b</th><th>c</th></tr></table>',
    markdown: ['a', '', '| b | c |', '| --- | --- |'],
  },
  {
    name: 'struck out and tags in cells',
    html: '<table><tr><th><del>a</del></th><th>x<sup>2</sup></th></tr></table>',
    markdown: ['| ~~a~~ | x<sup>2</sup> |', '| --- | --- |'],
  },
  {
    name: 'definitions in a cell',
    html: '<table><tr><th>h</th><th>i</th></tr><tr><td><dl><dt>a</dt><dd>b</dd></dl></td><td>c</td></tr></table>',
    markdown: ['| h | i |', '| --- | --- |', '| a<br>b | c |'],
  },
  {
    name: 'a table with spans as HTML',
    options: { keepsSpans: true },
    html: '<table><thead><tr><td rowspan="2">a</td><td colspan="2">b</td></tr><tr><th>c</th><th>d</th></tr></thead><tr><td rowspan="2">1 &amp;\n\n2</td><td><b>3</b><p>4 &lt;i&gt;</p></td><td></td></tr><tr><td colspan="2"><a href="/x?a&amp;b" onclick="y()">5</a></td></tr></table>',
    markdown: [
      '<table>',
      '<tr><th rowspan="2">a</th><th colspan="2">b</th></tr>',
      '<tr><th>c</th><th>d</th></tr>',
      '<tr><td rowspan="2">1 &amp; 2</td><td><b>3</b><br>4 &lt;i&gt;</td><td></td></tr>',
      '<tr><td colspan="2"><a href="/x?a&amp;b">5</a></td></tr>',
      '</table>',
    ],
  },
  {
    name: 'lines of code, lists and links to scripts in a table with spans as HTML',
    options: { keepsSpans: true },
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2"><pre>\nc  d\n\n e</pre></td><td><ul><li>f</li></ul></td></tr><tr><td><a href="javascript:g">g</a> </td></tr></table>',
    markdown: [
      '<table>',
      '<tr><th>a</th><th>b</th></tr>',
      '<tr><td rowspan="2"><pre>c  d<br><br> e</pre></td><td><ul><li>f</li></ul></td></tr>',
      '<tr><td>g</td></tr>',
      '</table>',
    ],
  },
  {
    name: 'hidden scripts, edges of lines and spaces in URLs in a table with spans as HTML',
    options: { keepsSpans: true },
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="3"><em><p>c</p><p>d</p></em> e</td><td><ul><li>f<p>g</p></li></ul></td></tr><tr><td><a href="java&#10;script:h">h</a><a href="&#1;javascript:i">i</a></td></tr><tr><td><a href="/x?q=j  k">l  m</a></td></tr></table>',
    markdown: [
      '<table>',
      '<tr><th>a</th><th>b</th></tr>',
      '<tr><td rowspan="3"><em>c<br>d</em><br>e</td><td><ul><li>f<br>g</li></ul></td></tr>',
      '<tr><td>hi</td></tr>',
      '<tr><td><a href="/x?q=j  k">l m</a></td></tr>',
      '</table>',
    ],
  },
  {
    name: 'cells of empty rows that reach into a row stay in their column',
    options: { keepsSpans: true },
    html: '<table><tr><td></td><td></td><td rowspan=2></td></tr><tr><td>a</td><td>b</td></tr><tr><td rowspan=2>c</td><td>d</td><td>e</td></tr><tr><td>f</td><td>g</td></tr></table>',
    markdown: [
      '<table>',
      '<tr><td>a</td><td>b</td><td></td></tr>',
      '<tr><td rowspan="2">c</td><td>d</td><td>e</td></tr>',
      '<tr><td>f</td><td>g</td></tr>',
      '</table>',
    ],
  },
  {
    name: 'a table with spans as HTML in a list and after text',
    options: { keepsSpans: true },
    html: '<ul><li>a<table><tr><th>b</th><th>c</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table></li></ul>d',
    markdown: [
      '- a',
      '',
      '  <table>',
      '  <tr><th>b</th><th>c</th></tr>',
      '  <tr><td rowspan="2">1</td><td>2</td></tr>',
      '  <tr><td>3</td></tr>',
      '  </table>',
      '',
      'd',
    ],
  },
  {
    name: 'spans over empty rows and columns end earlier',
    options: { keepsSpans: true },
    html: '<table><tr><th colspan="2">a</th><th colspan="2">b</th></tr><tr><td colspan="2" rowspan="2">1</td><td>2</td><td>3</td></tr><tr><td></td><td></td></tr></table>',
    markdown: [
      '<table>',
      '<tr><th>a</th><th colspan="2">b</th></tr>',
      '<tr><td>1</td><td>2</td><td>3</td></tr>',
      '</table>',
    ],
  },
  {
    name: 'a table whose spans lose nothing is not HTML',
    options: { keepsSpans: true },
    html: '<table><tr><th colspan="3">a</th></tr><tr><td colspan="2">1</td><td>2</td></tr><tr><td rowspan="2"></td><td></td><td>3</td></tr><tr><td></td><td>4</td></tr></table>',
    markdown: ['| a |  |', '| --- | --- |', '| 1 | 2 |', '|  | 3 |', '|  | 4 |'],
  },
  {
    name: 'a table with spans and an image is not HTML',
    options: { keepsSpans: true },
    html: '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2"><img src="/i.png" alt="i"></td><td>2</td></tr><tr><td>3</td></tr></table>',
    markdown: ['| a | b |', '| --- | --- |', '| ![i](/i.png) | 2 |', '|  | 3 |'],
  },
]
