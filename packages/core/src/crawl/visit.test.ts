import { expect, test } from 'vitest'

import type { CrawlRequest } from '../schema/crawl.ts'
import type { Scraped } from '../scrape/scraped.ts'
import { crawlMemory, type CrawlMemory } from './memory.ts'
import { allLinks } from './readings.ts'
import { sortUrls } from './sort.ts'
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

/** Receives the start of a crawl, which redirects to another host and has very many links. */
async function receiveStart(memory: CrawlMemory) {
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
    (_, number) => `https://b.test/${number % 2 ? 'public' : 'private'}/${number}`,
  )
  const page = { url: 'https://b.test/', status: 200, headers: {} }
  const scraped = {
    document: { metadata: {} },
    visit: { page },
    values: { [allLinks.field]: links },
  } as unknown as Scraped
  return { tools, outcome: await receivePage(start, scraped, tools) }
}

test('the links of a long page are stored before it in groups, each with the reasons for its skipped URLs', async () => {
  const { outcome } = await receiveStart(crawlMemory(request, rules))
  const kinds = outcome.earlierNotes!.map((group) => group.map((note) => Object.keys(note as object)[0]))
  expect(kinds).toEqual([['moved'], ...Array.from({ length: 5 }, () => ['found', 'left', 'blocked'])])
  expect(outcome.notes).toContainEqual({ landed: 'https://b.test/' })
})

test('an engine that continues after the notes before a page knows that the start was redirected', async () => {
  const { tools, outcome } = await receiveStart(crawlMemory(request, rules))
  const memory = crawlMemory(request, rules)
  for (const note of outcome.earlierNotes!.flat()) memory.fold({ is: 'noted', at: 0, note })
  const from = { by: 'link', page: 'https://b.test/public/1', depth: 1, isExternal: false } as const
  const [sorted] = await sortUrls(['https://b.test/new'], from, { ...tools, memory })
  expect(sorted).toMatchObject([{ found: [['https://b.test/new', 'b.test', 2, 0]] }])
  // The page is processed again.
  const again = await receiveStart(memory)
  expect(again.outcome).toMatchObject({ document: {}, earlierNotes: [] })
  expect(again.outcome.notes).toContainEqual({ landed: 'https://b.test/' })
})
