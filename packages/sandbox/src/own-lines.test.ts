import { expect, test } from 'vitest'

import { withOwnLines } from './own-lines.ts'

test('the lines that a shell names are those of the code, and all else stays', () => {
  const said =
    "bash: eval: line 64: syntax error near unexpected token `fi'\nbash: eval: line 64: `fi'\nline 64: printed\nbash: eval: line 3: before it"
  expect(withOwnLines(said, 63)).toBe(
    "bash: eval: line 2: syntax error near unexpected token `fi'\nbash: eval: line 2: `fi'\nline 64: printed\nbash: eval: line 3: before it",
  )
  expect(withOwnLines(said, undefined)).toBe(said)
})
