import type { Observer } from '@harvestman/ports'
import { answer, answerPage, handClock, until, type Route } from '@harvestman/testing'
import { describe, expect, test } from 'vitest'

import { crawlOf, here, openEngine, openSite, outcomeOf } from './bench.ts'

const link = (path: string): string => `<a href="${path}">${path}</a> `

describe('robots.txt', () => {
  const robots = (text: string): Route => ({
    path: '/robots.txt',
    about: 'rules',
    handle: (visit) => answer(visit, 'text/plain', text),
  })
  const rooms: Route[] = [
    {
      path: '/rooms/',
      about: 'a list',
      handle: (visit) =>
        answerPage(
          visit,
          'Rooms',
          ['open/1', 'shut/1', 'shut/2', 'open/2'].map((path) => link(`/rooms/${path}`)).join(''),
        ),
    },
    { path: '/rooms/:kind/:number', about: 'a room', handle: (visit) => answerPage(visit, 'Room', visit.url.pathname) },
  ]

  test('keeps a crawl from pages, which are listed and never asked for', async () => {
    const site = await openSite({ routes: [robots('User-agent: *\nDisallow: /rooms/shut/\n'), ...rooms] })
    const { status, urls, errors, explained } = await crawlOf({ url: `${site.url}/rooms/` })
    expect(urls).toEqual(['/rooms/', '/rooms/open/1', '/rooms/open/2'].map((path) => site.url + path))
    expect(errors.robotsBlocked).toEqual(['/rooms/shut/1', '/rooms/shut/2'].map((path) => site.url + path))
    expect(status).toMatchObject({ total: 3, failed: 0 })
    expect(site.hits('/rooms/shut/1')).toBe(0)
    expect(explained).toContainEqual(
      expect.objectContaining({
        url: `${site.url}/rooms/shut/1`,
        outcome: 'left',
        reason: 'ROBOTS_TXT',
        foundOn: `${site.url}/rooms/`,
      }),
    )
    const all = await crawlOf({ url: `${site.url}/rooms/`, ignoreRobotsTxt: true })
    expect(all.urls).toHaveLength(5)
  })

  test('that shuts the start ends the crawl with a word about it', async () => {
    const site = await openSite({ routes: [robots('User-agent: *\nDisallow: /\n'), ...rooms] })
    const { status, urls, errors } = await crawlOf({ url: `${site.url}/rooms/` })
    expect([urls, status.status, errors.robotsBlocked]).toEqual([[], 'completed', [`${site.url}/rooms/`]])
    expect(status.message).toContain('robots.txt')
  })

  test('that breaks shuts the whole host, as the standard says', async () => {
    const broken: Route = {
      path: '/robots.txt',
      about: 'broken',
      handle: (visit) => answer(visit, 'text/plain', '', { status: 500 }),
    }
    const site = await openSite({ routes: [broken, ...rooms] })
    expect((await crawlOf({ url: `${site.url}/rooms/` })).urls).toEqual([])
  })

  test('is obeyed in its delay', async () => {
    const site = await openSite({
      routes: [
        robots('User-agent: *\nCrawl-delay: 0.2\n'),
        {
          path: '/slowly/',
          about: 'a list',
          handle: (visit) =>
            answerPage(visit, 'List', [1, 2, 3, 4].map((number) => link(`/slowly/${number}`)).join('')),
        },
        {
          path: '/slowly/:number',
          about: 'a page',
          handle: (visit) => answerPage(visit, 'Page', visit.url.pathname),
        },
      ],
    })
    const { starts, observer } = startsOfHosts()
    const { urls } = await crawlOf({ url: `${site.url}/slowly/` }, openEngine({ observer }))
    expect(urls).toHaveLength(5)
    expect(shortestGap([...starts.values()].flat())).toBeGreaterThan(200 - slack)
  })
})

// Of clocks that count in whole milliseconds.
const slack = 3

/** When the visits of each host were begun: a server that is busy sees one late, and the next in time. */
function startsOfHosts(): { readonly starts: Map<string, number[]>; readonly observer: Observer } {
  const starts = new Map<string, number[]>()
  const observer: Observer = (event) => {
    if (event.kind !== 'scrape.started') return
    const { hostname } = new URL(event.url)
    starts.set(hostname, [...(starts.get(hostname) ?? []), performance.now()])
  }
  return { starts, observer }
}

test('three hosts with a delay are visited side by side, and none too soon after another visit', async () => {
  const seen = new Map<string, { running: number }>()
  let most = 0
  let running = 0
  const routes: Route[] = [
    {
      path: '/three/:number',
      about: 'a page that takes a while',
      handle: async (visit) => {
        const host = visit.request.headers.host ?? ''
        const own = seen.get(host) ?? { running: 0 }
        seen.set(host, own)
        own.running += 1
        expect(own.running).toBe(1)
        most = Math.max(most, (running += 1))
        await visit.site.wait(60)
        running -= 1
        own.running -= 1
        const port = host.split(':')[1] ?? ''
        const links = ['one', 'two', 'three'].flatMap((name) =>
          [1, 2, 3, 4, 5].map((number) => link(`http://${name}.hosts.example:${port}/three/${number}`)),
        )
        answerPage(visit, 'Page', links.join(''))
      },
    },
  ]
  const site = await openSite({ routes })
  const { starts, observer } = startsOfHosts()
  const engine = openEngine({ resolver: here, observer, limits: { concurrency: 12 } })
  const port = new URL(site.url).port
  const { urls } = await outcomeOf(
    await engine.crawl({
      url: `http://one.hosts.example:${port}/three/1`,
      crawlEntireDomain: true,
      allowSubdomains: true,
      sitemap: 'skip',
      delay: 0.2,
    }),
  )
  expect(urls).toHaveLength(15)
  expect([...starts.values()].map(({ length }) => length)).toEqual([5, 5, 5])
  for (const own of starts.values()) expect(shortestGap(own)).toBeGreaterThan(200 - slack)
  expect(most).toBeGreaterThan(1)
})

test('a host that is gone makes its pages fail soon: most are not even asked for', { tags: ['long'] }, async () => {
  const site = await openSite({
    routes: [
      {
        path: '/dying/',
        about: 'a list',
        handle: (visit) =>
          answerPage(visit, 'List', Array.from({ length: 60 }, (_, number) => link(`/dying/${number}`)).join('')),
      },
      { path: '/dying/:number', about: 'nothing any more', handle: (visit) => visit.response.destroy() },
    ],
  })
  const clock = handClock()
  let isOver = false
  const crawl = crawlOf({ url: `${site.url}/dying/`, maxConcurrency: 4 }, openEngine({ clock }))
  crawl.finally(() => (isOver = true)).catch(() => undefined)
  await until('the crawl is over', () => isOver, clock, 25)
  const { status, errors } = await crawl
  expect(status).toMatchObject({ status: 'completed', completed: 1, failed: 60, total: 61 })
  expect(errors.errors.filter(({ error }) => error.includes('not requested')).length).toBeGreaterThan(30)
})

test('a host whose answers become slow is visited by fewer at once', { tags: ['long'] }, async () => {
  const clock = handClock()
  const atOnce: number[] = []
  let running = 0
  const site = await openSite({
    routes: [
      {
        path: '/tired/',
        about: 'a list',
        handle: (visit) =>
          answerPage(visit, 'List', Array.from({ length: 190 }, (_, number) => link(`/tired/${number}`)).join('')),
      },
      {
        path: '/tired/:number',
        about: 'a page that comes soon at first, and late after seventy',
        handle: async (visit) => {
          const due = clock.now() + (atOnce.length < 70 ? 20 : 1_500)
          running += 1
          // Time for the others that were asked for at the same moment, as long as more of them come.
          for (let before = 0; running > before;) {
            before = running
            await visit.site.wait(25)
          }
          atOnce.push(running)
          await clock.pass(due - clock.now())
          running -= 1
          answerPage(visit, 'Page', visit.url.pathname)
        },
      },
    ],
  })
  const engine = openEngine({ clock, limits: { concurrency: 40, teamConcurrency: 40 } })
  const { urls } = await crawlOf({ url: `${site.url}/tired/` }, engine)
  expect(urls).toHaveLength(191)
  expect(Math.max(...atOnce.slice(0, 70))).toBeGreaterThan(20)
  // Not among the last ones, which are few at once in any case.
  expect(Math.min(...atOnce.slice(100, 170))).toBeLessThan(4)
})

function shortestGap(times: readonly number[]): number {
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
}
