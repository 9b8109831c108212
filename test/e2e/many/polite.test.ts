// Two engines with a store in common, as on two machines, crawl one host that asks for a pause.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { expect, test } from 'vitest'

import { startCountedSite } from './cluster.ts'

test('two crawls of one host from two engines keep the pause that it asks for together', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-polite-'))
  const pause = 400
  const site = await startCountedSite(8, { delay: 0, robots: `User-agent: *\nCrawl-delay: ${pause / 1000}` })
  const stores = [0, 1].map(() => sqliteStore(join(folder, 'store.sqlite')))
  const allowPrivate = [`127.0.0.1/32:${site.port}`]
  const engines = stores.map((store) => createEngine({ store, allowPrivate }))
  const crawls = await Promise.all(engines.map((engine) => engine.crawl({ url: site.url, limit: 8 })))
  const ends = await Promise.all(crawls.map((crawl) => crawl.end()))
  expect(ends.map(({ completed }) => completed)).toEqual([8, 8])
  const gaps = site.times.slice(1).map((time, index) => time - (site.times[index] ?? 0))
  expect(gaps).toHaveLength(15)
  // Without a common pace half of them are far shorter; the network and the machine may shorten one a little.
  expect(gaps.filter((gap) => gap < pause / 2)).toEqual([])
  await Promise.all(engines.map((engine) => engine.close()))
  await Promise.all(stores.map((store) => store.close()))
  site.close()
  rmSync(folder, { recursive: true, force: true })
})
