// @module-tag long
import { answer, type Visit } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { here, openEngine, openSite } from './crawl/bench.ts'

const crawls = 50
const pages = 20

function answerTree(visit: Visit): void {
  const number = Number(visit.parts['number'])
  const below = [1, 2, 3].map((child) => number * 3 + child).filter((child) => child < pages)
  answer(
    visit,
    'text/html',
    `Page ${number} ${below.map((child) => `<a href="/tree/${child}">${child}</a>`).join(' ')}`,
  )
}

test('fifty crawls at once all end complete, and none is left behind: when half have ended, each has most of its pages', async () => {
  const site = await openSite({ routes: [{ path: '/tree/:number', about: 'a tree of pages', handle: answerTree }] })
  const engine = openEngine({ resolver: here, limits: { concurrency: 8 } })
  const { port } = new URL(site.url)
  const jobs = await Promise.all(
    Array.from({ length: crawls }, (_, index) =>
      engine.crawl({ url: `http://host-${index}.example:${port}/tree/0`, crawlEntireDomain: true, sitemap: 'skip' }),
    ),
  )
  const atHalf: number[] = []
  let ended = 0
  await Promise.all(
    jobs.map(async (job) => {
      expect(await job.end()).toMatchObject({ status: 'completed', completed: pages, failed: 0 })
      ended += 1
      if (ended === crawls / 2) for (const other of jobs) atHalf.push((await other.status()).completed)
    }),
  )
  expect(atHalf).toHaveLength(crawls)
  // A crawl that has a third of its pages when half have ended would take three times as long as the median.
  expect(Math.min(...atHalf)).toBeGreaterThan(pages / 3)
})
