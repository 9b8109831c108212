import { expect, test } from 'vitest'

import { sentenceDivider } from './sentences.ts'

test('a text is divided into sentences, also where no space is between them', () => {
  const sentencesOf = sentenceDivider()
  const parts = (text: string): readonly string[] => Array.from(sentencesOf(text), ({ segment }) => segment)
  expect(parts('It costs 3.50 dollars. Who pays? We do.')).toEqual(['It costs 3.50 dollars. ', 'Who pays? ', 'We do.'])
  expect(parts('今日は晴れです。明日は雨です。')).toEqual(['今日は晴れです。', '明日は雨です。'])
})
