import { expect, test } from 'vitest'
import { findAttributes } from './attributes.ts'
import { parseHtml } from '../parse/parse.ts'

const { root } = parseHtml('<body><a href="x" DATA-id=1>a</a><a>b</a><a href="">c</a>')

test('values are given as the page wrote them, in its order, without elements that lack the attribute', () => {
  const found = findAttributes(
    root,
    [
      { selector: 'a', attribute: 'href' },
      { selector: 'a', attribute: 'Data-ID' },
    ],
    () => undefined,
  )
  expect(found).toEqual([
    { selector: 'a', attribute: 'href', values: ['x', ''] },
    { selector: 'a', attribute: 'Data-ID', values: ['1'] },
  ])
})

test('a selector that is not valid gives no values, and a warning', () => {
  const warnings: string[] = []
  const found = findAttributes(root, [{ selector: 'a[', attribute: 'href' }], (problem) => warnings.push(problem))
  expect(found).toEqual([{ selector: 'a[', attribute: 'href', values: [] }])
  expect(warnings).toEqual([expect.stringContaining('"a["')])
})
