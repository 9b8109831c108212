// @module-tag long
import { EngineError, memoryStore, type Crawl, type Engine } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { answer, trapParts, until, type Site, type Visit } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { crawlOf, openEngine, openSite, outcomeOf } from './bench.ts'

const createdIn = new Date().getUTCFullYear()

async function crawlPart(path: string) {
  const site = await openSite()
  return { site, ...(await crawlOf({ url: site.url + path, limit: 2_000 })) }
}

const outcomes = new Map<string, ReturnType<typeof crawlPart>>()

/** What came of a crawl of one part of a site; it is crawled once for all that is said of it. */
function crawled(path: string): ReturnType<typeof crawlPart> {
  const known = outcomes.get(path) ?? crawlPart(path)
  outcomes.set(path, known)
  return known
}

describe('a site without end', () => {
  for (const part of trapParts)
    test(
      `at ${part.path} is left soon, reported as ${part.kind}, and its honest pages are visited`,
      longIf(part.kind === 'query_combinations'),
      async () => {
        const { site, status, urls, errors, explained } = await crawled(part.path)
        expect(status).toMatchObject({ status: 'completed', failed: 0, cancelled: 0 })
        for (const number of [1, 2, 3]) expect(urls).toContain(`${site.url}${part.path}honest/${number}`)
        // A calendar may be followed from the year of the site to two years from now.
        const most = part.kind === 'calendar' ? Math.max(part.most, (createdIn + 3 - 2026) * 12) : part.most
        expect(urls.length).toBeLessThanOrEqual(most + 5)
        const traps = errors.errors.filter(({ code }) => code === 'trap')
        expect(traps.map(({ error }) => error).join('\n')).toContain(`(${part.kind})`)
        expect(status.message).toContain('no end')
        expect(explained).toContainEqual(expect.objectContaining({ outcome: 'left', reason: 'TRAP' }))
      },
    )

  test('stands in the errors once for each shape, not once for each address', { tags: ['long'] }, async () => {
    const { errors, explained } = await crawled('/traps/facets/')
    expect(explained.filter(({ reason }) => reason === 'TRAP').length).toBeGreaterThan(20)
    expect(errors.errors.filter(({ code }) => code === 'trap')).toHaveLength(1)
  })

  test('never brings more pages than the limit', async () => {
    const site = await openSite()
    const { status } = await crawlOf({ url: `${site.url}/traps/facets/`, limit: 37 })
    expect(status).toMatchObject({ completed: 37, total: 37 })
  })

  test('is told from pages that are missing: the same words with status 404 close nothing', async () => {
    const pages = Array.from({ length: 60 }, (_, number) => `<a href="/shop/${number}">${number}</a>`)
    const missing = `<p>${'This page is not here any more, and we are very sorry for it; look at our other pages instead of it. '.repeat(2)}</p>`
    const answerWith = (status: number, body: string) => (visit: Visit) => answer(visit, 'text/html', body, { status })
    const site = await openSite({
      routes: [
        { path: '/shop/', about: 'a list', handle: answerWith(200, pages.join('')) },
        { path: '/shop/:number', about: 'gone', handle: answerWith(404, missing) },
      ],
    })
    const { urls, errors } = await crawlOf({ url: `${site.url}/shop/` })
    expect(urls).toHaveLength(61)
    expect(errors.errors).toEqual([])
  })
})

test(
  'a crawl that crashes again and again in a trap learns of it once, and asks for few more pages than another',
  { tags: ['long'] },
  async () => {
    const path = '/traps/session/'
    const crashes = 6
    const atOnce = 2
    const [calm, site] = [await openSite(), await openSite()]
    const request = { sitemap: 'skip', limit: 500, maxConcurrency: atOnce } as const
    await crawlOf({ ...request, url: calm.url + path })
    const store: Store = { ...memoryStore(), reach: 'shared' }
    const { id } = await crashing(store, (engine) => engine.crawl({ ...request, url: site.url + path }), site)
    for (let crash = 2; crash <= crashes; crash += 1) await crashing(store, (engine) => engine.jobs.findCrawl(id), site)
    const { status, errors } = await outcomeOf(await openEngine({ store, limits: { leaseTime } }).jobs.findCrawl(id))
    expect(status).toMatchObject({ status: 'completed', failed: 0 })
    expect(errors.errors.filter(({ code }) => code === 'trap')).toHaveLength(1)
    // Each crash loses the pages that were under way, and those that were about to be written.
    expect(site.hits()).toBeLessThanOrEqual(calm.hits() + crashes * atOnce * 2)
  },
)

const leaseTime = 100

/** Has an engine work on a crawl until the site was asked for eight more pages; then nothing it does is kept any more. */
async function crashing(store: Store, begin: (engine: Engine) => Promise<Crawl>, site: Site): Promise<Crawl> {
  let isDead = false
  const gone = new EngineError('closed', 'The process is gone.')
  const ask = <T>(work: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(gone) : work())
  const mortal: Store = {
    ...store,
    get: (key) => ask(() => store.get(key)),
    getMany: (keys) => ask(() => Promise.all(keys.map((key) => store.get(key)))),
    set: (...given) => ask(() => store.set(...given)),
    update: (...given) => ask(() => store.update(...given)),
    delete: (key) => ask(() => store.delete(key)),
  }
  const engine = openEngine({ store: mortal, limits: { leaseTime } })
  const before = site.hits()
  const crawl = await begin(engine)
  let isOver = false
  const over = crawl.end().then(
    () => (isOver = true),
    () => undefined,
  )
  await until('a crash', () => isOver || site.hits() >= before + 8)
  isDead = true
  await engine.close()
  await over
  return crawl
}
