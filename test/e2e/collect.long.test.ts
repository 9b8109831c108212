// @module-tag long
// @module-tag browser
import { createEngine } from '@harvestman/core'
import { data } from '@harvestman/data'
import { puppeteerBrowser } from '@harvestman/puppeteer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { listPatterns, serveListPatterns, usualSizes } from '../bench/data/list-patterns.ts'

const engine = createEngine({
  allowPrivate: ['127.0.0.1'],
  browser: puppeteerBrowser(),
  plugins: [data()],
})
let site: Awaited<ReturnType<typeof serveListPatterns>>
beforeAll(async () => {
  site = await serveListPatterns()
})
afterAll(async () => {
  await engine.close()
  site.close()
})

test.each(listPatterns)('each item is collected once: $name', async (pattern) => {
  const document = await engine.scrape({
    url: site.urlOf(pattern),
    formats: ['links'],
    actions: [{ type: 'collect', time: 60_000 }],
    timeout: 120_000,
  })
  const [found] = document.actions?.collected ?? []
  const things = found?.rows.map((row) => /Thing number \d+/.exec(JSON.stringify(row))?.[0])
  expect(things).toHaveLength(usualSizes.count)
  expect(new Set(things).size).toBe(usualSizes.count)
})
