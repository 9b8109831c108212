import { expect, test } from 'vitest'
import * as lineWords from './line-words.ts'

test.each(Object.entries(lineWords).filter(([, value]) => value instanceof RegExp))(
  'the pattern %s has few classes of letters, which are slow to compile',
  (_, pattern) => {
    expect(String(pattern).split(String.raw`\p{M}`).length - 1).toBeLessThanOrEqual(4)
  },
)

test.each([
  ['By Ann Lee', 'en', 'By '],
  ['Written by: Ann Lee', '', 'Written by: '],
  ['Text Ann Lee', 'sv-SE', 'Text '],
  ['Tekst: Ann Lee', 'en', 'Tekst: '],
  ['Av Ann Lee', 'nb-NO', 'Av '],
  ['Di Ann Lee', 'it', 'Di '],
  ['Von Ann Lee', 'de-AT', 'Von '],
  ['文 山田', 'ja', '文 '],
  ['文：山田', 'en', '文：'],
  ['Text: Ann Lee', 'en', 'Text: '],
  ['Text Neck Syndrome', 'en', ''],
  ['Da Vinci Museum', 'en', ''],
  ['Di Maria Returns', 'es', ''],
  ['Von Miller Returns', '', ''],
  ['От Москвы до Киева', 'ru', ''],
  ['Byron Lee', 'en', ''],
])('the words before an author in "%s" on a page in "%s" are "%s"', (line, language, words) => {
  expect(line.slice(0, lineWords.byLength(line, language))).toBe(words)
})
