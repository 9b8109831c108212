import { describe, expect, test } from 'vitest'

import { longIf } from '../../../../scripts/long-tests.ts'

import { parseHtml } from '../parse/parse.ts'
import { writeMarkdown } from '../markdown/write-markdown.ts'
import { describe as describePage, readingOf } from './features.ts'
import { findMainContent, mainContentFrom, type MainContent } from './find-main-content.ts'
import { emptyLexicon } from './lexicon.ts'

interface Found {
  readonly main: MainContent
  readonly markdown: string
}

function find(html: string, url = 'https://example.com/'): Found {
  const { root } = parseHtml(html)
  const main = findMainContent(root, url)
  return { main, markdown: writeMarkdown(root, { removed: main.removed, noscript: main.noscript }) }
}

const sentences = [
  'The harbour was quiet when the first boats came in before dawn, and nobody spoke.',
  'By noon the market had filled with people, carts and the smell of fried fish.',
  'Officials said on Tuesday that the new pier would open in spring, two years late.',
  'Critics, among them three former mayors, have called the project a costly mistake.',
  'The council will vote again next month, after a public hearing in the old town hall.',
]
const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, i) => `<p>${sentences[i % 5]} ${sentences[(i + 2) % 5]} ${i}.</p>`).join('\n')

const menu = `<header class="site-header"><a class="logo" href="/">Daily</a><nav><ul class="menu">${[
  'Home',
  'News',
  'Sport',
  'Culture',
  'Contact',
]
  .map((word) => `<li><a href="/${word}">${word}</a></li>`)
  .join('')}</ul></nav></header>`
const foot = `<footer class="site-footer"><ul><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms</a></li></ul>
  <p>© 2024 Daily. All rights reserved.</p></footer>`
const aside = `<aside class="sidebar related"><h3>Related articles</h3><ul><li><a href="/a">Ten piers to see</a></li>
  <li><a href="/b">Why fish is expensive</a></li></ul><div class="newsletter"><h4>Newsletter</h4><p>Subscribe to our newsletter</p></div></aside>`
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${menu}${body}${aside}${foot}</body></html>`

const furniture = [
  'Culture',
  'Privacy policy',
  'All rights reserved',
  'Ten piers to see',
  'Subscribe to our newsletter',
]

describe('the main content of', () => {
  test('an article is its text with headings, lists, tables, code and pictures, without the furniture', () => {
    const { markdown, main } = find(
      page(
        'The pier - Daily',
        `<main><article class="post"><h1>The pier</h1>${paragraphs(4)}<h2>What it costs</h2>${paragraphs(2)}
        <figure><img src="pier.jpg" alt="the pier"><figcaption>The pier in winter, before the works.</figcaption></figure>
        <ul><li>Twelve million for the pier itself and its lights</li><li>Two million for the road that leads to it</li></ul>
        <table><tr><th>Year</th><th>Cost</th></tr><tr><td>2022</td><td>3 million</td></tr><tr><td>2023</td><td>9 million</td></tr></table>
        <pre><code>pier --open</code></pre>${paragraphs(3)}</article></main>`,
      ),
      'https://example.com/news/2024/the-pier',
    )
    for (const words of [
      'harbour',
      '## What it costs',
      '![the pier]',
      '- Twelve million',
      '| 2022 | 3 million |',
      'pier --open',
    ]) {
      expect(markdown).toContain(words)
    }
    for (const words of furniture) expect(markdown).not.toContain(words)
    expect(main.warning).toBeUndefined()
  })

  test('a forum thread is its posts, all of them', () => {
    const post = (
      i: number,
    ): string => `<div class="message" id="post-${i}"><div class="message-user"><a href="/u">anna${i}</a></div>
      <div class="message-body"><p>${sentences[i % 5]} I think answer ${i} is right. ${sentences[(i + 1) % 5]}</p></div></div>`
    const { markdown } = find(
      page('Which pier?', `<div class="thread"><h1>Which pier?</h1>${[0, 1, 2, 3, 4, 5].map(post).join('')}</div>`),
      'https://example.com/forum/thread/12',
    )
    for (let i = 0; i < 6; i++) expect(markdown).toContain(`I think answer ${i} is right`)
    for (const words of furniture) expect(markdown).not.toContain(words)
  })

  test('documentation is its text, code and tables', () => {
    const { markdown } = find(
      page(
        'open() reference',
        `<main class="content"><h1>open()</h1>${paragraphs(2)}<pre><code>const pier = open('pier')</code></pre><h2>Options</h2>
        <table><thead><tr><th>Name</th><th>Meaning</th></tr></thead><tbody><tr><td>lights</td><td>Whether the lights are on at night</td></tr></tbody></table>${paragraphs(2)}</main>`,
      ),
      'https://docs.example.com/api/open',
    )
    for (const words of ["const pier = open('pier')", '| lights', '## Options']) expect(markdown).toContain(words)
    expect(markdown).not.toContain('Privacy policy')
  })

  test('a product page holds the description, not the shop around it', () => {
    const { markdown } = find(
      page(
        'Storm lamp',
        `<main class="product"><h1 class="product-title">Storm lamp</h1><span class="price">€49.00</span><button>Add to cart</button>
        <div class="product-description"><h2>Description</h2>${paragraphs(3)}<ul><li>Burns for twenty hours with one filling</li><li>Brass and glass, made by hand</li></ul></div></main>`,
      ),
      'https://shop.example.com/products/storm-lamp',
    )
    expect(markdown).toContain('harbour was quiet')
    expect(markdown).toContain('Brass and glass')
    expect(markdown).not.toContain('Privacy policy')
  })

  test('a listing is its entries', () => {
    const entry = (i: number): string =>
      `<li class="result"><h2><a href="/e/${i}">Entry number ${i} of the list</a></h2><p>${sentences[i % 5]}</p></li>`
    const { markdown } = find(
      page(
        'Results',
        `<main><h1>Results</h1><ul class="results">${Array.from({ length: 12 }, (_, i) => entry(i)).join('')}</ul></main>`,
      ),
      'https://example.com/search?q=pier',
    )
    for (let i = 0; i < 12; i++) expect(markdown).toContain(`Entry number ${i} of the list`)
    expect(markdown).not.toContain('Privacy policy')
  })

  test('a page that is drawn by scripts stands in its noscript', () => {
    const { main, markdown } = find(
      page('Thread', `<div id="app"></div><noscript><div class="topic-body">${paragraphs(12)}</div></noscript>`),
    )
    expect(main.noscript).toBe(true)
    expect(markdown).toContain('harbour was quiet')
  })

  test('a page whose text stands only in its JSON-LD gives that text beside the DOM', () => {
    const data = (type: string, key: string): string =>
      `<script type="application/ld+json">${JSON.stringify({ '@type': type, [key]: sentences.join(' ') })}</script>`
    expect(find(page('Lamp', `${data('Product', 'description')}<div id="app">Loading</div>`)).main.extraText).toBe(
      sentences.join(' '),
    )
    expect(
      find(page('Pier', `${data('NewsArticle', 'articleBody')}<article>${paragraphs(6)}</article>`)).main.extraText,
    ).toBeUndefined()
  })

  test('a review is the text of a page where nothing is sold', () => {
    const review = { '@type': 'Review', reviewBody: sentences.join(' ') }
    const textOf = (value: object) =>
      find(`<script type="application/ld+json">${JSON.stringify(value)}</script><div id="app">Loading</div>`).main
        .extraText
    expect(textOf(review)).toBe(sentences.join(' '))
    expect(textOf({ '@type': 'Product', name: 'Lamp', review })).toBeUndefined()
  })

  test('HTML in the JSON-LD becomes Markdown', () => {
    const json = JSON.stringify({
      '@type': 'Product',
      description: `<p>${sentences[0]}</p><ul><li>${sentences[1]}</li></ul>`,
    })
    const { main } = find(`<script type="application/ld+json">${json}</script><div id="app">Loading</div>`)
    expect(main.extraText).toBe(`${sentences[0]}\n\n- ${sentences[1]}`)
  })
})

describe('when little can be found', () => {
  test('when the model wants nothing, what is no furniture is given, with a warning', () => {
    const words = 'A word of many. '.repeat(12).trim()
    const { root } = parseHtml(`<nav>Menu</nav><p>${words}</p><footer>Legal</footer>`)
    const described = describePage(root, '', readingOf(emptyLexicon))
    const main = mainContentFrom(root, described, new Float32Array(3))
    expect(writeMarkdown(root, { removed: main.removed }).trim()).toBe(words)
    expect(main.warning).toContain('No main content was found')
    const menu = parseHtml(`<nav>${words}</nav>`).root
    const whole = mainContentFrom(menu, describePage(menu, '', readingOf(emptyLexicon)), new Float32Array(1))
    expect(whole.removed.size).toBe(0)
    expect(whole.warning).toContain('No main content was found')
  })

  test('a page of few words is given as a whole, without a warning', () => {
    const { root } = parseHtml('<nav>Menu</nav>')
    const main = mainContentFrom(root, describePage(root, '', readingOf(emptyLexicon)), new Float32Array(1))
    expect(main.removed.size).toBe(0)
    expect(main.warning).toBeUndefined()
  })

  test('a page without words gives nothing, and no warning', () => {
    for (const html of ['', '<p> </p>', '<script>x</script>', '<img src=a>']) {
      const { main } = find(html)
      expect(main.removed.size).toBe(0)
      expect(main.warning).toBeUndefined()
    }
  })
})

describe('how it is decided', () => {
  const html = page('The pier', `<article><h1>The pier</h1>${paragraphs(5)}</article>`)

  test('every block can be explained: its text, its score, and the features that decided', () => {
    const blocks = find(html).main.explain()
    const story = blocks.find((block) => block.text.includes('harbour'))!
    const legal = blocks.find((block) => block.text.includes('All rights reserved'))!
    expect(story).toMatchObject({ kept: true })
    expect(legal).toMatchObject({ kept: false })
    expect(story.score).toBeGreaterThan(legal.score)
    expect(legal.reasons.length).toBeGreaterThan(0)
    expect(legal.reasons[0]!.push).toBeLessThan(0)
    expect(
      legal.reasons.every((reason, i, all) => i === 0 || Math.abs(all[i - 1]!.push) >= Math.abs(reason.push)),
    ).toBe(true)
  })

  test('the same page gives the same answer, whatever was read before it', () => {
    const once = find(html)
    find(page('Other', `<main>${paragraphs(40)}</main>`))
    const again = find(html)
    expect(again.markdown).toBe(once.markdown)
    expect(again.main.explain()).toEqual(once.main.explain())
  })

  test('the tree is left as it was', () => {
    const { root } = parseHtml(html)
    const before = writeMarkdown(root)
    findMainContent(root, '')
    expect(writeMarkdown(root)).toBe(before)
  })
})

describe('hostile pages', () => {
  const marks = `a${'-'.repeat(500_000)}`
  const quotesOfMarks =
    `<p>${'One of the ships left the old port. '.repeat(20)}</p><blockquote><p>six words are in this ${marks}b</p></blockquote>`.repeat(
      40,
    )
  const pages: readonly (readonly [string, string])[] = [
    ['a hundred thousand siblings', '<p>word</p>'.repeat(100_000)],
    ['links without end', '<a href=x>y</a> '.repeat(100_000)],
    ['deep nesting', `${'<div>'.repeat(50_000)}text`],
    ['one text of four million characters', `<p>${'word '.repeat(800_000)}</p>`],
    ['class names without end', `<p class="${'nav side '.repeat(100_000)}">text</p>`],
    ['pull quotes of marks', `<article>${quotesOfMarks}</article>`],
    ['forms in tables in lists', '<table><tr><td><ul><li><form>a'.repeat(5000)],
  ]
  for (const [name, html] of pages)
    test(`${name}: an answer, in the time that its length asks for`, longIf(/siblings|links/.test(name)), () => {
      expect(find(html).main.removed).toBeInstanceOf(Set)
    })
})
