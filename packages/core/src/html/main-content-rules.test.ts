import { describe, expect, test } from 'vitest'
import { findMainContentByRules } from './main-content-rules.ts'
import { parseHtml } from './parse.ts'
import { toHtml } from './serialize.ts'

const long = 'A sentence of the main part, long enough to count. '.repeat(8)

function main(html: string): { html: string; warning: string | undefined } {
  const { root, body } = parseHtml(`<!doctype html><body>${html}`)
  const { removed, warning } = findMainContentByRules(root)
  return { html: toHtml(body, { leaveOut: (node) => removed.has(node) }), warning }
}

describe('main content by rules', () => {
  test('is the main element, and the headline before it', () => {
    const { html } = main(
      `<div><h1>Head</h1><p>teaser</p></div><div><main><p>${long}</p></main><p>more</p></div><p>end</p>`,
    )
    expect(html).toBe(`<body><div><h1>Head</h1></div><div><main><p>${long}</p></main></div></body>`)
  })

  test('is the article when it holds most of the words', () => {
    expect(main(`<p>a</p><article><p>${long}</p></article><p>b</p>`).html).toBe(
      `<body><article><p>${long}</p></article></body>`,
    )
  })

  test.each([
    '<nav>x</nav>',
    '<footer>x</footer>',
    '<aside>x</aside>',
    '<header>x</header>',
    '<div role="navigation">x</div>',
    '<div class="foo sidebar">x</div>',
    '<div id="cookie">x</div>',
    '<div class="Social-Links">x</div>',
    '<p hidden>x</p>',
    '<div style="color:red; display: none">x</div>',
    '<div aria-hidden="true">x</div>',
  ])('leaves out %s', (furniture) => {
    expect(main(`<p>${long}</p>${furniture}`).html).toBe(`<body><p>${long}</p></body>`)
  })

  test.each([
    '<div class="widget">x</div>',
    '<div class="elementor-widget">x</div>',
    '<div class="menu">x</div>',
    '<header><h1>x</h1></header>',
    '<div class="navigator">x</div>',
    '<div class="top">x</div>',
  ])('keeps %s', (content) => {
    expect(main(`<p>${long}</p>${content}`).html).toBe(`<body><p>${long}</p>${content}</body>`)
  })

  test('keeps what holds most of the page, whatever it is called', () => {
    const html = `<div class="modal"><p>${long}</p></div><p>x</p>`
    expect(main(html)).toEqual({ html: `<body>${html}</body>`, warning: undefined })
  })

  test('is the whole page, with a warning, when next to nothing is left', () => {
    const html = `<nav>${long}</nav><footer>${long}</footer><p>x</p>`
    expect(main(html)).toEqual({ html: `<body>${html}</body>`, warning: expect.stringContaining('all of it is given') })
  })

  test('takes a small main element for what it is', () => {
    const { html } = main(`<main>x</main><p>${long}</p>`)
    expect(html).toContain(long)
  })
})
