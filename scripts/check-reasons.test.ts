import { expect, test } from 'vitest'

import { findUnexplained } from './check-reasons.ts'

const word = ['oxlint', 'disable', 'next', 'line'].join('-')
const off = (rest: string): string => `const a = 1\n// ${word} max-lines${rest}\nconst b = 2`

test('a rule that is switched off needs a reason', () => {
  expect(findUnexplained([{ file: 'a.ts', text: off('') }])).toEqual([
    'a.ts:2 switches a rule off: say why, after two dashes.',
  ])
  expect(findUnexplained([{ file: 'a.ts', text: off(' -- a table of data') }])).toEqual([])
})
