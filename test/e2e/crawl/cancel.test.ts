import type { JobEvent } from '@harvestman/core'
import { gate } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { openEngine, openSite } from './bench.ts'

const pages = 100

test.each([0, 50, 99])(
  'a crawl that is cancelled after %i of 100 pages asks for nothing more and ends once',
  async (after) => {
    const held = gate()
    const asked: string[] = []
    const site = await openSite({
      pages,
      routes: [
        {
          path: '/crawl/page/:number',
          about: 'a page that waits once enough were given',
          handle: async (visit) => {
            asked.push(visit.url.pathname)
            const given = visit.site.count('given')
            if (given > after) await held.opened
            const number = Number(visit.parts['number'])
            const links = [number * 3 + 1, number * 3 + 2, number * 3 + 3].filter((to) => to < pages)
            visit.response.writeHead(200, { 'content-type': 'text/html' })
            visit.response.end(links.map((to) => `<a href="/crawl/page/${to}">${to}</a> `).join('') + `Page ${number}`)
          },
        },
      ],
    })
    const engine = openEngine()
    const crawl = await engine.crawl({
      url: `${site.url}/crawl/page/0`,
      crawlEntireDomain: true,
      sitemap: 'skip',
      limit: pages,
    })
    const events: JobEvent[] = []
    const reading = (async () => {
      for await (const event of crawl.events()) events.push(event)
    })()
    const isThere = async (): Promise<boolean> => (await crawl.status()).completed >= after
    while (!(await isThere())) await new Promise(setImmediate)
    expect(await crawl.cancel()).toBe(true)
    held.open()
    const status = await crawl.end()
    // Connections that were being made may still bring what was on its way; after a few answers all of it has come.
    const late = asked.length
    for (let round = 0; round < 10; round += 1) await engine.scrape({ url: `${site.url}/good/` })
    const before = asked.length
    expect(before - late).toBeLessThanOrEqual(32)
    await reading
    expect(status).toMatchObject({ status: 'cancelled', completed: after, failed: 0 })
    expect(status.total).toBe(status.completed + status.cancelled)
    expect(events.filter(({ type }) => type === 'failed page')).toEqual([])
    expect(events.filter(({ type }) => ['completed', 'failed', 'cancelled'].includes(type))).toHaveLength(1)
    expect(events.at(-1)?.type).toBe('cancelled')
    expect(await crawl.cancel()).toBe(false)
    // A crawl of another site on the same engine runs to its end after it: were anything of this one still going, it would show.
    const next = await engine.crawl({ url: `${site.other}/good/`, sitemap: 'skip', limit: 3 })
    await next.end()
    expect(asked.slice(before)).toEqual([])
    for await (const { outcome, reason } of crawl.explain()) if (outcome === 'left') expect(reason).toBe('ENDED')
  },
)
