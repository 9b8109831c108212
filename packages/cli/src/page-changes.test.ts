import { describe, expect, test } from 'vitest'

import { changesOf, pageLines } from './page-changes.ts'

const page = (text: string, url = 'https://a.test/', title = 'A') => ({ url, title, text })

describe('What the live shell prints after a command', () => {
  test('is what came, what went, and what has another reference now', () => {
    const before = page('- heading "Shop"\n- textbox "Name" [ref=e1]\n- button "Go" [ref=e2]\n- text: "Old"')
    const now = page(
      '- heading "Shop"\n- textbox "Name" value="Ann" [ref=e1]\n- link "New" [ref=e2]\n- button "Go" [ref=e3]',
    )
    expect(changesOf(before, now)).toBe(
      '- - textbox "Name"\n- - text: "Old"\n+ - textbox "Name" value="Ann" [ref=e1]\n+ - link "New" [ref=e2]\n~ - button "Go" [ref=e3]\n',
    )
  })

  test('is that nothing has changed, and of equal lines only those that are more', () => {
    const before = page('- text: "Row"\n- text: "Row"')
    expect(changesOf(before, before)).toBe('(nothing has changed)\n')
    expect(changesOf(before, page('- text: "Row"\n- text: "Row"\n- text: "Row"'))).toBe('+ - text: "Row"\n')
  })

  test('is the whole page when it is another one, and the address alone when only that is', () => {
    const before = page('- heading "Shop"')
    expect(changesOf(before, page('- heading "Cart"', 'https://a.test/cart', 'Cart'))).toBe(
      'Cart — https://a.test/cart\n- heading "Cart"\n',
    )
    expect(changesOf(before, page('- heading "Shop"', 'https://a.test/#top'))).toBe('A — https://a.test/#top\n')
  })

  test('is cut where it is long', () => {
    const long = page(Array.from({ length: 250 }, (_, number) => `- text: "${number}"`).join('\n'))
    expect(pageLines(long)).toContain('(and 50 more lines')
    expect(pageLines(long).split('\n').length).toBe(203)
  })
})
