import { expect, test } from 'vitest'

import { faultLine } from '../page/src/lib/fault-line.ts'
import type { Language } from '../page/src/lib/code.ts'

test.each<[Language, string, number | undefined]>([
  ['node', "SyntaxError: Unexpected token '='\n    at <anonymous>:2:11\n", 2],
  ['node', 'Error: inner\n    at inner (<anonymous>:3:9)\n    at <anonymous>:1:1\n', 3],
  ['python', '  File "<code>", line 2\n    y = = 2\nSyntaxError: invalid syntax', 2],
  ['bash', "bash: eval: line 2: syntax error near unexpected token `fi'\nbash: eval: line 2: `fi'\n", 2],
  ['bash', 'bash: eval: line 4: syntax error: unexpected end of file\n', 3],
  ['bash', 'bash: fly: command not found\n', undefined],
])('the line at which code in %s stopped is read from %j', (language, stderr, line) => {
  expect(faultLine(language, { success: false, stderr }, 'one\ntwo\nthree')).toBe(line)
  expect(faultLine(language, { success: true, stderr }, 'one\ntwo\nthree')).toBeUndefined()
})
