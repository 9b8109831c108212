import type { Case } from './case.ts'

/** Lists and task lists. */
export const lists: readonly Case[] = [
  {
    name: 'bullets are dashes',
    html: '<ul><li>one</li><li>two</li></ul>',
    markdown: ['- one', '- two'],
  },
  {
    name: 'numbers count',
    html: '<ol><li>one</li><li>two</li></ol>',
    markdown: ['1. one', '2. two'],
  },
  {
    name: 'numbers start where the list says',
    html: '<ol start="5"><li>five</li><li>six</li></ol>',
    markdown: ['5. five', '6. six'],
  },
  {
    name: 'a number of its own is kept',
    html: '<ol><li>one</li><li value="7">seven</li><li>eight</li></ol>',
    markdown: ['1. one', '7. seven', '8. eight'],
  },
  {
    name: 'a reversed list counts down',
    html: '<ol reversed><li>three</li><li>two</li><li>one</li></ol>',
    markdown: ['3. three', '2. two', '1. one'],
  },
  {
    name: 'numbers below zero are zero',
    html: '<ol start="-1"><li>a</li></ol>',
    markdown: '0. a',
  },
  {
    name: 'ten items and more are indented by their number',
    html: '<ol start="9"><li>nine<ul><li>a</li></ul></li><li>ten<ul><li>b</li></ul></li></ol>',
    markdown: ['9. nine', '   - a', '10. ten', '    - b'],
  },
  {
    name: 'a list in an item',
    html: '<ul><li>one<ul><li>a</li><li>b</li></ul></li><li>two</li></ul>',
    markdown: ['- one', '  - a', '  - b', '- two'],
  },
  {
    name: 'lists of both kinds nest',
    html: '<ol><li>one<ul><li>a<ol><li>x</li></ol></li></ul></li></ol>',
    markdown: ['1. one', '   - a', '     1. x'],
  },
  {
    name: 'a list that starts an item',
    html: '<ul><li><ul><li>a</li></ul></li></ul>',
    markdown: '- - a',
  },
  {
    name: 'a list beside the items belongs to the item before',
    html: '<ul><li>one</li><ul><li>a</li></ul><li>two</li></ul>',
    markdown: ['- one', '  - a', '- two'],
  },
  {
    name: 'a list whose items hold paragraphs is loose',
    html: '<ul><li><p>one</p></li><li><p>two</p></li></ul>',
    markdown: ['- one', '', '- two'],
  },
  {
    name: 'paragraphs in an item are indented',
    html: '<ul><li><p>one</p><p>two</p></li><li><p>three</p></li></ul>',
    markdown: ['- one', '', '  two', '', '- three'],
  },
  {
    name: 'text and a paragraph in an item',
    html: '<ul><li>one<p>two</p></li></ul>',
    markdown: ['- one', '', '  two'],
  },
  {
    name: 'code in an item',
    html: '<ul><li>one<pre>code\n  more</pre></li></ul>',
    markdown: ['- one', '  ```', '  code', '    more', '  ```'],
  },
  {
    name: 'a quotation in an item',
    html: '<ul><li>one<blockquote>two</blockquote></li></ul>',
    markdown: ['- one', '  > two'],
  },
  {
    name: 'a quotation first in an item',
    html: '<ul><li><blockquote>two</blockquote></li></ul>',
    markdown: '- > two',
  },
  {
    name: 'code first in an item',
    html: '<ol><li><pre>code</pre></li></ol>',
    markdown: ['1. ```', '   code', '   ```'],
  },
  {
    name: 'a rule in an item',
    html: '<ul><li><hr></li><li>a<hr></li></ul>',
    markdown: ['- ___', '- a', '  ___'],
  },
  {
    name: 'a table in an item',
    html: '<ul><li>one<table><tr><th>a</th><th>b</th></tr></table></li></ul>',
    markdown: ['- one', '', '  | a | b |', '  | --- | --- |'],
  },
  {
    name: 'a heading after text in an item',
    html: '<ul><li>one<h3>two</h3></li></ul>',
    markdown: ['- one', '  ### two'],
  },
  {
    name: 'divisions in an item are paragraphs',
    html: '<ul><li><div>one</div><div>two</div></li></ul>',
    markdown: ['- one', '', '  two'],
  },
  {
    name: 'a line break in an item',
    html: '<ul><li>one<br>two</li></ul>',
    markdown: ['- one  ', '  two'],
  },
  {
    name: 'two line breaks in an item of a tight list are one',
    html: '<ul><li>one<br><br>two</li></ul>',
    markdown: ['- one  ', '  two'],
  },
  {
    name: 'two lists in a row stay two',
    html: '<ul><li>a</li></ul><ul><li>b</li></ul><ul><li>c</li></ul>',
    markdown: ['- a', '', '* b', '', '- c'],
  },
  {
    name: 'two numbered lists in a row stay two',
    html: '<ol><li>a</li></ol><ol><li>b</li></ol>',
    markdown: ['1. a', '', '1) b'],
  },
  {
    name: 'lists of two kinds in a row',
    html: '<ul><li>a</li></ul><ol><li>b</li></ol>',
    markdown: ['- a', '', '1. b'],
  },
  {
    name: 'text between lists lets them be alike',
    html: '<ul><li>a</li></ul><p>x</p><ul><li>b</li></ul>',
    markdown: ['- a', '', 'x', '', '- b'],
  },
  {
    name: 'a paragraph after a list',
    html: '<ul><li>a</li></ul><p>b</p>',
    markdown: ['- a', '', 'b'],
  },
  {
    name: 'code after a list',
    html: '<ul><li>a</li></ul><pre>b</pre>',
    markdown: ['- a', '', '```', 'b', '```'],
  },
  {
    name: 'empty items are kept',
    html: '<ul><li>a</li><li></li><li>b</li></ul>',
    markdown: ['- a', '-', '- b'],
  },
  {
    name: 'items of icons are dropped',
    html: '<ul><li>a</li><li><i></i></li></ul>',
    markdown: '- a',
  },
  {
    name: 'an empty list is nothing',
    html: '<p>a</p><ul></ul><ol> </ol><p>b</p>',
    markdown: ['a', '', 'b'],
  },
  {
    name: 'tasks have boxes',
    html: '<ul><li><input type="checkbox"> open</li><li><input type="checkbox" checked> done</li></ul>',
    markdown: ['- [ ] open', '- [x] done'],
  },
  {
    name: 'tasks with labels have boxes',
    html: '<ul><li><label><input type="checkbox" checked> done</label></li></ul>',
    markdown: '- [x] done',
  },
  {
    name: 'tasks in paragraphs have boxes',
    html: '<ul><li><p><input type="checkbox"> a</p></li><li><p>b</p></li></ul>',
    markdown: ['- [ ] a', '', '- b'],
  },
  {
    name: 'a box in the middle of an item is nothing',
    html: '<ul><li>a <input type="checkbox"> b</li></ul>',
    markdown: '- a b',
  },
  {
    name: 'a radio button is no task',
    html: '<ul><li><input type="radio"> a</li></ul>',
    markdown: '- a',
  },
  {
    name: 'items without a list make one',
    html: '<li>one</li><li>two</li>',
    markdown: ['- one', '- two'],
  },
  {
    name: 'items in boxes belong to the list',
    html: '<ul><div><li>one</li></div><div><li>two</li></div></ul>',
    markdown: ['- one', '- two'],
  },
  {
    name: 'text in a list outside of items',
    html: '<ul>before<li>one</li>after</ul>',
    markdown: ['before', '', '- one', '', '  after'],
  },
  {
    name: 'menu and dir are lists',
    html: '<menu><li>one</li></menu>',
    markdown: '- one',
  },
  {
    name: 'a numbered list after text in a tight item starts with one',
    html: '<ul><li>a<ol><li>b</li></ol></li></ul>',
    markdown: ['- a', '  1. b'],
  },
  {
    name: 'a numbered list after text that starts later needs an empty line',
    html: '<ul><li>a<ol start="2"><li>b</li></ol></li></ul>',
    markdown: ['- a', '', '  2. b'],
  },
  {
    name: 'an empty item before all others is dropped',
    html: '<ul><li>a<ul><li></li></ul></li></ul>',
    markdown: '- a',
  },
  {
    name: 'text after a nested list',
    html: '<ul><li>a<ul><li>b</li></ul>c</li></ul>',
    markdown: ['- a', '  - b', '', '  c'],
  },
  {
    name: 'an item that starts with a number',
    html: '<ul><li>1. one</li></ul>',
    markdown: '- 1\\. one',
  },
]
