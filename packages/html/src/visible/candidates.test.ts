import { describe, expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import { elementsOf, textOf } from '../tree/walk.ts'
import { Sheets } from './cascade.ts'
import { cssLimits } from './css.ts'
import { findHidden } from './hidden.ts'
import { surveyOf } from './survey.ts'

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('')

function read(html: string) {
  const elements = elementsOf(parseHtml(html).root)
  return { elements, sheets: new Sheets(surveyOf(elements)) }
}

describe('the rules that are read for the elements of a page have a limit in all', () => {
  test.each([
    [
      'one class has all rules',
      times(9_000, () => '.a{display:none}'),
      times(2_000, (i) => `<p class="a x${i}">x</p>`),
    ],
    [
      'each element has a thousand classes with rules',
      times(1_000, (i) => `.c${i},.c${i},.c${i},.c${i}{opacity:0}`),
      times(500, (i) => `<p class="x${i} ${times(1_000, (k) => `c${k} `)}">x</p>`),
    ],
    [
      'rules for all elements, and one for a class',
      `${times(9_000, () => 'p{display:none}')}.a{opacity:0}`,
      times(2_000, () => '<p class="a">x</p>'),
    ],
  ])('%s', (_, css, body) => {
    const { elements, sheets } = read(`<style>${css}</style>${body}`)
    let count = 0
    // Lists that several elements share are not copied.
    const lists = new Set<readonly unknown[]>()
    const accepts = (): boolean => ++count > 0
    for (const element of elements) {
      sheets.mayApply(accepts, element)
      for (const list of sheets.candidatesOf(element, accepts)) lists.add(list)
    }
    for (const { length } of lists) count += length
    expect(count).toBeGreaterThan(500)
    expect(count).toBeLessThan(cssLimits.rules * 8)
  })
})

test('a rule is found by the end of its selector, whatever is before it', () => {
  const { elements, sheets } = read(
    `<style>.x\t.y{color:red}main>p{color:red}a.q:not(.r){color:red}#i.j{color:red}[data-k~="1"]{color:red}.a\\:b{color:red}.l-\\[-9px\\]{color:red}*{display:block}</style>` +
      '<b class="y"></b><p></p><a class="q"></a><i id="i" class="j"></i><s data-k="1"></s><u class="a:b"></u><q class="l-[-9px]"></q>',
  )
  const isAny = (): boolean => true
  const counts = elements.map((element) => [element.name, sheets.candidatesOf(element, isAny).flat().length])
  expect(counts.filter(([name]) => 'bpaisuq'.includes(String(name)))).toEqual(
    ['b', 'p', 'a', 'i', 's', 'u', 'q'].map((name) => [name, 2]),
  )
})

describe('a rule hides its elements, whatever else is in the sheets and the attributes of the page', () => {
  const hidden = '<p class="hid">zebra</p>'
  const classes = times(900, (i) => `long${i} `)
  const elementor = (i: number): string =>
    `.elementor-12 .elementor-element.elementor-element-a${i}{--display:flex;--gap:0px 20px;color:#54595f}` +
    `.elementor-12 .elementor-element.elementor-element-a${i}:not(.wide){color:#54595f}`
  const pages: readonly (readonly [name: string, css: string, body: string])[] = [
    ['an escaped parenthesis in the list', String.raw`.nope\(,.hid{display:none}`, hidden],
    ['a quoted parenthesis in the list', '.nope[data-a="("],.hid{display:none}', hidden],
    [
      'a long class attribute on a parent',
      '.z .hid{display:none}',
      `<div class="${classes}z"><p class="hid">zebra</p></div>`,
    ],
    ['a long class attribute', '.hid.z{display:none}', `<p class="hid ${classes}z">zebra</p>`],
    [
      'a rule and an element for each of 2,000 widgets',
      `${times(2_000, elementor)}.hid{display:none}`,
      `<div class="elementor-12">${times(2_000, (i) => `<div class="elementor-element elementor-element-a${i}">x</div>`)}</div>${hidden}`,
    ],
    [
      '1,000 rules for a class that 6,000 elements have',
      `${times(1_000, (i) => `.w${i} .btn{color:#fff;background:#246;width:100px}`)}.hid{display:none}`,
      times(6_000, (i) => `<a class="btn b${i}">x</a>`) + hidden,
    ],
    [
      'a rule for each of 1,600 containers',
      `${times(1_600, (i) => `.wp-block-group.wp-container-${i}{color:#123}`)}.hid{display:none}`,
      times(1_600, (i) => `<div class="wp-block-group wp-container-${i}">x</div>`) + hidden,
    ],
  ]
  const prose = times(20, (i) => `<p>Sentence ${i} of the page, which everybody can see.</p>`)
  const counts = [10, 220]
  test.each(pages.flatMap(([name, ...page]) => counts.map((count) => [name, count, ...page] as const)))(
    '%s, and %d other rules',
    (_, count, css, body) => {
      const others = times(count, (i) => `.r${i}{color:red}`)
      const html = `<style>${others}${css}</style>${prose}${body}`
      const { root } = parseHtml(html)
      const { nodes } = findHidden({ root, elements: elementsOf(root), html })
      expect([...nodes].map((node) => (node.type === 'text' ? node.text : textOf(node)))).toEqual(['zebra'])
    },
  )
})
