import { expect, test } from 'vitest'

import { findSecondMeanings } from './check-names.ts'

test('a name that two files of core define is told of, with both files', () => {
  const found = findSecondMeanings([
    { file: 'a.ts', text: 'export interface Visit {\n}\nexport function go(): void {}' },
    { file: 'b.ts', text: 'import x from "y"\nexport type Visit = string' },
    { file: 'c.ts', text: 'interface Visit {}\nexport async function* stay() {}' },
  ])
  expect(found).toEqual(['Visit means 2 things (a.ts, b.ts): give all but one a name of its own.'])
})

test.each([
  ['a value and its type in one file are one thing', 'export const port = 1\nexport type port = number', ''],
  ['a name that is passed on is defined once', 'export interface Job {}', "export type { Job } from './a.ts'"],
  ['names inside of functions are nobody else’s', 'export const a = () => {\n  const b = 1\n}', 'export const b = 2'],
])('%s', (_, first, second) => {
  expect(findSecondMeanings([first, second].map((text, index) => ({ file: `${index}.ts`, text })))).toEqual([])
})

test.each(['async function', 'function*', 'class', 'const', 'abstract class', 'type', 'interface'])(
  'a second %s is found',
  (word) => {
    const text = `export ${word} twice `
    expect(findSecondMeanings([1, 2].map((number) => ({ file: `${number}.ts`, text })))).toHaveLength(1)
  },
)
