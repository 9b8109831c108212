import { expect, test } from 'vitest'
import { parseHtml } from '../parse/parse.ts'
import { blockText } from './block-table.ts'
import { cutBlocks } from './blocks.ts'
import { makeNameReader } from './class-words.ts'
import { emptyLexicon } from './lexicon.ts'
import { removePullQuotes } from './pull-quotes.ts'
import { makeLookup } from './text-scan.ts'

const paragraph =
  'Residents say: “The delay costs us more than a day of work, and nobody answers.” Work starts in autumn.'

/** Returns the texts that stay when all blocks of a page are included. */
function textsThatStay(body: string): string[] {
  const { root } = parseHtml(`<body>${body}`)
  const blocks = cutBlocks(root, makeLookup(new Set(), new Map()), makeNameReader(emptyLexicon))
  const included = new Uint8Array(blocks.count).fill(1)
  removePullQuotes(blocks, included)
  return Array.from(included.keys())
    .filter((i) => included[i] === 1)
    .map((i) => blockText(blocks, i))
}

test('an aside that repeats a part of a paragraph is removed', () => {
  const quote = '<aside>“The delay costs us more than a day of work”</aside>'
  expect(textsThatStay(`<p>${paragraph}</p>${quote}`)).toEqual([paragraph])
  expect(textsThatStay(`${quote}<p>Short.</p><p>${paragraph}</p>`)).toEqual(['Short.', paragraph])
})

test.each([
  'More than a day of work: the delay costs us',
  'The delay costs us more than a day of work, and many write letters',
  'Nobody answers. Work starts in winter, as every year since then',
])('an aside stays if no paragraph has its words in this order: %s', (words) => {
  expect(textsThatStay(`<p>${paragraph}</p><aside>${words}</aside>`)).toEqual([paragraph, words])
})

test('an aside stays if only two paragraphs together have its words', () => {
  const both = 'work starts in autumn on Monday and the harbour opens'
  const stay = [
    'The mayor says that work starts in autumn on Monday',
    'in autumn on Monday and the harbour opens',
    both,
  ]
  expect(textsThatStay(`<p>${stay[0]}</p><p>${stay[1]}</p><aside>${both}</aside>`)).toEqual(stay)
})
