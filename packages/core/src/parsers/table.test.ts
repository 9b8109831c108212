import { expect, test } from 'vitest'

import { documentTally } from '@harvestman/threads'
import { wrapInCodeFence } from './fenced.ts'
import { writeText } from './written.ts'

const table = (text: string, kind: 'table' | 'table of tabs' = 'table'): string =>
  writeText(text, kind, documentTally()).markdown

test('the first row is the head of the table', async () => {
  expect(table('name,age\nAda,36\n')).toBe('| name | age |\n| --- | --- |\n| Ada | 36 |')
})

test('quotes may hold separators, line ends and quotes', async () => {
  expect(table('a,b\n"1,5","say ""hi""\nthere"\n')).toBe('| a | b |\n| --- | --- |\n| 1,5 | say "hi"<br>there |')
})

test('semicolons, tabs and pipes are seen as separators', async () => {
  expect(table('a;b\n1;2')).toContain('| 1 | 2 |')
  expect(table('a\tb\n1\t2', 'table of tabs')).toContain('| 1 | 2 |')
})

test('short rows are filled, and pipes inside cells are escaped', async () => {
  expect(table('a,b\nx|y\n')).toBe('| a | b |\n| --- | --- |\n| x\\|y |  |')
})

test('an empty last field is a field, and an unclosed quote ends with the text', async () => {
  expect(table('a,b\n1,')).toContain('| 1 |  |')
  expect(table('a,b\n1,"2')).toContain('| 1 | 2 |')
})

test('text after a closing quote is part of the field up to the separator of the file', async () => {
  expect(table('a,b\n"1"x;y,z\n')).toBe('| a | b |\n| --- | --- |\n| 1x;y | z |')
})

test('nothing gives nothing', async () => expect(table('')).toBe(''))

test('a fence is longer than any in the text', () => {
  expect(wrapInCodeFence('json', '"```"')).toBe('````json\n"```"\n````')
})

test(
  'one row with very many fields does not make all rows as long: the table is cut, and says so',
  { tags: ['long'] },
  () => {
    const write = (text: string) => writeText(text, 'table', documentTally())
    const wide = write(`${','.repeat(100_000)}\n${'x\n'.repeat(49_000)}`)
    expect(wide.warnings).toEqual([
      'The table is cut after row 61: the limits are 50000 rows and 1000000 cells.',
      'The table has more than 16384 columns; the others are left out.',
    ])
    const late = write(`${'x\n'.repeat(49_000)}${','.repeat(100)}\n`)
    expect(late.warnings).toEqual([expect.stringContaining('after row 49000:')])
    expect(write('a,b\n'.repeat(60_000)).warnings).toEqual([expect.stringContaining('after row 50000:')])
    expect(write('a,b\n'.repeat(50_000)).warnings).toEqual([])
  },
)
