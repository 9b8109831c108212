import { expect, test } from 'vitest'

import type { ParseContext } from '../plugin/parts.ts'
import { csvParser } from './csv.ts'
import { fenced } from './fenced.ts'

const table = async (text: string, type = 'text/csv') => {
  const context = {
    url: '',
    type,
    contentType: undefined,
    signal: new AbortController().signal,
  } as unknown as ParseContext
  return (await csvParser.parse(new TextEncoder().encode(text), context)).markdown
}

test('the first row is the head of the table', async () => {
  expect(await table('name,age\nAda,36\n')).toBe('| name | age |\n| --- | --- |\n| Ada | 36 |')
})

test('quotes may hold separators, line ends and quotes', async () => {
  expect(await table('a,b\n"1,5","say ""hi""\nthere"\n')).toBe('| a | b |\n| --- | --- |\n| 1,5 | say "hi"<br>there |')
})

test('semicolons, tabs and pipes are seen as separators', async () => {
  expect(await table('a;b\n1;2')).toContain('| 1 | 2 |')
  expect(await table('a\tb\n1\t2', 'text/tab-separated-values')).toContain('| 1 | 2 |')
})

test('short rows are filled, and pipes inside cells are escaped', async () => {
  expect(await table('a,b\nx|y\n')).toBe('| a | b |\n| --- | --- |\n| x\\|y |  |')
})

test('an empty last field is a field, and an unclosed quote ends with the text', async () => {
  expect(await table('a,b\n1,')).toContain('| 1 |  |')
  expect(await table('a,b\n1,"2')).toContain('| 1 | 2 |')
})

test('nothing gives nothing', async () => expect(await table('')).toBe(''))

test('a fence is longer than any in the text', () => {
  expect(fenced('json', '"```"')).toBe('````json\n"```"\n````')
})
