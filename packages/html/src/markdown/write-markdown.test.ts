import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from './write-markdown.ts'
import { append, makeElement, makeText, type Element, type Node } from '../tree/tree.ts'
import { makeBase } from '../addresses/urls.ts'
import { elementsOf, findElement } from '../tree/walk.ts'

const convert = (html: string): string => writeMarkdown(parseHtml(html).root)

/** A tree that no parser would give: as deep as one likes. */
function nested(names: readonly string[], depth: number): Element {
  const root = makeElement('div')
  let at = root
  for (let i = 0; i < depth; i++) {
    const child = makeElement(names[i % names.length]!, names[0] === 'a' ? { href: '/x' } : {})
    append(at, child)
    at = child
  }
  append(at, makeText('deep'))
  return root
}

describe('what is converted', () => {
  test('a single element is written as itself', () => {
    const list = findElement(parseHtml('<p>before</p><ul><li>one</li></ul><p>after</p>').root, 'ul')!
    expect(writeMarkdown(list)).toBe('- one')
  })

  test('removed nodes are left out with all below them', () => {
    const { root } = parseHtml(
      '<nav>menu</nav><ul><li>one</li><li>two <b>three</b></li></ul><table><tr><th>a<th>b</table>',
    )
    const removed = new Set<Node>(
      elementsOf(root).filter(
        ({ name, first }) => name === 'nav' || name === 'b' || (first?.type === 'text' && first.text === 'b'),
      ),
    )
    expect(writeMarkdown(root, { removed })).toBe('- one\n- two\n\n| a |\n| --- |')
  })

  test('removed text is left out', () => {
    const { root } = parseHtml('<p>one<br>two</p>')
    const paragraph = findElement(root, 'p')!
    expect(writeMarkdown(root, { removed: new Set([paragraph.first!]) })).toBe('two')
  })

  test('a note that was removed leaves its reference a link', () => {
    const { root } = parseHtml(
      '<p>a<sup id="r"><a href="#n">1</a></sup></p><ol><li id="n">note <a href="#r">^</a></li></ol>',
    )
    expect(writeMarkdown(root)).toBe('a[^1]\n\n[^1]: note')
    expect(writeMarkdown(root, { removed: new Set([findElement(root, 'ol')!]) })).toBe('a[1](#n)')
  })

  test('a base that is no web address resolves nothing', () => {
    expect(writeMarkdown(parseHtml('<a href="/x">a</a>').root, { base: makeBase('about:blank') })).toBe('[a](/x)')
  })

  test('the same tree twice gives the same', () => {
    const { root } = parseHtml('<h1>a</h1><p><b>b</b> <a href="/c">c</a></p>')
    expect(writeMarkdown(root)).toBe(writeMarkdown(root))
  })
})

describe('hostile pages', () => {
  const many = 1_000_000
  test.each([
    ['less than signs', '&lt;', '<'],
    ['stars', '*a ', '\\*a '],
    ['backslashes', '\\', '\\'],
    ['ampersands', '&amp;', '&'],
    ['brackets', '[', '['],
  ])('a million %s are read once', { tags: ['long'] }, (_, sign, written) => {
    expect(convert(`<p>a*b*${sign.repeat(many)}</p>`).includes(written.repeat(10))).toBe(true)
  })

  test('a million tabs and line breaks before a letter are one space', () => {
    expect(convert(`<p>a${'\t\n'.repeat(many)}b</p>`)).toBe('a b')
  })

  test('40,000 letters without a space are one word', () => {
    expect(convert(`<p>${'x'.repeat(40_000)}</p>`)).toBe('x'.repeat(40_000))
  })

  test('floods of backticks in code get a fence that none of them closes', () => {
    const floods = Array.from({ length: 400 }, (_, i) => '`'.repeat(i)).join(' ')
    expect(convert(`<pre>${floods}</pre>`).startsWith(`${'`'.repeat(400)}\n`)).toBe(true)
    expect(convert(`<code>a${floods}</code>`).startsWith(`${'`'.repeat(400)} a`)).toBe(true)
  })

  test('100,000 siblings are 100,000 paragraphs', () => {
    expect(convert('<p>a</p>'.repeat(100_000)).length).toBe(300_000 - 2)
  })

  test('100,000 bold words in one paragraph', { tags: ['long'] }, () => {
    expect(convert(`<p>${'<b>a</b> <i>b.</i>c '.repeat(50_000)}</p>`)).toContain('**a** <em>b.</em>c **a**')
  })

  test('5,000 rows are 5,000 lines', () => {
    expect(convert(`<table><tr><th>a<th>b${'<tr><td>1<td>2'.repeat(5000)}</table>`).split('\n')).toHaveLength(5002)
  })

  test('spans of any size make no more cells than the page has', () => {
    const markdown = convert(`<table>${'<tr><td colspan=1000 rowspan=65000>a<td>b'.repeat(2000)}</table>`)
    expect(markdown.split('\n').at(-1)).toBe('| a | b |')
  })

  test('bold that is opened again and again does not pile up', () => {
    const markdown = convert('<b><p>a</p>'.repeat(5000))
    expect(markdown.length).toBeLessThan(5000 * 40)
  })

  test('tags that are never closed do not pile up', () => {
    const markdown = convert('<sup><p>a</p>'.repeat(2000))
    expect(markdown.length).toBeLessThan(2000 * 120)
  })

  test('deep lists and quotations stop being indented', () => {
    const markdown = convert('<blockquote><ul><li>'.repeat(120) + '<p>a</p>'.repeat(1000))
    expect(Math.max(...markdown.split('\n').map((line) => line.length))).toBeLessThan(200)
  })

  test.each([
    ['div'],
    ['table', 'tr', 'td'],
    ['table', 'tr', 'th'],
    ['ul'],
    ['ul', 'li'],
    ['ol', 'li', 'p'],
    ['blockquote'],
    ['details'],
    ['details', 'summary'],
    ['a'],
    ['b'],
    ['h1'],
    ['dl', 'dd'],
    ['span', 'b', 'i'],
    ['pre'],
    ['code'],
    ['math'],
    ['math', 'mrow'],
    ['sup'],
    ['li'],
  ])('a tree of 100,000 %s, one in the other, is read to its end', (...names) => {
    expect(writeMarkdown(nested(names, 100_000))).toContain('deep')
  })
})

describe('what a browser hides', () => {
  const html =
    '<p>a</p><div hidden><p>b</p></div><dialog><p>c</p></dialog><ul><li hidden>d<li>e</ul>' +
    '<table><tr><td hidden>f<td>g</table><p hidden="until-found">h</p><dialog open>i</dialog>'

  test('is left out, but for what may be found or is open', () => {
    expect(convert(html).match(/[a-i]/g)?.join('')).toBe('aeghi')
  })

  test('is read when the hidden parts have been judged with the rest, without those that were removed', () => {
    const { root, body } = parseHtml(html)
    const dialog = elementsOf(body).find(({ name }) => name === 'dialog')!
    expect(
      writeMarkdown(root, { readsHidden: true })
        .match(/\b[a-i]\b/g)
        ?.join(''),
    ).toBe('abcdefghi')
    const markdown = writeMarkdown(root, { readsHidden: true, removed: new Set([dialog]) })
    expect(markdown.match(/\b[a-i]\b/g)?.join('')).toBe('abdefghi')
  })
})
