import { expect, test } from 'vitest'

import { scan } from './scan.ts'

const script = (expression: string): string =>
  JSON.stringify({ id: 7, method: 'Runtime.evaluate', params: { expression } })

test.each<[string, string]>([
  ['quotes', '"'.repeat(300)],
  ['backslashes', '\\'.repeat(301)],
  ['a backslash at the end of a long text', `${'x'.repeat(300)}\\`],
  ['quotes far from each other', `${'x'.repeat(200)}"`.repeat(20)],
  ['backslashes before quotes', `${'x'.repeat(80)}\\\\"`.repeat(20)],
  ['brackets and commas', '{[,'.repeat(100)],
])('a text ends where it ends: %s', (_name, text) => {
  expect(scan(script(text))).toMatchObject({ id: 7, method: 'Runtime.evaluate', depth: 2, values: 5 })
})
