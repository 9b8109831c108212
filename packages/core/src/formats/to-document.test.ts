import { describe, expect, test } from 'vitest'
import { parseHtml, textOf } from '@harvestman/html/internal'
import { toDocument } from './to-document.ts'

describe('the DOM for plugins', () => {
  const { root } = parseHtml(
    '<html lang="en"><title>T</title><body class="a"><p id="x">1 &amp; <b>2</b></p><table><tr><td>3</table>',
  )

  test('is the same page', () => {
    expect(toDocument(root).documentElement.outerHTML).toBe(
      '<html lang="en"><head><title>T</title></head><body class="a"><p id="x">1 &amp; <b>2</b></p><table><tbody><tr><td>3</td></tr></tbody></table></body></html>',
    )
  })

  test('answers selectors and can be changed without changing the page', () => {
    const document = toDocument(root)
    expect(document.title).toBe('T')
    expect([...document.querySelectorAll('td')].map(({ textContent }) => textContent)).toEqual(['3'])
    document.querySelector('#x')!.setAttribute('id', 'y')
    document.body.appendChild(document.createElement('hr'))
    expect(document.querySelector('#x')).toBeNull()
    expect(textOf(root)).toBe('T1 & 23')
    expect(toDocument(root).querySelector('hr')).toBeNull()
  })

  test('has drawings and templates', () => {
    const document = toDocument(parseHtml('<body><svg><g><path d="M0"/></g></svg><template><p>x</p></template>').root)
    expect(document.querySelector('svg path')!.getAttribute('d')).toBe('M0')
    expect(document.body.outerHTML).toContain('<template><p>x</p></template>')
  })

  test('takes names that no author would choose', () => {
    const document = toDocument(parseHtml('<body><constructor x<=1 "=2>a</constructor><valueof>b</valueof><a"b>c').root)
    expect(document.body.textContent).toBe('abc')
  })

  test('of a page as deep as pages get can be built', () => {
    const document = toDocument(parseHtml('<div>'.repeat(1_000)).root)
    expect([...document.querySelectorAll('div')]).toHaveLength(1_000)
  })
})
