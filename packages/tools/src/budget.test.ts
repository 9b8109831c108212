import { describe, expect, test } from 'vitest'

import { outlineOf, partOf, passagesOf, tokensOf } from './budget.ts'

describe('A part of a text', () => {
  const text = Array.from({ length: 200 }, (_, index) => `Paragraph ${index} says a little.`).join('\n\n')

  test('fits its budget and ends where a block ends', () => {
    const part = partOf(text, 0, 300)
    expect(tokensOf(part.text)).toBeLessThanOrEqual(300)
    expect(part.text.endsWith('\n\n')).toBe(true)
  })

  test('and the parts after it are the whole text', () => {
    let all = ''
    for (let next: number | undefined = 0; next !== undefined;) {
      const part = partOf(text, next, 250)
      all += part.text
      next = part.next
    }
    expect(all).toBe(text)
  })

  test('goes on through text without blocks, and cuts no letter in half', () => {
    const emoji = '😀'.repeat(5_000)
    const part = partOf(emoji, 0, 200)
    expect(part.text.length).toBeGreaterThan(0)
    expect(part.text).toMatch(/^(?:😀)+$/u)
  })
})

test('An outline has the headings, and none of the lines of code that look like one', () => {
  expect(
    outlineOf('# One\n\ntext\n\n```\n# no\n```\n\n## Two\nmore').map(({ title, offset }) => [title, offset]),
  ).toEqual([
    ['One', 0],
    ['Two', 27],
  ])
})

test('Passages with more of the words come first, and those with none do not come', () => {
  const text = 'apples are red\n\npears are green\n\ngreen apples are sour'
  expect(passagesOf(text, 'green apples', 5).map(({ text }) => text)).toEqual([
    'green apples are sour',
    'apples are red',
    'pears are green',
  ])
})
