import { expect, test } from 'vitest'

import { scriptSchema } from './schema.ts'

const opens = (tab: string) => ({ action: 'click', expects: { opens: [{ tab }] } })
const inTab = (tab: string) => ({ action: 'click', tab })
const problemOf = (...steps: readonly object[]): string | undefined =>
  scriptSchema.safeParse({ version: 1, start: 'https://shop.test/', hosts: ['shop.test'], parameters: {}, steps }).error
    ?.issues[0]?.message

test('a step names a tab that a step before it opens', () => {
  expect(problemOf(opens('receipt'), inTab('receipt'))).toBeUndefined()
  expect(problemOf(inTab('receipt'), opens('receipt'))).toBe('No step before this one opens a tab "receipt".')
  expect(problemOf({ action: 'click', expects: { closes: ['receipt'] } })).toBe('No step opens a tab "receipt".')
})

test('two tabs do not have the same name', () => {
  expect(problemOf(opens('receipt'), opens('receipt'))).toBe('Another tab is named "receipt", too.')
})
