import assert from 'node:assert/strict'

import type { Search, SearchHit, SearchQuery } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { reasonOf } from './until.ts'

/** Creates a search over these pages, all of which contain the word `spider`; at `silence` it never responds. */
export type MakeSearch = (given: { readonly pages: readonly SearchHit[] | 'silence' }) => Search | Promise<Search>

const words = 'spider'
const pages: readonly SearchHit[] = [
  { url: 'https://a.example/one', title: 'The spider', description: 'A spider has eight legs.' },
  { url: 'https://b.example/two?x=1&y=2', title: 'Spider “webs” & <more>', description: 'How a spider spins. Ü 蜘蛛' },
  { url: 'https://c.example/three', title: 'A third spider', description: 'One more spider.' },
]

/**
 * Returns a query with defaults for everything that is not given: team `a` searches the web for `spider`, 10 hits, without
 * filters.
 */
export function queryFor(query: Partial<SearchQuery> = {}): SearchQuery {
  return {
    team: 'a',
    words,
    source: 'web',
    limit: 10,
    language: 'en',
    newestFirst: false,
    includeDomains: [],
    excludeDomains: [],
    categories: [],
    ...query,
  }
}

function rule(
  name: string,
  hits: readonly SearchHit[] | 'silence',
  check: (search: Search) => Promise<void>,
): Contract<MakeSearch>[number] {
  return { name, run: async (make) => check(await make({ pages: hits })) }
}

const never = () => new AbortController().signal
const reason = new Error('no more')

// Queries that people type, and strings that only look like operators.
const oddWords = [
  '"spider',
  'spider*',
  'spider AND',
  '(spider',
  "spider' OR 1=1 --",
  'spi:der',
  '-',
  '😀',
  '\0',
  ' spider ',
]

/** The contract of the `Search` port. */
export const searchContract: Contract<MakeSearch> = [
  rule('every page that fits is given, with its address and its title', pages, async (search) => {
    const hits = await search.find(queryFor(), never())
    const found = hits
      .map(({ url, title }) => ({ url, title }))
      .toSorted((one, other) => (one.url < other.url ? -1 : 1))
    assert.deepEqual(
      found,
      pages.map(({ url, title }) => ({ url, title })),
    )
  }),
  rule('nothing that fits is an empty list', [], async (search) => {
    assert.deepEqual(await search.find(queryFor(), never()), [])
  }),
  rule('what it says it can look for is among the sources of the port', [], async ({ sources, name, follows }) => {
    assert.ok(name.length > 0)
    assert.ok(sources.length > 0)
    for (const source of sources) assert.ok(['web', 'news', 'images'].includes(source))
    assert.ok(Array.isArray(follows))
  }),
  ...oddWords.map((odd) =>
    rule(`the words ${JSON.stringify(odd)} are words, and no fault`, pages, async (search) => {
      assert.ok(Array.isArray(await search.find(queryFor({ words: odd }), never())))
    }),
  ),
  rule('several queries at the same time do not disturb one another', pages, async (search) => {
    const all = await Promise.all(Array.from({ length: 5 }, () => search.find(queryFor(), never())))
    for (const hits of all) assert.equal(hits.length, pages.length)
  }),
  rule('an aborted signal rejects with its reason', pages, async (search) => {
    assert.equal(await reasonOf(search.find(queryFor(), AbortSignal.abort(reason))), reason)
  }),
  rule(
    'a search that is silent rejects with the reason of the signal as soon as it is aborted',
    'silence',
    async (search) => {
      const stop = new AbortController()
      const finding = reasonOf(search.find(queryFor(), stop.signal))
      setTimeout(() => stop.abort(reason), 20)
      assert.equal(await finding, reason)
    },
  ),
]
