import { expect, test } from 'vitest'
import { describe, readingOf } from './features.ts'
import { evidenceNames, evidenceWidth } from './evidence.ts'
import { emptyLexicon } from './lexicon.ts'
import { parseHtml } from '../parse/parse.ts'

const first = 'The mill stood still for ninety years before it turned again.'
const second = 'Nobody knew whether the old bearings of the wheel would hold.'

function evidenceIn(head: string, ...paragraphs: string[]): Record<string, number>[] {
  const { root } = parseHtml(`<head>${head}</head>${paragraphs.map((text) => `<p>${text}</p>`).join('')}`)
  const { evidence } = describe(root, 'https://site.test/a', readingOf(emptyLexicon))
  return paragraphs.map((_, i) =>
    Object.fromEntries(evidenceNames.map((name, k) => [name, evidence[i * evidenceWidth + k]!])),
  )
}

const data = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`

test('a block is found again in the body that the page declares, whatever its markup and spaces', () => {
  const body = data({ '@type': 'NewsArticle', articleBody: `<p>${first.replace(' years', '\n  years')}</p>` })
  expect(evidenceIn(body, first, second, 'short').map(({ inData }) => inData)).toEqual([1, 0, 0.5])
})

test('what sells and what is said of it are told apart', () => {
  const product = { '@type': 'Product', description: first, review: { '@type': 'Review', reviewBody: second } }
  expect(evidenceIn(data(product), first, second)).toEqual([
    { description: 0, inData: -1, inProduct: 1, inReview: 0 },
    { description: 0, inData: -1, inProduct: 0, inReview: 1 },
  ])
})

test('a block that begins like the description of the head is marked', () => {
  const head = `<meta name="description" content="${first} More of it.">`
  expect(evidenceIn(head, `${first} More of it, and more.`, second).map(({ description }) => description)).toEqual([
    1, 0,
  ])
})

test('a page that says nothing of itself gives no evidence', () => {
  expect(evidenceIn('', first)).toEqual([{ description: 0, inData: -1, inProduct: -1, inReview: -1 }])
})
