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

test('a cast in shipped code needs a reason, and one in a test or in words does not', () => {
  const cast = (above = '', file = 'packages/core/src/a.ts') =>
    findUnexplained([{ file, text: `${above}\nconst a = b as unknown as C` }])
  expect(cast()).toEqual([
    'packages/core/src/a.ts:2 switches the compiler off: do without, or say why in the line above, after "// Cast: ".',
  ])
  expect(cast('// Cast: their types are wrong.')).toEqual([])
  expect(cast('', 'packages/core/src/a.test.ts')).toEqual([])
  expect(
    findUnexplained([{ file: 'packages/core/src/a.ts', text: '// as good as any\nconst a = b as never' }]),
  ).toHaveLength(1)
})
