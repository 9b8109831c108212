import { expect, test } from 'vitest'

import { findShownMessages } from './check-public.ts'

const shown = (file: string, text: string): string[] => findShownMessages([{ file, text }])

test('code for callers makes public messages with publicMessage, and code for operators need not', () => {
  const byHand = "const a = 1\nconst why = EngineError.is(error)\n  ? error.message : 'It failed.'"
  expect(shown('packages/core/src/a.ts', byHand)).toEqual([
    'packages/core/src/a.ts:2 shows the message of any error, which can name files and hosts: use publicMessage of ports.',
  ])
  expect(shown('packages/cli/src/a.ts', byHand)).toEqual([])
  expect(shown('packages/core/src/a.ts', 'const why = publicMessage(error)')).toEqual([])
})
