import { mapShapes, startSite } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { openMapBench, type MapBench } from '../../src/map/fixtures/open-bench.ts'

let bench: MapBench
beforeAll(async () => {
  bench = await openMapBench({ allowPrivate: ['127.0.0.0/8'] })
})
afterAll(() => bench.close())

describe('a site with', () => {
  test.each(mapShapes.map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    const site = await startSite({ routes: shape.routes })
    try {
      const url = site.url + shape.start
      for (const sitemap of ['include', 'skip', 'only'] as const) {
        const { links } = await bench.map({ url, sitemap }).catch((error: unknown) => {
          if (shape[sitemap].length > 0) throw error
          return { links: [] }
        })
        const paths = links.map((link) => link.url.replace(site.url, ''))
        expect(paths).toEqual(expect.arrayContaining([...shape[sitemap]]))
        const strangers = paths.filter((path) => !path.startsWith('/') || /not-this|never-asked|mailto|\?/.test(path))
        expect(strangers).toEqual([])
        const again = await bench.map({ url, sitemap }).catch(() => ({ links: [] }))
        expect(again.links).toEqual(links)
      }
    } finally {
      await site.close()
    }
  })
})

test('there are at least twenty shapes, and each of them leads somewhere', () => {
  expect(mapShapes.length).toBeGreaterThanOrEqual(20)
  expect(mapShapes.filter(({ include }) => include.length === 0)).toEqual([])
})
