import { expect, test } from 'vitest'

import { fingerprint } from '@harvestman/html/internal'
import type { Strategy, RunContext, JobTask } from '../jobs/run/strategy.ts'
import type { Fact, JobData, Opening } from '../jobs/log/facts.ts'
import { freeHold } from '../credits/hold.ts'
import type { Scraped } from '../scrape/scraped.ts'
import { openStrategy } from './strategy.ts'
import type { CrawlKit } from './explore.ts'

const host = 'a.test'
const request = {
  url: `https://${host}/`,
  limit: 1_000,
  sitemap: 'skip',
  ignoreRobotsTxt: true,
  crawlEntireDomain: true,
  allowSubdomains: false,
  allowExternalLinks: false,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  regexOnFullURL: false,
  includePaths: [],
  excludePaths: [],
  scrapeOptions: { formats: [{ type: 'markdown' }], parsers: [] },
}
const opening: Opening = { id: 'id', kind: 'crawl', team: 'acme', request, createdAt: 0, expiresAt: 1, salt: 'salt' }

/** What the page with this number says, and where its two links lead. */
interface Site {
  readonly text: string
  readonly path: (number: number) => string
}

/** Every room has new doors. */
const house: Site = {
  text: 'Welcome to our house of many doors, where each visitor is given a key, and all keys open the same room.',
  path: (number) => `/room/${number}`,
}

/** Six switches of three states each, and too few words to compare pages by. */
const shop: Site = {
  text: 'A shop.',
  path: (number) =>
    `/shop?${Array.from({ length: 6 }, (_, at) => `s${at}=${Math.floor(number / 3 ** at) % 3}`).join('&')}`,
}

/** A crawl of a site without end. Its log is given, and grows. */
function enter({ text, path }: Site, log: Fact[]) {
  let loaded = 0
  const write = (strategy: Strategy, facts: readonly Fact[]): void => {
    for (const fact of facts) {
      log.push(JSON.parse(JSON.stringify(fact)) as Fact)
      strategy.fold(fact)
    }
  }
  const noted = (notes: readonly JobData[] = []): Fact[] => notes.map((note) => ({ is: 'noted', at: 0, note }))
  const context = {
    offer: () => undefined,
    id: 'job',
    slowDown: () => undefined,
    scratch: () => ({ write: async () => undefined, read: async () => '' }),
    warn: () => undefined,
    signal: new AbortController().signal,
  } as unknown as RunContext
  const scrape = (url: string): Scraped => {
    loaded += 1
    const next = log.filter(({ is }) => is === 'page').length * 2
    const links = [next + 1, next + 2].map((number) => `https://${host}${path(number)}`)
    const values = { 'page.allLinks': links, 'page.fingerprint': fingerprint(text) }
    const document = { markdown: text, metadata: { creditsUsed: 1 } }
    return { document, visit: { page: { url, status: 200 } }, values } as unknown as Scraped
  }
  const strategy = openStrategy(opening, context, {} as CrawlKit)
  for (const fact of [...log]) strategy.fold(fact)

  const visitNext = async (task: JobTask): Promise<void> => {
    const { number, url } = task
    const page = strategy.prepare(task)
    if ('work' in page) throw new Error('A crawl loads pages.')
    const { document, notes } =
      'outcome' in page ? page.outcome : await strategy.receive(task, scrape(page.request.url), freeHold)
    const done: Fact = document
      ? { is: 'page', at: 0, task: number, id: '', url, credits: 1, bytes: 0 }
      : { is: 'dropped', at: 0, task: number }
    write(strategy, [done, ...noted(notes)])
  }
  return {
    /** Goes on for so many visits, and tells how many pages were loaded. */
    visits: async (most: number): Promise<number> => {
      await strategy.explore(async (notes) => write(strategy, noted(notes)))
      for (let visit = 0; visit < most; visit += 1) {
        const task = strategy.take(host)
        if (!task) break
        await visitNext(task)
      }
      return loaded
    },
  }
}

test.each([
  ['rooms with the same words', house, 20, 40],
  ['a shop of combined filters', shop, 200, 300],
])(
  'what a crawl has learnt of %s follows from its log, so one that goes on elsewhere learns nothing twice',
  async (_, site, least, most) => {
    const whole = await enter(site, []).visits(700)
    expect(whole).toBeGreaterThan(least)
    expect(whole).toBeLessThan(most)
    const log: Fact[] = []
    let inParts = 0
    for (let part = 0; part < 120; part += 1) inParts += await enter(site, log).visits(6)
    expect(inParts).toBe(whole)
  },
)
