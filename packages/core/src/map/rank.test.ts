import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { judgeRanker, summarise } from '../../../../test/bench/map/ranking-quality.ts'
import { rankedSites } from '../../../../test/bench/map/ranking-sites.ts'
import { rankLinks, relevance } from './rank.ts'
import { differsByTypos } from './typos.ts'

const signal = new AbortController().signal
const host = 'https://a.example'
const links = (...paths: string[]) => paths.map((path) => ({ url: host + path }))
const order = async (search: string, ...paths: string[]): Promise<string[]> =>
  (await rankLinks(search, links(...paths), signal)).map(({ url }) => url.slice(host.length))

test('on the labelled sites the page that is meant is nearly always the first', async () => {
  const quality = summarise(await judgeRanker((search, all) => rankLinks(search, all, signal), rankedSites))
  expect(quality.queries).toBeGreaterThanOrEqual(200)
  expect(quality.mrr).toBeGreaterThan(0.95)
  expect(quality.ndcg).toBeGreaterThan(0.96)
})

describe('a page is found', () => {
  test.each([
    ['by another form of the word', 'installing', '/installation'],
    ['with a slip', 'instalaltion', '/installation'],
    ['without its marks', 'resilier', '/r%C3%A9silier'],
    ['written out', 'oeffnung', '/%C3%B6ffnung'],
    ['by a part of a word in one', 'anmeldung', '/gewerbeanmeldung'],
    ['by two words that it writes as one', 'wi fi', '/wifi'],
    ['by another word for the same', 'prices', '/tarifs'],
    ['in a language without blanks', '遅延証明', '/%E9%81%85%E5%BB%B6%E8%A8%BC%E6%98%8E%E6%9B%B8'],
    ['by its number', '4711', '/p/chair-4711'],
    ['by camel case', 'use router', '/api/useRouter'],
    ['by its subdomain', 'shop', '/'],
  ])('%s', async (name, search, path) => {
    const url = name === 'by its subdomain' ? 'https://shop.a.example/' : host + path
    const all = [...links('/one', '/two-three', '/p/4712'), { url }]
    expect((await rankLinks(search, all, signal))[0]?.url).toBe(url)
  })

  test('by what is said of it', async () => {
    const all = [
      ...links('/one', '/two'),
      { url: `${host}/x`, title: 'Garden chairs' },
      { url: `${host}/y`, description: 'Of tables' },
    ]
    expect((await rankLinks('chair', all, signal))[0]?.url).toBe(`${host}/x`)
    expect((await rankLinks('table', all, signal))[0]?.url).toBe(`${host}/y`)
  })
})

test('all words weigh more than one of them often, and small words weigh next to nothing', async () => {
  expect(await order('red garden chair', '/chair/chair/chair', '/garden/red-chair', '/red')).toEqual([
    '/garden/red-chair',
    '/chair/chair/chair',
    '/red',
  ])
  expect((await order('how to return the chair', '/how-to-the', '/return-chair'))[0]).toBe('/return-chair')
})

test('a word that all pages have says nothing', async () => {
  expect((await order('docs cache', '/docs/docs', '/docs/cache', '/docs/x'))[0]).toBe('/docs/cache')
})

test('what does not fit at all comes last, in the order it had', async () => {
  expect(await order('zebra', '/b', '/a', '/zebra', '/c')).toEqual(['/zebra', '/b', '/a', '/c'])
  expect(await order('?!', '/b', '/a')).toEqual(['/b', '/a'])
})

test('many links keep their order among equals, and none is lost', async () => {
  const many = Array.from({ length: 30_000 }, (_, at) => ({ url: `${host}/${at % 3 === 0 ? 'chair' : 'table'}/${at}` }))
  const ranked = await rankLinks('chair', many, signal)
  expect(ranked).toEqual([...many.filter((_, at) => at % 3 === 0), ...many.filter((_, at) => at % 3 !== 0)])
})

test('a caller that cancels is not kept', async () => {
  await expect(rankLinks('a', links('/a'), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('any words and any links are ordered without a failure', { tags: ['long'] }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.array(fc.webUrl({ withQueryParameters: true, withFragments: true })),
      async (search, urls) => {
        const all = urls.map((url) => ({ url, title: search }))
        const ranked = await rankLinks(search, all, signal)
        expect(ranked.map(({ url }) => url).sort()).toEqual(urls.toSorted())
        for (const link of all) expect(relevance(search, link)).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 200 },
  )
})

test.each([
  ['chair', 'chair', 0, true],
  ['chair', 'chiar', 1, true],
  ['chair', 'chai', 1, true],
  ['chair', 'chairs', 1, true],
  ['chair', 'choir', 1, true],
  ['chair', 'chore', 1, false],
  ['chair', 'chore', 2, false],
  ['chair', 'ch', 2, false],
  ['salesforce', 'salesfroec', 2, true],
])('from %s to %s in %i slips: %s', (one, other, most, expected) => {
  expect(differsByTypos(one, other, most)).toBe(expected)
})
