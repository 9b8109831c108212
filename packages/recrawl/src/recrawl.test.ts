import { createEngine, memoryStore } from '@harvestman/core'
import { livingDay, livingSite, movedClock, type LivingSiteOptions } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { recrawl, revisitOf, type Revisit } from './recrawl.ts'

interface Found {
  readonly markdown?: string
  readonly metadata: { readonly sourceURL: string; readonly scrapeId: string; readonly creditsUsed: number }
}

/** A site that lives, and an engine that has crawled it. */
function bench(options: Partial<LivingSiteOptions> = {}, revisitWithin?: number) {
  const clock = movedClock()
  const site = livingSite({ clock, pages: 40, days: 20, gone: 0, moved: 0, trouble: 0, seed: 5, ...options })
  const resolver = async () => [{ address: '93.184.215.14', family: 4 as const }]
  const engine = createEngine({
    ...{ clock, store: memoryStore({ clock }), resolver, fetcher: () => site.fetcher },
    ...{ plugins: [recrawl()], keep: { pages: 30 * livingDay } },
    limits: { hostConcurrency: 20 },
  })
  /** Crawls the site, and says of each page by its path what it was found to be. */
  const crawl = async (since?: string) => {
    const before = { ...site.served }
    const at = clock.now()
    const job = await engine.crawl({
      url: 'http://living.test/',
      excludePaths: ['^/page/0$'],
      ignoreQueryParameters: true,
      ...(since !== undefined && { since }),
      ...(revisitWithin !== undefined && {
        scrapeOptions: { formats: ['markdown', { type: 'revisit', revisitWithin }] },
      }),
    })
    await job.end()
    const pages = new Map<string, { readonly revisit?: Revisit | undefined; readonly document: Found }>()
    for await (const document of job.documents()) {
      pages.set(new URL(document.metadata.sourceURL).pathname, { revisit: revisitOf(document), document })
    }
    const notModified = site.served.notModified - before.notModified
    const requests = site.served.requests - before.requests
    return { id: job.id, at, pages, notModified, requests, bytes: site.served.bytes - before.bytes }
  }
  /** The paths of pages of which the plan says that they differ at two times. */
  const changed = (from: number, to: number) =>
    site.paths.filter((path) => {
      const [before, after] = [site.stateOf(path, from), site.stateOf(path, to)]
      return before?.text !== after?.text || before?.price !== after?.price
    })
  return { clock, site, engine, crawl, changed }
}

type Crawled = Awaited<ReturnType<ReturnType<typeof bench>['crawl']>>

function those({ pages }: Crawled, status: string): string[] {
  return [...pages].filter(([, { revisit }]) => revisit?.status === status).map(([path]) => path)
}

describe('A crawl with since', () => {
  test('tells each change of an honest site once, and costs only what has changed', async () => {
    const { clock, crawl, changed } = bench({ honesty: 'honest', changes: 4 })
    let last = await crawl()
    const sizes: number[] = [last.bytes]
    for (let day = 1; day <= 4; day += 1) {
      clock.moveOn(livingDay)
      const next = await crawl(last.id)
      expect(those(next, 'changed').toSorted()).toEqual(changed(last.at, next.at).toSorted())
      expect(those(next, 'same')).toHaveLength(40 - those(next, 'changed').length)
      sizes.push(next.bytes)
      last = next
    }
    expect(last.notModified).toBeGreaterThan(12)
    expect(sizes.at(-1)).toBeLessThan(sizes[0]! * 0.7)
    const credits = [...last.pages.values()].reduce((sum, page) => sum + page.document.metadata.creditsUsed, 0)
    const loaded = [...last.pages.values()].filter(({ revisit }) => revisit?.visit === 'loaded')
    expect(credits).toBe(loaded.length)
  })

  test(
    'gives pages that have not changed with all that was asked for, and the scrape that they are equal to',
    { tags: ['long'] },
    async () => {
      const { clock, crawl } = bench({ honesty: 'honest', changes: 0, noise: false })
      const first = await crawl()
      let last = first
      for (let day = 1; day <= 3; day += 1) {
        clock.moveOn(livingDay)
        last = await crawl(first.id)
      }
      const unloaded = [...last.pages].filter(([, { revisit }]) => revisit?.visit === 'not modified')
      expect(unloaded.length).toBeGreaterThan(5)
      for (const [path, { document, revisit }] of unloaded) {
        const before = first.pages.get(path)!.document
        expect(document.markdown).toBe(before.markdown)
        expect(revisit?.previous?.scrapeId).toBe(before.metadata.scrapeId)
      }
    },
  )

  for (const honesty of ['same etag for ever', 'new etag each time', 'modified now', 'says nothing'] as const)
    test(`tells all changes of a site whose headers are like this: ${honesty}`, { tags: ['long'] }, async () => {
      const { clock, crawl, changed } = bench({ honesty, changes: 4 })
      const first = await crawl()
      const told = new Set<string>()
      let last = first
      for (let day = 1; day <= 4; day += 1) {
        clock.moveOn(livingDay)
        const next = await crawl(last.id)
        for (const path of those(next, 'changed')) told.add(path)
        expect(those(next, 'new')).toEqual([])
        last = next
      }
      expect([...told].toSorted()).toEqual(changed(first.at, last.at).toSorted())
      if (honesty === 'same etag for ever') expect(last.notModified).toBe(0)
    })

  test('does not ask for pages that an honest sitemap does not list as changed', { tags: ['long'] }, async () => {
    const { clock, crawl, changed } = bench({ honesty: 'says nothing', listing: 'honest', changes: 4 })
    let last = await crawl()
    for (let day = 1; day <= 4; day += 1) {
      clock.moveOn(livingDay)
      const next = await crawl(last.id)
      expect(those(next, 'changed').toSorted()).toEqual(changed(last.at, next.at).toSorted())
      last = next
    }
    expect(last.requests).toBeLessThan(30)
    expect([...last.pages.values()].map(({ revisit }) => revisit?.visit)).toContain('not listed as changed')
  })

  test('does not load pages that an honest feed does not list as changed', { tags: ['long'] }, async () => {
    const { clock, crawl } = bench({ honesty: 'says nothing', feed: 'honest', changes: 6 }, 15 * livingDay)
    let last = await crawl()
    const visits = new Set<string | undefined>()
    for (let day = 1; day <= 8; day += 1) {
      clock.moveOn(livingDay)
      last = await crawl(last.id)
      for (const { revisit } of last.pages.values()) visits.add(revisit?.visit)
    }
    expect(visits).toContain('not listed as changed')
  })

  test('does not go by a feed that has lied', { tags: ['long'] }, async () => {
    const { clock, crawl, changed } = bench({ honesty: 'says nothing', feed: 'stale', changes: 4 })
    const first = await crawl()
    const told = new Set<string>()
    let last = first
    for (let day = 1; day <= 4; day += 1) {
      clock.moveOn(livingDay)
      last = await crawl(last.id)
      for (const path of those(last, 'changed')) told.add(path)
    }
    expect([...told].toSorted()).toEqual(changed(first.at, last.at).toSorted())
    expect([...last.pages.values()].every(({ revisit }) => revisit?.visit === 'loaded')).toBe(true)
  })

  test('does not go by a sitemap that has lied', { tags: ['long'] }, async () => {
    const { clock, crawl, changed } = bench({ honesty: 'says nothing', listing: 'stale', changes: 4 })
    const first = await crawl()
    const told = new Set<string>()
    let last = first
    for (let day = 1; day <= 4; day += 1) {
      clock.moveOn(livingDay)
      last = await crawl(last.id)
      for (const path of those(last, 'changed')) told.add(path)
    }
    expect([...told].toSorted()).toEqual(changed(first.at, last.at).toSorted())
    expect([...last.pages.values()].every(({ revisit }) => revisit?.visit === 'loaded')).toBe(true)
  })

  test('names pages that are gone, also those that nothing leads to any more', async () => {
    const { clock, site, crawl } = bench({ honesty: 'honest', gone: 0.3, changes: 0 })
    const first = await crawl()
    clock.moveOn(20 * livingDay)
    const gone = site.paths.filter((path) => site.stateOf(path, clock.now())!.isGone)
    const second = await crawl(first.id)
    expect(gone.length).toBeGreaterThan(3)
    expect(those(second, 'removed').toSorted()).toEqual(gone.filter((path) => first.pages.has(path)).toSorted())
  })

  test('compares with how pages were at a time, whichever crawls there were since', { tags: ['long'] }, async () => {
    const { clock, crawl, changed } = bench({ honesty: 'honest', changes: 4 })
    const first = await crawl()
    const time = new Date(clock.now() + 1).toISOString()
    for (let day = 1; day <= 3; day += 1) {
      clock.moveOn(livingDay)
      await crawl()
    }
    clock.moveOn(livingDay)
    const last = await crawl(time)
    expect(those(last, 'changed').toSorted()).toEqual(changed(first.at, last.at).toSorted())
  })

  test(
    'loads pages of a host that lies as often as they change, and tells each change in time',
    { tags: ['long'] },
    async () => {
      const options = { honesty: 'same etag for ever', changes: 1.5, noise: true } as const
      const { clock, crawl, changed } = bench(options, 8 * livingDay)
      const first = await crawl()
      const told = new Set<string>()
      let [last, loaded] = [first, 0]
      for (let day = 1; day <= 19; day += 1) {
        clock.moveOn(livingDay)
        last = await crawl(last.id)
        for (const path of those(last, 'changed')) told.add(path)
        loaded += [...last.pages.values()].filter(({ revisit }) => revisit?.visit === 'loaded').length
      }
      const settled = clock.now()
      for (let day = 1; day <= 10; day += 1) {
        clock.moveOn(livingDay)
        last = await crawl(last.id)
        for (const path of those(last, 'changed')) told.add(path)
      }
      expect(changed(first.at, settled).filter((path) => !told.has(path))).toEqual([])
      expect(loaded / (19 * 40)).toBeLessThan(0.45)
      const kept = [...last.pages.values()].filter(({ revisit }) => revisit?.visit === 'not due')
      expect(kept.length).toBeGreaterThan(0)
      expect(kept.every(({ document }) => document.metadata.creditsUsed === 0)).toBe(true)
    },
  )

  test('finds all pages new since a job that has not seen them', async () => {
    const { crawl } = bench()
    await crawl()
    expect(those(await crawl('no such job'), 'new')).toHaveLength(40)
  })

  test('is refused where nothing may be kept, and where the engine has no plugin for it', async () => {
    const { engine } = bench()
    const request = { url: 'http://living.test/', since: '2026-01-01' }
    await expect(engine.crawl({ ...request, zeroDataRetention: true })).rejects.toThrow(/since.*zeroDataRetention/)
    const plain = createEngine()
    await expect(plain.crawl(request)).rejects.toThrow(/since.*recrawl\(\)/)
    await plain.close()
  })
})
