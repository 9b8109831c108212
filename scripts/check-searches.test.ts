import { expect, test } from 'vitest'

import { findWideSearches } from './check-searches.ts'

const found = (text: string): number => findWideSearches([{ file: 'packages/net/src/a.ts', text }]).length

test('searches of buffers for UTF-16 text are found, also where a variable names the encoding', () => {
  expect(found("view.includes(`${name}\\0`, 0, 'utf16le')")).toBe(1)
  expect(found('view.indexOf("x", "ucs2")')).toBe(1)
  expect(found("view.lastIndexOf(\n  'x',\n  undefined,\n  'UCS-2',\n)")).toBe(1)
  expect(found("view.includes(f(a, 'b'), g(1, 2), encoding)")).toBe(1)
})

test('other searches, and conversions of UTF-16, are not', () => {
  expect(found("view.includes('PK', 0, 'latin1')")).toBe(0)
  expect(found("names.includes('utf16le')")).toBe(0)
  expect(found("text.indexOf('a, b', from)")).toBe(0)
  expect(found("view.toString('utf16le', 0, 4); Buffer.from(text, 'utf16le').indexOf(name)")).toBe(0)
})
