import { expect, test } from 'vitest'

import { nameReader } from './names.ts'

test('names are read whether they are known or not, and whatever stands around them', () => {
  const read = nameReader('a href h1 class')
  const words = ['a', 'b', 'href', 'HREF', 'hrefs', 'hre', 'h1', 'h2', 'class', 'über', 'x'.repeat(100), '']
  for (const word of words) expect(read(`<${word} href`, 1, 1 + word.length)).toBe(word.toLowerCase())
})

test('a name that shares its place with another is read all the same', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `n${index}`)
  const read = nameReader(many.join(' '))
  for (const name of many) expect(read(name, 0, name.length)).toBe(name)
})
