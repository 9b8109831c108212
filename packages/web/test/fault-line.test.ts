import { expect, test } from 'vitest'

import { faultLine } from '../page/src/lib/fault-line.ts'
import { languages } from '../page/src/lib/code.ts'

const idOf = Object.fromEntries(Object.entries(languages).map(([id, name]) => [name, id as keyof typeof languages]))

test.each<[string, string, number | undefined]>([
  ['JavaScript', "SyntaxError: Unexpected token '='\n    at <anonymous>:2:11\n", 2],
  ['JavaScript', 'Error: inner\n    at inner (<anonymous>:3:9)\n    at <anonymous>:1:1\n', 3],
  ['Python', '  File "<code>", line 2\n    y = = 2\nSyntaxError: invalid syntax', 2],
  ['Bash', "bash: eval: line 2: syntax error near unexpected token `fi'\nbash: eval: line 2: `fi'\n", 2],
  ['Bash', 'bash: eval: line 4: syntax error: unexpected end of file\n', 3],
  ['Bash', 'bash: fly: command not found\n', undefined],
])('the line at which code in %s stopped is read from %j', (name, stderr, line) => {
  const language = idOf[name]!
  expect(faultLine(language, { success: false, stderr }, 'one\ntwo\nthree')).toBe(line)
  expect(faultLine(language, { success: true, stderr }, 'one\ntwo\nthree')).toBeUndefined()
})
