import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { toHtml } from '../parse/serialize.ts'
import { compilePattern, isPattern } from './tag-pattern.ts'
import { chooseTags } from './tags.ts'

const { root } =
  parseHtml(`<body><h2>T</h2><article class="post"><p id="lead">1</p><div class="ad-box"><p>2</p></div></article>
<p>3</p><aside data-kind="promo">4</aside>`)

function choose(includeTags: string[], excludeTags: string[] = []): { html: string; warnings: string[] } {
  const warnings: string[] = []
  const chosen = chooseTags(root, { includeTags, excludeTags }, (problem) => warnings.push(problem))
  return { html: toHtml(chosen), warnings }
}

describe('includeTags', () => {
  test('gives the elements in the order of the list, each selector in the order of the page', () => {
    expect(choose(['aside', 'p']).html).toBe('<aside data-kind="promo">4</aside><p id="lead">1</p><p>2</p><p>3</p>')
  })

  test('gives nothing twice: an element inside another chosen one comes with that one', () => {
    const expected = '<article class="post"><p id="lead">1</p><div class="ad-box"><p>2</p></div></article>'
    expect(choose(['article', '#lead']).html).toBe(expected)
    expect(choose(['#lead', 'article', '.post']).html).toBe(expected)
  })

  test('takes what excludeTags names out of what it found', () => {
    expect(choose(['article'], ['div']).html).toBe('<article class="post"><p id="lead">1</p></article>')
  })

  test('that matches nothing gives nothing, and says so', () => {
    expect(choose(['video'])).toEqual({
      html: '',
      warnings: ['Nothing on the page matches includeTags, so there is no content.'],
    })
  })

  test('skips a selector that is not valid, and says so', () => {
    const { html, warnings } = choose(['h2', 'p['])
    expect(html).toBe('<h2>T</h2>')
    expect(warnings).toEqual([expect.stringContaining('"p["')])
  })
})

describe('excludeTags', () => {
  test('leaves out elements and all they hold', () => {
    const { html } = choose([], ['article', 'aside', 'h2'])
    expect(html.replaceAll('\n', '')).toBe('<html><head></head><body><p>3</p></body></html>')
  })

  test('leaves the page itself as it was', () => {
    const before = toHtml(root)
    choose(['article'], ['p'])
    choose([], ['*ad*'])
    expect(toHtml(root)).toBe(before)
  })

  test('an entry between stars is looked for in names and attributes', () => {
    expect(choose([], ['*ad-*']).html).not.toContain('<p>2</p>')
    expect(choose([], ['*PROMO*']).html).not.toContain('<aside')
    expect(choose([], ['*rticl*']).html).not.toContain('<article')
    expect(choose([], ['*nothing*']).html).toBe(toHtml(root))
  })
})

describe('patterns', () => {
  const holds = (entry: string, html: string): boolean =>
    compilePattern(entry)(parseHtml(`<body>${html}`).body.first as Parameters<ReturnType<typeof compilePattern>>[0])

  test.each([
    ['*ad*', '<p class="ad">', true],
    ['*.ad*', '<p class="ad">', true],
    ['*class="ad"*', '<p class="ad">', true],
    ['*^p$*', '<p>', true],
    ['*^p$*', '<pre>', false],
    ['*foo|bar*', '<p id="bar">', true],
    ['*a.*z*', '<p id="a-to-z">', true],
    ['*z.*a*', '<p id="z-to-y">', false],
    [String.raw`*ad\d*`, '<p id="ad7">', true],
    ['*ad[0-9]*', '<p id="ad7">', true],
    ['*ad[0-9]*', '<p id="adx">', false],
    // Groups and repetitions are not understood, so they are looked for as they are written.
    ['*(a+)+$*', '<p id="aaaa">', false],
    ['*(a+)+$*', '<p id="(a+)+$">', true],
    ['*a{2}*', '<p id="aa">', false],
    ['*[*', '<p id="a[0]">', true],
  ])('%s in %s: %s', (entry, html, expected) => {
    expect(holds(entry, html)).toBe(expected)
  })

  test('only an entry between stars is a pattern', () => {
    expect(['*a*', '*', '**', 'a*', '*a', 'p *'].map(isPattern)).toEqual([true, false, false, false, false, false])
  })
})
