import { describe, expect, test } from 'vitest'

import { parseHtml } from '../parse/parse.ts'
import { elementsOf } from '../tree/walk.ts'
import { Sheets } from './cascade.ts'
import { cssLimits } from './css.ts'
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
      lists.add(sheets.candidatesOf(element, accepts))
    }
    for (const { length } of lists) count += length
    expect(count).toBeGreaterThan(1_000)
    expect(count).toBeLessThan(cssLimits.entries * 2)
  })
})

test('a rule is found by the end of its selector, whatever is before it', () => {
  const { elements, sheets } = read(
    `<style>.x\t.y{color:red}main>p{color:red}a.q:not(.r){color:red}#i.j{color:red}[data-k~="1"]{color:red}.a\\:b{color:red}*{display:block}</style>` +
      '<b class="y"></b><p></p><a class="q"></a><i id="i" class="j"></i><s data-k="1"></s><u class="a:b"></u>',
  )
  const isAny = (): boolean => true
  const counts = elements.map((element) => [element.name, sheets.candidatesOf(element, isAny).length])
  expect(counts.filter(([name]) => 'bpaisu'.includes(String(name)))).toEqual(
    ['b', 'p', 'a', 'i', 's', 'u'].map((name) => [name, 2]),
  )
})
