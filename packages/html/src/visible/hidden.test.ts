import { describe, expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import { readHtml } from '../readings/read.ts'
import { elementsOf } from '../tree/walk.ts'
import { visibleCases, type VisibleCase } from './cases.ts'
import { cssLimits } from './css.ts'
import { findHidden } from './hidden.ts'
import type { HiddenText } from './hidden-text.ts'

const paragraph = '<p>Visible text of an ordinary page, long enough that nobody takes the rest for its content.</p>'

const pageOf = ({ head = '', body }: Pick<VisibleCase, 'head' | 'body'>): string =>
  `<!doctype html><html><head><title>Page</title>${head}</head><body><main><h1>Page</h1>` +
  `${paragraph.repeat(4)}${body}${paragraph.repeat(2)}</main></body></html>`

function read(html: string, onlyMainContent: boolean, tags: Partial<Record<'includeTags', string[]>> = {}) {
  const names = ['markdown', 'html', 'links', 'fingerprint', 'hidden', 'rawHtml'].map((name) => ({ name }))
  const scope = { onlyMainContent, includeTags: [], excludeTags: [], ...tags }
  const { values } = readHtml({ html, url: 'https://example.com/' }, scope, names)
  // Cast: the values of these readings.
  return values as { markdown: string; html: string; links: string[]; hidden: HiddenText[]; rawHtml: string }
}

const formatsOf = ({ markdown, html, links }: ReturnType<typeof read>): Record<string, boolean> => ({
  markdown: markdown.includes('zebra'),
  html: html.includes('zebra'),
  links: links.some((link) => link.includes('zebra')),
})

const removedText = ({ hidden }: ReturnType<typeof read>): string =>
  hidden.map(({ text, kept }) => (kept ? '' : text)).join(' ')

const all = (value: boolean): Record<string, boolean> => ({ markdown: value, html: value, links: value })

describe('text that nobody can see is not in the content', () => {
  test.each(visibleCases.filter(({ isSeen }) => !isSeen))('$name', (each) => {
    const html = pageOf(each)
    // A text whose size or colour hides it keeps the link around it, which has no text then.
    const whole = read(html, false)
    expect(whole.markdown).not.toContain('zebra quartz')
    expect(whole.html).not.toContain('zebra quartz')
    const main = read(html, true)
    expect(main.markdown).not.toContain('zebra quartz')
    expect(main.html).not.toContain('zebra quartz')
    expect(read(html, true, { includeTags: ['main'] }).markdown).not.toContain('zebra quartz')
    expect(removedText(whole)).toContain('zebra quartz')
    expect(whole.rawHtml).toContain('zebra quartz')
  })
})

describe('text that a visitor sees or can open stays', () => {
  test.each(visibleCases.filter(({ isSeen }) => isSeen))('$name', (each) => {
    const whole = read(pageOf(each), false)
    expect(formatsOf(whole)).toEqual(all(true))
    expect(removedText(whole)).not.toContain('zebra')
    expect([...new Set(whole.hidden.map(({ kept }) => kept))]).toEqual(each.kept ? [each.kept] : [])
    expect(read(pageOf(each), true, { includeTags: ['main'] }).markdown).toContain('zebra')
  })
})

describe('a page that scripts show is not lost', () => {
  const text = `<h1>Title</h1>${paragraph.repeat(6)}`
  test.each([
    ['an invisible body', `<style>body{opacity:0}</style><script>1</script><body>${text}`],
    ['a hidden body', `<style>body{visibility:hidden}</style><script>1</script><body>${text}`],
    ['a hidden app', `<script>1</script><body><div id="app" style="display:none">${text}</div><p>Loading…</p>`],
    ['hidden sections', `<script>1</script><body>${`<section style="visibility:hidden">${text}</section>`.repeat(3)}`],
  ])('%s', (_, html) => {
    expect(read(html, false).markdown).toContain('Visible text')
    expect(read(html, true).markdown).toContain('Visible text')
  })

  test('but what is hidden in it is removed', () => {
    const html = `<style>body{opacity:0}</style><script>1</script><body>${text}<p style="display:none">zebra</p>`
    expect(read(html, false).markdown).not.toContain('zebra')
  })
})

test('structured data keeps the data of hidden elements, and drops their text', () => {
  const html =
    '<div style="display:none" itemscope itemtype="https://schema.org/Product"><b itemprop="name">Lamp</b></div>' +
    '<p style="display:none">SKU: zebra</p><table style="display:none"><tr><th>Colour<td>zebra</table>' +
    paragraph
  const schema = { type: 'object', properties: { name: { type: 'string' }, colour: { type: 'string' } } }
  const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  const { values } = readHtml({ html, url: 'https://example.com/' }, scope, [{ name: 'filled', options: { schema } }])
  expect(JSON.stringify(values)).toContain('Lamp')
  expect(JSON.stringify(values)).not.toContain('zebra')
})

describe('hostile style sheets cost no more than their limits', () => {
  const many = '<div class="a"><p class="b">x</p></div>'.repeat(2_000)
  test.each([
    ['open parentheses', '('.repeat(300_000)],
    ['open strings', `a{b:"`.repeat(80_000)],
    ['open braces', '{'.repeat(300_000)],
    ['open media queries', '@media screen{'.repeat(30_000)],
    ['open comments', '/*'.repeat(200_000)],
    ['a long selector', `${'.a '.repeat(100_000)}{display:none}`],
    ['long selectors that match', `${'.a .b,'.repeat(300)}p{display:none}`.repeat(200)],
    ['rules for siblings', 'div ~ div ~ div p{display:none}'.repeat(5_000)],
    ['variables of variables', ':root{--a:var(--a) var(--a) var(--a)}p{display:var(--a)}'.repeat(100)],
    ['many rules', Array.from({ length: 30_000 }, (_, i) => `.c${i}{display:none}`).join('')],
    ['escapes', String.raw`\\`.repeat(200_000)],
  ])('%s', (_, css) => {
    const { markdown } = read(`<style>${css}</style><main>${many}</main><p>Last</p>`, false)
    expect(markdown.length).toBeGreaterThan(0)
  })

  // Each would take half a minute or more if the length of an attribute did not count, or if each element were compared with each rule.
  test.each([
    [
      'a long attribute',
      (i: number) => `[title*="q${i}" i] .a{opacity:0}`,
      `<div title="${'y '.repeat(2_500_000)}"><p class="a">x</p>`,
    ],
    ['rules for attributes', (i: number) => `[a${i}]{display:none}`, '<p id="q">x</p>'.repeat(40_000)],
  ])('%s', (_, rule, body) => {
    const css = Array.from({ length: 9_000 }, (_rule, i) => rule(i)).join('')
    const { root } = parseHtml(`<style>${css}</style>${body}`)
    expect(findHidden({ root, elements: elementsOf(root), html: '<style' }).nodes.size).toBe(0)
  })

  test('rules beyond the limit are not read', () => {
    const filler = ' '.repeat(cssLimits.chars)
    const html = `<style>${filler}.x{display:none}</style><p class="x">zebra</p>`
    expect(read(html, false).markdown).toContain('zebra')
  })

  test('hidden elements without number are removed', () => {
    const html = `<main>${'<div><button>a</button><p style="display:none">zebra</p></div>'.repeat(20_000)}</main><p>Last</p>`
    expect(read(html, false).markdown).not.toContain('zebra')
  })
})

describe('with the findings of a browser', () => {
  const html = `<main>${paragraph}<div class="x">zebra</div><div style="display:none">quartz</div></main>${paragraph}`
  const scope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
  const after = (tag: string): number => html.indexOf(tag) + tag.length
  const readWith = (hidden: readonly (readonly [number, string])[]): unknown =>
    readHtml({ html, url: 'https://example.com/', hidden }, scope, [{ name: 'markdown' }]).values['markdown']

  test('they decide instead of the style sheets', () => {
    const markdown = readWith([[after('<div class="x">'), 'display']])
    expect(markdown).not.toContain('zebra')
    expect(markdown).toContain('quartz')
  })

  test('an element that an animation shows stays', () => {
    expect(readWith([[after('<div class="x">'), 'opacity r']])).toContain('zebra')
  })

  test.each([
    ['no start tag ends there', [[after('<div class="x">') - 1, 'display']]],
    ['the page is shorter', [[html.length + 5, 'display']]],
  ] as const)('they are ignored if %s', (_, marks) => {
    const markdown = readWith(marks)
    expect(markdown).toContain('zebra')
    expect(markdown).not.toContain('quartz')
  })
})
