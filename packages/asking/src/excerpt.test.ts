import { expect, test } from 'vitest'

import { excerptOf, omittedMessage, wordsOfSchema } from './excerpt.ts'

const { signal } = new AbortController()

test('the words of a schema are the names and descriptions of its fields, at all levels', () => {
  const item = { type: 'object', properties: { unitPrice: { type: 'number', description: 'In euros.' } } }
  const schema = { type: 'object', properties: { shop_name: {}, items: { type: 'array', items: item } } }
  expect(wordsOfSchema(schema)).toBe('shop_name items unit Price In euros.')
})

test('the message about omitted parts names the first of them, and counts all', async () => {
  const text = Array.from({ length: 12 }, (_, index) => `## Part ${index}\n\n${'Something. '.repeat(60)}\n\n`).join('')
  const excerpt = await excerptOf(text, 300, 'part 7', signal)
  expect(excerpt.text).toContain('## Part 7')
  expect(omittedMessage(excerpt)).toMatch(
    /read \d+ of about \d+ tokens.*It did not read "Part 0" \(\d+ tokens\),.* more\./,
  )
})
