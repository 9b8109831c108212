import { expect, test } from 'vitest'

import { findForwardedReaders } from './check-forwarded.ts'

const found = (file: string, text: string): number => findForwardedReaders([{ file, text }]).length

test('code that reads a header of a proxy by itself is found', () => {
  expect(found('packages/web/src/a.ts', "headers.get('x-forwarded-for')")).toBe(1)
  expect(found('packages/web/src/a.ts', 'headers["X-Forwarded-Proto"]')).toBe(1)
  expect(found('packages/web/src/a.ts', "request.header('forwarded')")).toBe(1)
})

test('the one reader, comments and other words are not', () => {
  expect(found('packages/http/src/request/forwarded.ts', "headers.get('x-forwarded-for')")).toBe(0)
  expect(found('packages/web/src/a.ts', '// X-Forwarded-For is read elsewhere.')).toBe(0)
  expect(found('packages/web/src/a.ts', 'const { forwarded } = handle')).toBe(0)
})
