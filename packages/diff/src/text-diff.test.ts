import { expect, test } from 'vitest'

import { linesOf } from './noise.ts'
import { diffShows, textDiff } from './text-diff.ts'

const diff = (one: string, other: string) => textDiff(linesOf(one), linesOf(other))

test('a diff is what git prints, and the same as data', () => {
  const { text, json } = diff('# Shop\n\nLamp 12\n\nChair 30', '# Shop\n\nLamp 13\n\nChair 30\n\nTable 99')
  expect(text).toBe(
    [
      '--- previous',
      '+++ current',
      '@@ -1,5 +1,7 @@',
      ' # Shop',
      ' ',
      '-Lamp 12',
      '+Lamp 13',
      ' ',
      ' Chair 30',
      '+',
      '+Table 99',
    ].join('\n'),
  )
  expect(json.files[0]?.chunks[0]?.changes.slice(0, 4)).toEqual([
    { type: 'normal', normal: true, ln1: 1, ln2: 1, content: ' # Shop' },
    { type: 'normal', normal: true, ln1: 2, ln2: 2, content: ' ' },
    { type: 'del', del: true, ln: 3, content: '-Lamp 12' },
    { type: 'add', add: true, ln: 3, content: '+Lamp 13' },
  ])
})

test('changes that are far from each other are chunks of their own', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`)
  const { json } = diff(lines.join('\n'), lines.with(2, 'x').with(25, 'y').join('\n'))
  expect(json.files[0]?.chunks.map(({ content }) => content)).toEqual(['@@ -1,6 +1,6 @@', '@@ -23,7 +23,7 @@'])
})

test('changes that are near each other are one', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`)
  const { json } = diff(lines.join('\n'), lines.with(3, 'x').with(7, 'y').join('\n'))
  expect(json.files[0]?.chunks.map(({ content }) => content)).toEqual(['@@ -1,11 +1,11 @@'])
})

test('lines that differ in noise alone stand as they are now', () => {
  const { text } = diff('Lamp\n12 views\nEUR 3', 'Lamp\n15 views\nEUR 4')
  expect(text).toContain('\n 15 views\n')
  expect(text).not.toContain('12 views')
})

test('from nothing, and to nothing', () => {
  expect(textDiff([], linesOf('a')).text).toBe('--- previous\n+++ current\n@@ -0,0 +1 @@\n+a')
  expect(textDiff(linesOf('a'), []).text).toBe('--- previous\n+++ current\n@@ -1 +0,0 @@\n-a')
})

test('a diff that would show more than a reader can use ends with a line that says so', () => {
  const lines = (word: string): string =>
    Array.from({ length: 2 * diffShows.lines }, (_, index) => `${word} ${index}`).join('\n')
  const { text, json } = diff(lines('old'), lines('new'))
  const [chunk] = json.files[0]?.chunks ?? []
  expect(chunk?.changes).toHaveLength(diffShows.lines)
  expect(chunk?.content).toBe(`@@ -1,${diffShows.lines} +0,0 @@`)
  expect(text.split('\n').slice(-2)).toEqual([`-old ${diffShows.lines - 1}`, '\\ Further changes are omitted.'])
  const long = diff('short', `Long ${'x'.repeat(diffShows.characters)}\nshort`)
  expect(long.text).toMatch(/changes are omitted\.$/)
  expect(long.text.length).toBeLessThan(200)
})
