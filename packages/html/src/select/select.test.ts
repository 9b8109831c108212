import { describe, expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { compileSelector, isProblem, matches, selectAll, type Selector } from './select.ts'
import type { Element } from '../tree/tree.ts'
import { elementsOf, textOf } from '../tree/walk.ts'

const page = parseHtml(`<!doctype html><div id="x" class="a b"><p>1<p class="q">2<p>3<ul><li>a<li>b<li>c<li>d</ul></div>
  <a href="x" title="Foo">y</a><template><p>hidden</p></template>`).root

function select(text: string, root: Element = page): Element[] | string {
  const selector = compileSelector(text)
  if (isProblem(selector)) return selector.problem
  const found = selectAll(selector, root)
  return isProblem(found) ? found.problem : found
}

const textsOf = (text: string): string[] => {
  const found = select(text)
  if (typeof found === 'string') throw new Error(found)
  return found.map((element) => (element.first?.type === 'text' ? element.first.text.trim() : element.name))
}

describe('selectors', () => {
  test.each<[string, string[]]>([
    ['p', ['1', '2', '3']],
    ['P.q', ['2']],
    ['#x > p', ['1', '2', '3']],
    ['.a.b li', ['a', 'b', 'c', 'd']],
    ['p + p', ['2', '3']],
    ['.q ~ p', ['3']],
    ['div:has(.q) li:first-child', ['a']],
    ['p:not(.q)', ['1', '3']],
    ['li:last-child', ['d']],
    ['li:nth-child(2n+1)', ['a', 'c']],
    ['li:nth-child(even)', ['b', 'd']],
    ['li:nth-child(-n+2)', ['a', 'b']],
    ['li:nth-last-child(2)', ['c']],
    ['p:nth-of-type(3)', ['3']],
    ['p:nth-last-of-type(3)', ['1']],
    ['p:nth-child(1 of .q)', ['2']],
    ['ul:only-of-type', ['ul']],
    ['p:first-of-type, ul:last-of-type', ['1', 'ul']],
    ['a[title=foo i]', ['y']],
    ['a[href^=x]', ['y']],
    [':is(li, a):not(:last-child)', ['a', 'b', 'c', 'y']],
    [':root', ['html']],
  ])('%s', (text, expected) => {
    expect(textsOf(text)).toEqual(expected)
  })

  test('what a template holds is not on the page', () => {
    expect(textsOf('p')).not.toContain('hidden')
  })

  test('one element can be asked', () => {
    const selector = compileSelector('div .q') as Selector
    expect(
      elementsOf(page)
        .filter((element) => matches(selector, element))
        .map(textOf),
    ).toEqual(['2'])
  })

  test('a selector sees the page as it is now', () => {
    const { root, body } = parseHtml('<ul><li>1<li>2</ul>')
    const selector = compileSelector('li:last-child') as Selector
    const [, first, last] = elementsOf(body)
    expect(selectAll(selector, root)).toEqual([last])
    first!.next = null
    first!.parent!.last = first!
    expect(selectAll(selector, root)).toEqual([first])
  })
})

describe('selectors that cannot be used say so', () => {
  test.each([
    ['p[', /^The selector "p\[" is not valid: /],
    ['p:foo', /is not valid: Unknown pseudo-class :foo/],
    ['> p', /is not valid/],
    ['::before', /is not valid/],
    ['svg|a', /is not valid/],
    ['p:nth-child(foo)', /is not valid/],
    ['a:not(', /is not valid/],
    ['', /must not be empty/],
    ['p'.repeat(2_001), /may have 2000 characters; this one has 2001/],
    [':has('.repeat(5) + 'p' + ')'.repeat(5), /too many or too deeply nested/],
    [':not('.repeat(2_000), /characters/],
    [':not(a)'.repeat(50), /too many/],
    [':is('.repeat(9) + 'p' + ')'.repeat(9), /too deeply nested/],
  ])('%s', (text, problem) => {
    expect(select(text)).toMatch(problem)
  })
})

// A run may take three million steps, and the counter is part of the selector: so an answer is a proof of its cost.
describe('cost', () => {
  const wide = parseHtml(`<ul>${'<li>x'.repeat(100_000)}</ul>`).root
  const deep = parseHtml(`${'<div>'.repeat(390)}<p>x`).root

  test.each([
    ['li:nth-child(3n+1)', 33_334],
    ['li:nth-last-of-type(2)', 1],
    ['li:last-child', 1],
    ['li:only-of-type', 0],
    ['li ~ li', 99_999],
    ['li + li', 99_999],
    ['ul:has(b)', 0],
    ['ul > li.x', 0],
  ])('%s over a hundred thousand siblings is answered', (text, count) => {
    expect(select(text, wide)).toHaveLength(count)
  })

  test.each([
    ['x div div div div div div', 0],
    ['x > div div > div div > div div', 0],
    ['div div div div div div p', 1],
    ['x ~ div div ~ div div p', 0],
  ])('%s over four hundred levels is answered', (text, count) => {
    expect(select(text, deep)).toHaveLength(count)
  })

  test.each([
    ['b ~ li', wide],
    ['li:has(~ b)', wide],
  ])('%s ends with a sentence instead of an hour', (text, root) => {
    expect(select(text, root)).toMatch(/takes too long on this page/)
  })
})
