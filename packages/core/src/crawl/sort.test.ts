import { expect, test } from 'vitest'

import type { CrawlRequest } from '../schema/crawl.ts'
import { crawlMemory } from './memory.ts'
import { sortUrls, type SortTools } from './sort.ts'

const request = {
  url: 'https://a.test/',
  includePaths: [],
  excludePaths: [],
  sitemap: 'skip',
  allowExternalLinks: false,
  allowSubdomains: false,
  scrapeOptions: { parsers: [] },
} as unknown as CrawlRequest

test('an external link is judged again after the start redirects to its host', async () => {
  const rules = { know: async () => undefined, isKnown: () => true, allows: () => true, unreadOf: () => undefined }
  const memory = crawlMemory(request, rules)
  // Cast: a search for traps that finds none.
  const traps = { judge: () => undefined } as unknown as SortTools['traps']
  const sort = async () => {
    const groups = await sortUrls(
      ['https://b.test/page'],
      { by: 'link', page: memory.scope.start, depth: 0, isExternal: false },
      { memory, rules, traps, room: () => 10 },
    )
    return groups.flat()
  }
  expect(await sort()).toMatchObject([{ left: [['https://b.test/page', 'EXTERNAL_LINK', expect.any(String)]] }])
  expect(await sort()).toEqual([])
  memory.move('https://b.test/')
  expect(await sort()).toMatchObject([{ found: [['https://b.test/page', 'b.test', 1, 0]] }])
})

test('a long list is sorted in several turns of the event loop, gives several groups of notes, and stops where there is no room', async () => {
  const rules = { know: async () => undefined, isKnown: () => true, allows: () => true, unreadOf: () => undefined }
  const memory = crawlMemory(request, rules)
  const traps = { judge: () => undefined } as unknown as SortTools['traps']
  const urls = Array.from({ length: 30_000 }, (_, number) => `https://a.test/${number % 20_000}`)
  let [turns, isDone] = [0, false]
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const groups = await sortUrls(urls, { by: 'sitemap' }, { memory, rules, traps, room: () => 15_000 })
  isDone = true
  const sizes = (name: 'found' | 'left'): number[] =>
    groups
      .flat()
      .flatMap((note) => ((note as Partial<Record<typeof name, readonly unknown[]>>)[name] ?? []).length || [])
  expect(turns).toBeGreaterThan(10)
  expect(Math.max(...sizes('found'))).toBeLessThanOrEqual(2_000)
  expect(sizes('found').reduce((sum, size) => sum + size)).toBe(15_000)
  expect(sizes('left').reduce((sum, size) => sum + size)).toBe(5_000)
})
