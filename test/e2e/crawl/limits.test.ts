import { answer, answerPage, type Route } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { crawlOf, openEngine, openSite } from './bench.ts'

const link = (path: string): string => `<a href="${path}">${path}</a> `
const words = (number: number): string => `This is number ${number}. `

/** A list of so many pages; every fifth fails, every seventh redirects to another host, every eleventh to one of the others. */
function hardList(count: number, other: () => string): Route[] {
  const numbers = Array.from({ length: count }, (_, number) => number)
  return [
    {
      path: '/hard/',
      about: 'a list',
      handle: (visit) => answerPage(visit, 'List', numbers.map((number) => link(`/hard/${number}`)).join('')),
    },
    {
      path: '/hard/:number',
      about: 'one of them',
      handle: (visit) => {
        const number = Number(visit.parts['number'])
        if (number % 5 === 4) return visit.response.destroy()
        const to = number % 7 === 6 ? `${other()}/hard/${number}` : number % 11 === 10 ? '/hard/1' : undefined
        if (to === undefined) return answerPage(visit, `Page ${number}`, words(number))
        return answer(visit, 'text/plain', '', { status: 302, headers: { location: to } })
      },
    },
  ]
}

describe('limit', () => {
  test('is met exactly, whatever it is, with sixteen pages to load in parallel', { tags: ['long'] }, async () => {
    const site = await openSite({ pages: 120 })
    const engine = openEngine({ limits: { concurrency: 64, teamConcurrency: 64 } })
    const request = { url: `${site.url}/crawl/`, maxConcurrency: 16 }
    for (let limit = 1; limit <= 50; limit += 1) {
      const before = site.hits('/crawl/') + pageHits(site.seen)
      const { status, urls } = await crawlOf({ ...request, limit }, engine)
      expect(status).toMatchObject({ status: 'completed', completed: limit, total: limit, failed: 0 })
      expect(new Set(urls).size).toBe(limit)
      expect(site.hits('/crawl/') + pageHits(site.seen) - before).toBe(limit)
    }
  })

  test('is met though pages fail and redirect away, for those give their places back', async () => {
    let other = ''
    const site = await openSite({ routes: hardList(90, () => other) })
    other = site.other
    const engine = openEngine()
    for (const limit of [1, 7, 20, 33]) {
      const { status, urls } = await crawlOf(
        { url: `${site.url}/hard/`, limit, maxConcurrency: 16, maxDiscoveryDepth: 1 },
        engine,
      )
      expect(status).toMatchObject({ status: 'completed', completed: limit })
      expect(status.total).toBe(status.completed + status.failed)
      expect(urls.every((url) => url.startsWith(site.url))).toBe(true)
      expect(new Set(urls).size).toBe(limit)
    }
  })

  test('says of the addresses that it cut off that it did', async () => {
    const site = await openSite({ pages: 30 })
    const { explained } = await crawlOf({ url: `${site.url}/crawl/`, limit: 5 })
    expect(explained.filter(({ outcome }) => outcome === 'visited')).toHaveLength(5)
    const cut = explained.filter(({ reason }) => reason === 'LIMIT')
    expect(cut.length).toBeGreaterThan(0)
    for (const { foundOn, depth } of cut)
      expect([foundOn?.startsWith(site.url), typeof depth]).toEqual([true, 'number'])
  })
})

describe('patterns', () => {
  const list: Route = {
    path: '/shop/',
    about: 'a thousand links',
    handle: (visit) =>
      answerPage(
        visit,
        'Shop',
        Array.from({ length: 1000 }, (_, number) =>
          link(`/shop/${number % 400 === 123 ? 'kept' : 'left'}/${number}`),
        ).join(''),
      ),
  }
  const item: Route = {
    path: '/shop/:kind/:number',
    about: 'a page',
    handle: (visit) => answerPage(visit, 'Item', words(Number(visit.parts['number']))),
  }

  test('are asked before the limit: of a thousand links the three that fit are visited', async () => {
    const site = await openSite({ routes: [list, item] })
    const { status, urls } = await crawlOf({ url: `${site.url}/shop/`, includePaths: ['/kept/'], limit: 3 })
    expect(urls).toEqual([123, 523, 923].map((number) => `${site.url}/shop/kept/${number}`))
    expect(site.hits('/shop/left/1')).toBe(0)
    expect(status.message).toContain('start was read for its links only')
    expect(status.message).toContain('includePaths')
  })

  test('are about the path, and about the whole address when that is asked for', async () => {
    const site = await openSite({ routes: [list, item] })
    const host = site.url.slice('http://'.length).replaceAll('.', '\\.')
    const request = { url: `${site.url}/shop/`, includePaths: [`${host}/shop/kept`] }
    expect((await crawlOf(request)).urls).toEqual([])
    expect((await crawlOf({ ...request, regexOnFullURL: true })).urls).toHaveLength(3)
  })

  test('that nothing fits end in a warning, and not in silence', async () => {
    const site = await openSite({ routes: [list, item] })
    const { status, urls, explained } = await crawlOf({ url: `${site.url}/shop/`, includePaths: ['/nowhere/'] })
    expect([urls, status.status]).toEqual([[], 'completed'])
    expect(status.message).toContain('The URL matches no pattern of `includePaths`')
    expect(explained.filter(({ reason }) => reason === 'INCLUDE_PATTERN')).toHaveLength(1000)
  })
})

describe('a page that fails', () => {
  test('is tried three times, stands in the errors, and the crawl ends with every number right', async () => {
    const routes: Route[] = [
      {
        path: '/part/',
        about: 'a list',
        handle: (visit) => answerPage(visit, 'List', link('/part/good') + link('/part/bad')),
      },
      { path: '/part/good', about: 'a good one', handle: (visit) => answerPage(visit, 'Good', words(1)) },
      { path: '/part/bad', about: 'one that breaks off', handle: (visit) => visit.response.destroy() },
    ]
    const site = await openSite({ routes })
    const { status, errors, explained } = await crawlOf({ url: `${site.url}/part/` })
    expect(status).toMatchObject({ status: 'completed', completed: 2, failed: 1, cancelled: 0, total: 3 })
    expect(errors.errors).toMatchObject([{ url: `${site.url}/part/bad`, code: 'connection_failed' }])
    // The fetcher asks once more by itself when a connection that was kept open turns out to be closed.
    expect([3, 4]).toContain(site.hits('/part/bad'))
    expect(explained).toContainEqual(
      expect.objectContaining({
        url: `${site.url}/part/bad`,
        outcome: 'failed',
        foundOn: `${site.url}/part/`,
        depth: 1,
      }),
    )
  })

  test('fails the crawl when it is the start, and says why', async () => {
    const site = await openSite({
      routes: [{ path: '/gone/', about: 'nothing', handle: (visit) => visit.response.destroy() }],
    })
    const { status } = await crawlOf({ url: `${site.url}/gone/` })
    expect(status).toMatchObject({ status: 'failed', completed: 0, failed: 1, total: 1 })
    expect(status.message).not.toBe('')
  })
})

function pageHits(seen: readonly { readonly path: string }[]): number {
  return seen.filter(({ path }) => path.startsWith('/crawl/page/')).length
}
