import { expect, test } from 'vitest'

import type { CrawlRequest } from '../schema/crawl.ts'
import type { Scraped } from '../scrape/scraped.ts'
import { crawlMemory, type CrawlMemory } from './memory.ts'
import { allLinks } from './readings.ts'
import { receivePage, type VisitTools } from './visit.ts'

const request = {
  url: 'https://a.test/',
  includePaths: [],
  excludePaths: [],
  sitemap: 'skip',
  allowExternalLinks: false,
  allowSubdomains: false,
  scrapeOptions: { parsers: [] },
} as unknown as CrawlRequest
const rules = {
  know: async () => undefined,
  isKnown: () => true,
  allows: ({ pathname }: URL) => !pathname.startsWith('/private'),
  unreadOf: () => undefined,
}
const start = { number: 0, url: 'https://a.test/', host: 'a.test', depth: 0, isExternal: false }

/** Receives the start of a crawl, which has very many links, after it was redirected to `landing`. */
async function receiveStart(landing: string, memory: CrawlMemory = crawlMemory(request, rules)) {
  // Cast: what `receivePage` uses, and a search for traps that finds none.
  const tools = {
    request,
    memory,
    rules,
    traps: { judge: () => undefined },
    room: () => 100_000,
  } as unknown as VisitTools
  const links = Array.from(
    { length: 10_000 },
    (_, number) => `${landing}${number % 2 ? 'public' : 'private'}/${number}`,
  )
  const page = { url: landing, status: 200, headers: {} }
  const scraped = {
    document: { metadata: {} },
    visit: { page },
    values: { [allLinks.field]: links },
  } as unknown as Scraped
  return receivePage(start, scraped, tools)
}

const kindOf = (note: unknown): string | undefined => Object.keys(note as object)[0]

test('the links of a long page are stored before it in groups, each with the reasons for its skipped URLs', async () => {
  const { earlierNotes, notes } = await receiveStart('https://a.test/')
  const groups = earlierNotes!.map((group) => group.map(kindOf))
  expect(groups).toEqual(Array.from({ length: 5 }, () => ['found', 'left', 'blocked']))
  expect(notes?.map(kindOf)).not.toContain('found')
})

test('a long page is known as a whole when it is received again after the notes before it', async () => {
  const { earlierNotes } = await receiveStart('https://a.test/')
  const memory = crawlMemory(request, rules)
  for (const note of earlierNotes!.flat()) memory.fold({ is: 'noted', at: 0, note })
  expect(await receiveStart('https://a.test/', memory)).toMatchObject({ document: {}, earlierNotes: [] })
})

// Otherwise, an engine that ends in between would leave links under the old scope, or a target that seems to be of another page.
test('the links of a long page that was redirected are stored with it', async () => {
  const { earlierNotes, notes } = await receiveStart('https://b.test/')
  expect(earlierNotes).toEqual([])
  expect(notes?.slice(0, 2)).toEqual([{ moved: 'https://b.test/' }, { landed: 'https://b.test/' }])
  expect(notes?.map(kindOf).filter((kind) => kind === 'found')).toHaveLength(5)
})
