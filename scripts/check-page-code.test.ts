import { expect, test } from 'vitest'

import { findPageCode } from './check-page-code.ts'

const file = 'packages/data/src/lists/swept.ts'
const lines = (count: number, code: string): string => `\`${'\n'.repeat(count)}${code}\``

test('code for pages in a long template string is found, with its line', () => {
  const text = `const a = 1\nconst sweep = ${lines(10, "document.querySelector('ul')")}`
  expect(findPageCode([{ file, text }])).toEqual([expect.stringContaining(`${file}:2 has code for pages`)])
})

test('short ones, other long strings, and the generated scripts are not', () => {
  const code = 'document.body.click()'
  expect(
    findPageCode([
      { file, text: `const short = ${lines(9, code)}` },
      { file, text: `const other = ${lines(40, '<p>No code</p>')}` },
      { file: 'packages/data/src/page-scripts.ts', text: lines(40, code) },
    ]),
  ).toEqual([])
})
