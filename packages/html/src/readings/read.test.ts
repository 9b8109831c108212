import { describe, expect, test } from 'vitest'

import { textInContent } from '../page/content.ts'
import { openPage } from '../page/page.ts'
import { readHtml, type ReadingScope } from './read.ts'

const url = 'https://site.test/a/page?q=1'
const everything: ReadingScope = { onlyMainContent: false, includeTags: [], excludeTags: [] }
const mainOnly: ReadingScope = { ...everything, onlyMainContent: true }

const words = 'These are the words that people come for. '.repeat(12).trim()
const article = `<!doctype html><html lang="en"><head><title>T</title><style>p{}</style></head><body>
<nav class="navbar"><a href="/home">Home</a></nav>
<main><h1>Head</h1><p>${words} <a href="more">more</a></p><script>track()</script><noscript>off</noscript></main>
<footer><a href="/imprint">Imprint</a></footer></body></html>`

function read(html: string, scope: ReadingScope, ...names: string[]): Record<string, unknown> {
  return readHtml(
    { html, url },
    scope,
    names.map((name) => ({ name })),
  ).values
}

describe('a reading', () => {
  test('sees the main content when only that is asked for, else the page', () => {
    expect(read(article, mainOnly, 'markdown', 'links')).toEqual({
      markdown: `# Head\n\n${words} [more](https://site.test/a/more)`,
      links: ['https://site.test/a/more'],
    })
    const { markdown, links } = read(article, everything, 'markdown', 'links')
    expect(markdown).toContain('[Home](https://site.test/home)')
    expect(links).toEqual(['https://site.test/home', 'https://site.test/a/more', 'https://site.test/imprint'])
  })

  test('of html is clean and absolute', () => {
    expect(read(article, mainOnly, 'html')['html']).toBe(
      `<html lang="en"><body>\n\n<main><h1>Head</h1><p>${words} <a href="https://site.test/a/more">more</a></p></main>\n</body></html>`,
    )
  })

  test('that compares pages goes by their text: a line for each block', () => {
    const textOf = (html: string, scope: ReadingScope) => textInContent(openPage({ html, url }, scope).content)
    expect(textOf(article, mainOnly)).toBe(`Head\n${words} more`)
    expect(textOf('<p>a<br>b<div>c<b>d</b></div>e', everything)).toBe('a\nb\ncd\ne')
  })

  test('of rawHtml is the page as it came', () => {
    expect(read(article, mainOnly, 'rawHtml')['rawHtml']).toBe(article)
  })

  test('of metadata and of all links sees the whole page whatever the scope', () => {
    const scope = { ...mainOnly, includeTags: ['h1'] }
    expect(read(article, scope, 'metadata', 'allLinks')).toEqual({
      metadata: { title: 'T', headline: 'T', language: 'en' },
      allLinks: ['https://site.test/home', 'https://site.test/a/more', 'https://site.test/imprint'],
    })
  })

  test('of attributes takes its options, and warns of a selector it cannot use', () => {
    const selectors = [
      { selector: 'main a', attribute: 'href' },
      { selector: 'a[', attribute: 'href' },
    ]
    const { values, warnings } = readHtml({ html: article, url }, mainOnly, [
      { name: 'attributes', options: { selectors } },
    ])
    expect(values['attributes']).toEqual([
      { selector: 'main a', attribute: 'href', values: ['more'] },
      { selector: 'a[', attribute: 'href', values: [] },
    ])
    expect(warnings).toHaveLength(1)
  })

  test('of explain says of each block whether it was kept, and what decided; none was chosen when all was asked for', () => {
    const blocks = read(article, mainOnly, 'explain')['explain'] as { text: string; kept: boolean; reasons: object[] }[]
    expect(blocks.map(({ text, kept }) => [text.slice(0, 9), kept])).toEqual([
      ['Home', false],
      ['Head', true],
      ['These are', true],
      ['Imprint', false],
    ])
    expect(Math.max(...blocks.map(({ text }) => text.length))).toBe(200)
    expect(blocks.every(({ reasons }) => reasons.length > 0)).toBe(true)
    expect(structuredClone(blocks)).toStrictEqual(blocks)
    expect(read(article, everything, 'explain')['explain']).toEqual([])
  })

  test('nobody defined is refused', () => {
    expect(() => read(article, mainOnly, 'toString')).toThrow('There is no reading named "toString".')
  })
})

describe('the scope', () => {
  test('is what includeTags name, without what excludeTags name: no main content is looked for inside', () => {
    const scope = { onlyMainContent: true, includeTags: ['main', 'footer'], excludeTags: ['h1'] }
    expect(read(article, scope, 'markdown')['markdown']).toBe(
      `${words} [more](https://site.test/a/more)\n\n[Imprint](https://site.test/imprint)`,
    )
  })

  test('counts frames that carry their document', () => {
    const html = `<p>${words}</p><iframe srcdoc="<p>framed</p>"></iframe>`
    expect(read(html, everything, 'markdown')['markdown']).toContain('framed')
    expect(read(html, { ...everything, excludeTags: ['iframe'] }, 'markdown')['markdown']).not.toContain('framed')
    expect(read(html, { ...everything, includeTags: ['iframe'] }, 'markdown')['markdown']).toBe('framed')
  })

  test('keeps images written into the page out of markdown unless they are wanted', () => {
    const html = '<p>a</p><img alt="x" src="data:image/png;base64,AAAA">'
    const markdown = (removeBase64Images?: boolean) =>
      readHtml({ html, url }, everything, [{ name: 'markdown', options: { removeBase64Images } }]).values['markdown']
    expect(markdown(true)).not.toContain('AAAA')
    expect(markdown(undefined)).not.toContain('AAAA')
    expect(markdown(false)).toContain('AAAA')
  })

  test('takes noscript for the page when the page stands there', () => {
    const forum = `<div id="app">Loading</div><noscript>${`<p>${words}</p>`.repeat(3)}<a href="next">next</a></noscript>`
    expect(read(forum, mainOnly, 'markdown')['markdown']).toContain(words)
    expect(read(forum, everything, 'links')['links']).toEqual(['https://site.test/a/next'])
    expect(read(`<p>${words}</p><noscript>turn on scripts</noscript>`, everything, 'markdown')['markdown']).toBe(words)
    const both = `<p>${words} ${words}</p><noscript><p>${words} ${words} ${words} not twice as much</p></noscript>`
    expect(read(both, everything, 'markdown')['markdown']).not.toContain('not twice as much')
  })
})

describe('when there is no main content', () => {
  test('the whole page is given rather than nothing', () => {
    const html = `<nav><a href="/home">Home</a> <a href="/login">Log in</a></nav><footer>Imprint</footer>`
    const { values, warnings } = readHtml({ html, url }, mainOnly, [{ name: 'markdown' }])
    expect(values['markdown']).toContain('[Home]')
    expect(values['markdown']).toContain('Imprint')
    expect(warnings).toEqual([])
  })

  test('but a picture, that is the content', () => {
    const html = '<nav><img src="x.png" alt="x"></nav>'
    const { values, warnings } = readHtml({ html, url }, mainOnly, [{ name: 'markdown' }])
    expect(values['markdown']).toBe('![x](https://site.test/a/x.png)')
    expect(warnings).toEqual([])
  })

  test('a page that shows no text says so, unless the caller named the tags', () => {
    const html = '<body><div id="app"></div><canvas></canvas></body>'
    const { values, warnings } = readHtml({ html, url }, mainOnly, [{ name: 'markdown' }])
    expect(values['markdown']).toBe('')
    expect(warnings).toEqual([expect.stringContaining('This page shows no text')])
    const named = readHtml({ html, url }, { ...mainOnly, includeTags: ['div'] }, [{ name: 'markdown' }])
    expect(named.warnings).toEqual([])
  })

  test('a file without text has words of its own, which name no scripts', () => {
    const html = '<!DOCTYPE html><html><head><title>Scan</title></head><body></body></html>'
    const scope = { ...mainOnly, onlyMainContent: false, isFile: true }
    const { values, warnings } = readHtml({ html, url }, scope, [{ name: 'markdown' }])
    expect(values['markdown']).toBe('')
    expect(warnings).toEqual([expect.stringMatching(/^This file holds no text.*OCR/)])
  })

  test('a table with spans is HTML in the Markdown of a file, and has empty cells in that of a page', () => {
    const html =
      '<table><tr><th>a</th><th>b</th></tr><tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr></table>'
    const read = (isFile: boolean) =>
      readHtml({ html, url }, { ...mainOnly, onlyMainContent: false, isFile }, [{ name: 'markdown' }]).values[
        'markdown'
      ]
    expect(read(true)).toBe(
      '<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td rowspan="2">1</td><td>2</td></tr>\n<tr><td>3</td></tr>\n</table>',
    )
    expect(read(false)).toBe('| a | b |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |')
  })

  test('a page of drawings or input fields alone gives their texts', () => {
    const read = (html: string) => readHtml({ html, url }, mainOnly, [{ name: 'markdown' }])
    const chart = read('<svg><title>Chart</title><text x="1">North <tspan>12</tspan></text><text>South</text></svg>')
    expect(chart).toMatchObject({ values: { markdown: '```\nNorth 12\nSouth\n```' }, warnings: [] })
    const form = read(
      '<input readonly value="Ada Lovelace"><input type="password" value="word"><input type="hidden" value="x">',
    )
    expect(form).toMatchObject({ values: { markdown: '```\nAda Lovelace\n```' }, warnings: [] })
  })

  test('frames of the same site that did not come with the page are named', () => {
    const text = 'Words of a page that say enough by themselves. '.repeat(8)
    const html = `<main><p>${text}</p></main><iframe src="/part.html"></iframe><iframe src="https://ads.test/x"></iframe>`
    const { warnings } = readHtml({ html, url }, mainOnly, [{ name: 'markdown' }])
    expect(warnings).toEqual([
      expect.stringContaining('Frames of this site were not read: https://site.test/part.html.'),
    ])
  })

  test('what the frames of a frameset show is the page', () => {
    const html = `<frameset cols="1,2"><frame srcdoc="<p>${'The left part. '.repeat(9)}</p>"><frame srcdoc="<h1>Right</h1>"></frameset>`
    const { values } = readHtml({ html, url }, { ...mainOnly, onlyMainContent: false }, [{ name: 'markdown' }])
    expect(values['markdown']).toContain('The left part.')
    expect(values['markdown']).toContain('# Right')
  })

  test('of an empty page nothing is given, and nothing is warned of', () => {
    const { values, warnings } = readHtml({ html: '', url }, mainOnly, [
      { name: 'markdown' },
      { name: 'html' },
      { name: 'fingerprint' },
    ])
    expect(values).toEqual({ markdown: '', html: '<html><body></body></html>', fingerprint: undefined })
    expect(warnings).toEqual([])
  })
})

test('limits of the parser become warnings', () => {
  const { warnings } = readHtml({ html: '<div>'.repeat(1_000), url }, everything, [{ name: 'html' }])
  expect(warnings).toEqual(['The page nests deeper than 400 elements; deeper ones were flattened.'])
})

test('elements and attributes named like parts of the language are only names', () => {
  const names = ['constructor', 'tostring', '__proto__', 'valueof', 'hasownproperty', 'prototype']
  const html = names
    .map((name) => `<${name} ${name}="1"><table><${name}><tr><td>x</${name}></table><template><${name}></template>`)
    .join('')
  const readings = ['markdown', 'html', 'fingerprint', 'links', 'images', 'metadata', 'signals']
  for (const scope of [
    mainOnly,
    everything,
    { ...everything, includeTags: ['constructor'], excludeTags: ['*proto*'] },
  ]) {
    expect(Object.keys(read(html, scope, ...readings))).toEqual(readings)
  }
})

test('values can cross to another thread', () => {
  const names = [
    'markdown',
    'html',
    'rawHtml',
    'fingerprint',
    'links',
    'allLinks',
    'images',
    'metadata',
    'attributes',
    'signals',
  ]
  const values = read(article, mainOnly, ...names)
  expect(structuredClone(values)).toStrictEqual(values)
})
