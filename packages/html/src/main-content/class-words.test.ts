import { expect, test } from 'vitest'
import { makeNameReader } from './class-words.ts'
import { readLexicon } from './lexicon.ts'
import { familyNames } from './marks.ts'

const read = makeNameReader(readLexicon('sidebar -40 story 20', ''))

function families(name: string): string[] {
  const { low, high } = read(name)
  return familyNames.filter((_, i) => (i < 31 ? low & (1 << i) : high & (1 << (i - 31))) !== 0)
}

test.each([
  ['main-nav', ['nav', 'main']],
  ['SidebarWidget', ['sidebar', 'widget']],
  ['leftsidebar', ['sidebar']],
  ['entry-content', ['content']],
  ['js-cookieConsent__banner', ['header', 'cookie']],
  ['address', []],
  ['x9 __ --', []],
])('the name %s belongs to %j', (name, expected) => {
  expect(families(name)).toEqual(expected)
})

test('what the lexicon says of the words of a name adds up', () => {
  expect(read('sidebar story')).toMatchObject({ known: true, score: -1 })
  expect(read('unheard-of')).toMatchObject({ known: false, score: 0 })
})

test('a name of any length is read in bounded time', () => {
  expect(read('a-'.repeat(1_000_000)).known).toBe(false)
})
