// What rules decide around the model: parts that are never the content, items that belong together, text for screen readers.
import { describe as group, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { blockText } from './block-table.ts'
import { evenItems } from './even.ts'
import type { Described } from './described.ts'
import { describe, readingOf } from './features.ts'
import { mainContentFrom } from './find-main-content.ts'
import { judge } from './judge.ts'
import { emptyLexicon } from './lexicon.ts'
import type { Element } from '../tree/tree.ts'

const describePage = (html: string): { readonly root: Element; readonly described: Described } => {
  const { root } = parseHtml(html)
  return { root, described: describe(root, 'https://site.test/a', readingOf(emptyLexicon)) }
}
const textsOf = ({ blocks }: Described): string[] =>
  Array.from({ length: blocks.count }, (_, i) => blockText(blocks, i))

/** The Markdown when the model is sure of every block. */
function written(html: string): string {
  const { root, described } = describePage(html)
  const { removed } = mainContentFrom(root, described, new Float32Array(described.blocks.count).fill(0.99))
  return writeMarkdown(root, { removed, readsHidden: true }).trim()
}

const story = `<p>${'story '.repeat(40)}</p>`
const told = 'story '.repeat(40).trim()

group('outside the content', () => {
  test.each([
    '<nav>x</nav>',
    '<div role=navigation>x</div>',
    '<footer>x</footer>',
    '<div role=search>x</div>',
    '<dialog open>x</dialog>',
  ])('%s is left out, however sure the model is, and is not judged', (html) => {
    expect(written(story + html)).toBe(told)
    const { described } = describePage(story + html)
    expect(judge(described)[textsOf(described).indexOf('x')]).toBe(0)
  })

  test('a footer that says whose words a quotation is stays', () => {
    expect(written(`${story}<blockquote><p>words</p><footer>Ann</footer></blockquote>`)).toContain('Ann')
  })

  test('a menu and a footer with three quarters of the words are left out', () => {
    const links = '<li><a href=/x>menu</a></li>'.repeat(80)
    expect(written(`<nav><ul>${links}</ul></nav>${story}<footer>${'foot '.repeat(40)}</footer>`)).toBe(told)
  })

  test('a page that stands in a footer for the most part is judged like others', () => {
    expect(written(`<footer>${story}<p>more</p></footer>`)).toContain('more')
  })
})

group('items of a list', () => {
  const item = (name: string): string => `<li class=card><h3>${name}</h3><p>text of ${name}</p><b>5 €</b></li>`
  const html = `${story}<ul>${['a', 'b', 'c', 'd'].map(item).join('')}</ul>`

  test('share their odds place by place', () => {
    const { described } = describePage(html)
    const texts = textsOf(described)
    const chances = Float32Array.from(texts, (text) => (text === 'c' ? 0.2 : text.startsWith('text') ? 0.1 : 0.9))
    const evened = evenItems(described, chances)
    const of = (text: string): number => evened[texts.indexOf(text)]!
    expect(of('c')).toBeGreaterThan(0.5)
    expect(of('a')).toBeLessThan(0.9)
    expect(of('text of a')).toBeCloseTo(0.1)
    expect(of(told)).toBeCloseTo(0.9)
  })

  test('two are no list', () => {
    const { described } = describePage(`<ul>${item('a')}${item('b')}</ul>`)
    const chances = Float32Array.from(textsOf(described), (text) => (text === 'a' ? 0.1 : 0.9))
    expect([...evenItems(described, chances)]).toEqual([...chances])
  })
})

test.each(['sr-only', 'visually-hidden', 'screen-reader-text', 'x u-visuallyhidden', 'element-invisible'])(
  'text that only screen readers say (%s) goes, but for headings',
  (name) => {
    expect(written(`<p>${'story '.repeat(40)}<a href=/x>more<span class="${name}"> about it</span></a></p>`)).toBe(
      `${told} [more](/x)`,
    )
    expect(written(`<h1 class="${name}">Title</h1>${story}`)).toContain('# Title')
  },
)
