import { describe, expect, test } from 'vitest'

import { coloured, plain } from './paint.ts'
import { clearLine, forTerminal, printable } from './printable.ts'
import { parseEvery, shownLook } from './watch.ts'

test.each([
  ['1s', 1_000],
  ['10m', 600_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
])('%s is %d ms', (text, ms) => {
  expect(parseEvery(text)).toBe(ms)
})

test.each(['', '5', '0s', '500ms', '-1m', '1 week', '99d'])('%j is no time to wait', (text) => {
  expect(() => parseEvery(text)).toThrow(/--every must be a time such as 30s/)
})

describe('A look at a page', () => {
  const look = {
    url: 'https://a.test/',
    at: '2026-01-02',
    status: 'changed',
    previousAt: null,
    diff: '--- a\n+++ b\n-old\n+new\n',
  }

  test('is a line, and what changed below it', () => {
    expect(shownLook(look, plain)).toBe('2026-01-02  changed  https://a.test/\n--- a\n+++ b\n-old\n+new\n')
  })

  test('has colours where they are wanted: other ones for what is gone and what is new', () => {
    const text = forTerminal(shownLook(look, coloured))
    expect(text).toContain('\u001B[31m-old')
    expect(text).toContain('\u001B[32m+new')
    expect(text).toContain('\u001B[2m+++ b')
  })
})

test('A text of strangers cannot move the cursor, colour the terminal or turn its direction', () => {
  expect(printable('a\u001B[31m\r\nb\u0007\u202Ec\u009Bd')).toBe('a [31m b c d')
})

test('A terminal gets lines, tabs, the colours of commands and lines that are redrawn, and no other control characters', () => {
  expect(forTerminal(`${clearLine}${coloured('good', 'a')}\tb\n`)).toBe(`${clearLine}\u001B[32ma\u001B[0m\tb\n`)
  expect(forTerminal(`x${clearLine}y\r\u001B]0;t\u0007\u001B[31m\u009B2J\u202Ez`)).toBe('x[2Ky]0;t[31m2Jz')
})
