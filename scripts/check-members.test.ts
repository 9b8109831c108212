import { expect, test } from 'vitest'

import { findUnread } from './check-members.ts'

const type = (members: string): string => `/** It. */\nexport interface Thing {\n${members}\n}\n`
const found = (text: string, isPublic = false): readonly string[] =>
  findUnread([{ file: 'a.ts', text }], () => isPublic).map((one) => /Thing\.(\w+)/.exec(one)?.[1] ?? one)

test('a member that is written and not read is found, with its type', () => {
  const text = `${type('  readonly used: number\n  unused?: string\n  also(): void\n  readonly last: number')}
    export const make = (): Thing => ({ used: 1, unused: 'x', also() {}, last })
    const { used } = make()`
  expect(found(text)).toEqual(['unused', 'also', 'last'])
})

test.each([
  'thing.member',
  'const { member } = thing',
  'const { other: { member = 1 } } = thing',
  'for (const { member: name } of things) {}',
  'const take = ({ member }: Thing): void => undefined',
  'things.map(({ id, member }) => id)',
  "thing['member']",
])('a member is read by %s', (reading) => {
  expect(found(type('  readonly member: number') + reading)).toEqual([])
})

test.each(['give({ member })', 'return { member }', 'const thing = { member, id }', 'const thing = { member: 1 }'])(
  'a member is not read by %s',
  (writing) => {
    expect(found(type('  readonly member: number') + writing)).toEqual(['member'])
  },
)

test('what a package exports is for programs to read', () => {
  expect(found(type('  readonly member: number'), true)).toEqual([])
})
