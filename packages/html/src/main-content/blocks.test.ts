import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { block, blockText, blockWidth, type Blocks } from './block-table.ts'
import { cutBlocks } from './blocks.ts'
import { makeNameReader } from './class-words.ts'
import { emptyLexicon } from './lexicon.ts'
import { makeLookup } from './text-scan.ts'
import { nearNames } from './marks.ts'

const cut = (html: string): Blocks =>
  cutBlocks(parseHtml(html).root, makeLookup(new Set(), new Map()), makeNameReader(emptyLexicon))
const textsOf = (blocks: Blocks): string[] => Array.from({ length: blocks.count }, (_, i) => blockText(blocks, i))
const number = (blocks: Blocks, i: number, column: keyof typeof block): number =>
  blocks.table.data[i * blockWidth + block[column]]!
const near = (blocks: Blocks, i: number, name: string): number =>
  blocks.near.data[i * blocks.near.width + nearNames.indexOf(name)]!

describe('cutting a page into blocks', () => {
  test('inline elements and line breaks stay in their block, block elements end it', () => {
    const blocks = cut('<div>One <b>two</b><br>three<p>Four</p>five</div><script>no</script>')
    expect(textsOf(blocks)).toEqual(['One twothree', 'Four', 'five'])
    expect([0, 1, 2].map((i) => number(blocks, i, 'words'))).toEqual([3, 1, 1])
  })

  test.each([
    ['a single space', 'a b', 'a b'],
    ['spaces at the ends', ' a b ', 'a b'],
    ['several spaces', 'a  b', 'a b'],
    ['several spaces before a break that adds none', 'a  b<br>c', 'a bc'],
    ['a space at the start and a break that adds none', ' a<br>b', 'ab'],
    ['a line feed', 'a\nb', 'a b'],
    ['a no-break space', 'a&nbsp;b', 'a b'],
    ['a narrow no-break space', 'a\u202fb', 'a b'],
    ['a byte order mark', 'a\ufeffb', 'a b'],
    ['ogham spaces', 'a\u1680\u1680b', 'a b'],
  ])('the text of a block is on one line: %s', (_, html, text) => {
    expect(textsOf(cut(`<p>${html}</p>`))).toEqual([text])
  })

  test('words, links, punctuation and digits are counted', () => {
    const blocks = cut('<p>See <a href=x>the 2 pages</a>, and <a href=y>more</a>. Costs €5!</p>')
    expect(number(blocks, 0, 'words')).toBe(8)
    expect(number(blocks, 0, 'linkWords')).toBe(4)
    expect(number(blocks, 0, 'links')).toBe(2)
    expect(number(blocks, 0, 'digits')).toBe(2)
    expect(number(blocks, 0, 'money')).toBe(1)
    expect(number(blocks, 0, 'stops')).toBe(2)
    expect(number(blocks, 0, 'chars')).toBe('See the 2 pages, and more. Costs €5!'.length)
  })

  test('a word that runs through inline elements is one word', () => {
    expect(number(cut('<p>in<b>div</b>isible</p>'), 0, 'words')).toBe(1)
  })

  test('each block knows how far up its nearest ancestors are, and forgets those that have closed', () => {
    const blocks = cut('<nav><ul><li>a</li></ul></nav><main><div class="post-comments"><p>b</p></div></main>')
    expect(near(blocks, 0, 'nav')).toBe(2)
    expect(near(blocks, 0, 'ul')).toBe(1)
    expect(near(blocks, 1, 'nav')).toBe(99)
    expect(near(blocks, 1, 'main')).toBe(2)
    expect(near(blocks, 1, '.comment')).toBe(1)
  })

  test('hiding in the markup is seen in all its forms', () => {
    const blocks = cut('<p hidden>a</p><p style="color:red; display: none">b</p><p aria-hidden=true>c</p><p>d</p>')
    expect([0, 1, 2, 3].map((i) => near(blocks, i, 'hidden'))).toEqual([0, 0, 0, 99])
  })

  test('copies of a text have one hash', () => {
    const blocks = cut('<p>Same words here</p><div>Same <b>words</b> here</div><p>Other words here</p>')
    expect(number(blocks, 0, 'hash')).toBe(number(blocks, 1, 'hash'))
    expect(number(blocks, 0, 'hash')).not.toBe(number(blocks, 2, 'hash'))
  })

  test('noscript is read when it holds most of the words, and is left out otherwise', () => {
    const post = `<p>${'A long post of a forum that is drawn by scripts. '.repeat(20)}</p>`
    const drawn = cut(`<p>Loading</p><noscript><div>${post}</div></noscript>`)
    expect(drawn.noscript).toBe(true)
    expect(textsOf(drawn)).toHaveLength(2)
    const plain = cut(`${post}${post}<noscript><div>${post}</div></noscript>`)
    expect(plain.noscript).toBe(false)
    expect(textsOf(plain)).toHaveLength(2)
  })

  test.each([
    ['Chinese', '网页内容。', 2],
    ['Japanese', 'ページの本文', 3],
    ['Thai', 'เนื้อหาหลักของหน้า', 5],
    ['Korean', '페이지의 주요 내용', 3],
  ])('the number of words in %s text is close to the real one', (_, text, words) => {
    expect(number(cut(`<p>${text}</p>`), 0, 'words')).toBe(words)
  })

  test.each([
    ['siblings', '<p>x</p>'.repeat(100_000)],
    ['nesting', '<div>'.repeat(20_000) + 'x'],
    ['inline nesting', '<b>'.repeat(5000) + 'x'],
    ['one long text', 'word '.repeat(400_000)],
  ])('a page of nothing but %s is cut', (_, html) => {
    expect(cut(html).count).toBeGreaterThan(0)
  })
})
