// Crawls with `since` over each store: what one engine remembers, the next one goes by, also when the first ends in a crawl.
import { createEngine } from '@harvestman/core'
import type { Clock, Fetcher, Store } from '@harvestman/ports'
import { recrawl, revisitOf, type Revisit } from '@harvestman/recrawl'
import { livingDay, livingSite, movedClock } from '@harvestman/testing'
import { expect, test } from 'vitest'

type OpenStore = (clock: Clock) => Store

const pages = 30

/** A site that lives, and engines on one store that crawl it, each for one crawl. */
function world(openStore: OpenStore) {
  const clock = movedClock()
  const site = livingSite({
    clock,
    pages,
    days: 20,
    gone: 0,
    moved: 0,
    trouble: 0,
    seed: 5,
    honesty: 'honest',
    changes: 4,
  })
  const openEngine = (fetcher: Fetcher = site.fetcher) => {
    const store = openStore(clock)
    const engine = createEngine({
      ...{ clock, store, fetcher: () => fetcher, plugins: [recrawl()] },
      resolver: async () => [{ address: '93.184.215.14', family: 4 as const }],
      limits: { leaseTime: 1_000, hostConcurrency: 20 },
    })
    return { engine, close: async () => (await engine.close(), store.close()) }
  }
  const request = { url: 'http://living.test/', excludePaths: ['^/page/0$'], ignoreQueryParameters: true }
  type Job = Awaited<ReturnType<ReturnType<typeof openEngine>['engine']['crawl']>>
  const read = async (job: Job) => {
    await job.end()
    const found: (readonly [path: string, revisit: Revisit | undefined])[] = []
    for await (const document of job.documents())
      found.push([new URL(document.metadata.sourceURL).pathname, revisitOf(document)])
    return found
  }
  const crawl = async (since?: string) => {
    const { engine, close } = openEngine()
    const at = clock.now()
    const job = await engine.crawl({ ...request, ...(since !== undefined && { since }) })
    const found = await read(job)
    await close()
    return { id: job.id, at, found }
  }
  const changed = (from: number, to: number) =>
    site.paths.filter((path) => {
      const [before, after] = [site.stateOf(path, from), site.stateOf(path, to)]
      return before?.text !== after?.text || before?.price !== after?.price
    })
  return { clock, site, openEngine, request, read, crawl, changed }
}

function those(found: readonly (readonly [string, Revisit | undefined])[], status: string): string[] {
  return found.flatMap(([path, revisit]) => (revisit?.status === status ? [path] : [])).toSorted()
}

/** Tests crawls with `since` on a store. Each call of `openStore` opens the same one again. */
export function testSince(openStore: OpenStore): void {
  const { clock, site, openEngine, request, read, crawl, changed } = world(openStore)
  let last: Awaited<ReturnType<typeof crawl>>

  test('engines one after the other tell each change once, and ask an honest host before they load', async () => {
    last = await crawl()
    expect(last.found).toHaveLength(pages)
    for (let day = 1; day <= 3; day += 1) {
      clock.moveOn(livingDay)
      const before = site.served.notModified
      const next = await crawl(last.id)
      expect(those(next.found, 'changed')).toEqual(changed(last.at, next.at).toSorted())
      expect(those(next.found, 'same')).toHaveLength(pages - those(next.found, 'changed').length)
      if (day === 3) expect(site.served.notModified - before).toBeGreaterThan(5)
      last = next
    }
  })

  test('an engine that ends in a crawl leaves it to the next, which tells each page once', async () => {
    clock.moveOn(livingDay)
    const at = clock.now()
    const halfway = Promise.withResolvers<void>()
    let asked = 0
    const counted: Fetcher = {
      exchange: (given, signal) => {
        if ((asked += 1) === 12) halfway.resolve()
        return site.fetcher.exchange(given, signal)
      },
      close: async () => undefined,
    }
    const first = openEngine(counted)
    const { id } = await first.engine.crawl({ ...request, since: last.id, maxConcurrency: 2 })
    await halfway.promise
    await first.close()
    const second = openEngine()
    const job = await second.engine.jobs.find(id)
    const found = await read(job as Parameters<typeof read>[0])
    await second.close()
    expect(found.map(([path]) => path).toSorted()).toEqual(last.found.map(([path]) => path).toSorted())
    expect(those(found, 'changed')).toEqual(changed(last.at, at).toSorted())
  })
}
