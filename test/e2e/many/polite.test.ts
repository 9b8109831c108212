// @module-tag long
// Two engines with a store in common, as on two machines, crawl one host that asks for a pause, or for a rest. What is
// asserted stands in the record that the site keeps of its visits.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createEngine } from '@harvestman/core'
import type { Store } from '@harvestman/ports'
import { sqliteStore } from '@harvestman/keyv'
import { postgresStore } from '@harvestman/postgres'
import { redisStore } from '@harvestman/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import type { ProgramName } from '../../../scripts/programs.ts'
import { startCountedSite } from './cluster.ts'

interface Backend {
  readonly open: () => Store
  remove(): Promise<void>
}

const backends: readonly (readonly [string, ProgramName[], () => Promise<Backend>])[] = [
  [
    'SQLite',
    [],
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'harvestman-polite-'))
      const open = (): Store => sqliteStore(join(folder, 'store.sqlite'))
      return { open, remove: async () => rmSync(folder, { recursive: true, force: true }) }
    },
  ],
  [
    'Redis',
    ['redis'],
    async () => {
      const server = await startRedis()
      return { open: () => redisStore(server.url), remove: server.remove }
    },
  ],
  [
    'Postgres',
    ['postgres'],
    async () => {
      const server = await startPostgres('fsync=off')
      return { open: () => postgresStore(server.url), remove: server.remove }
    },
  ],
]

for (const [name, tags, start] of backends)
  describe(`two crawls of one host from two engines on ${name}`, { tags }, () => {
    let backend: Backend
    beforeAll(async () => {
      backend = await start()
    })
    afterAll(() => backend?.remove())

    const crawlTwice = async (site: { readonly url: string; readonly port: number }, limit: number) => {
      const stores = [backend.open(), backend.open()]
      const engines = stores.map((store) => createEngine({ store, allowPrivate: [`127.0.0.1/32:${site.port}`] }))
      // Copies of pages would be visits that are not made.
      const request = { url: site.url, limit, maxConcurrency: 3, scrapeOptions: { maxAge: 0 } }
      const crawls = await Promise.all(engines.map((engine) => engine.crawl(request)))
      const ends = await Promise.all(crawls.map((crawl) => crawl.end()))
      await Promise.all(engines.map((engine) => engine.close()))
      await Promise.all(stores.map((store) => store.close()))
      return ends.map(({ completed }) => completed)
    }

    test('keep the pause that it asks for together', async () => {
      const pause = 400
      const site = await startCountedSite(8, { delay: 0, robots: `User-agent: *\nCrawl-delay: ${pause / 1000}` })
      expect(await crawlTwice(site, 8)).toEqual([8, 8])
      site.close()
      expect(site.times).toHaveLength(16)
      // Without a common pace it takes half as long. A visit that comes late shortens the pause that follows, not the whole.
      expect((site.times.at(-1) ?? 0) - (site.times[0] ?? 0)).toBeGreaterThan(pause * 15 * 0.75)
    })

    test('keep the rest that it asks one of them for', async () => {
      const rest = 3_000
      const site = await startTiredSite({ pages: 40, after: 24, rest })
      expect(await crawlTwice(site, 40)).toEqual([40, 40])
      site.close()
      const { tiredAt } = site
      // The news has half a second to go round; then nothing comes until the rest is nearly over.
      const early = site.times.filter((time) => time > tiredAt + 500 && time < tiredAt + rest - 200)
      expect(early).toEqual([])
      expect(site.times.at(-1)).toBeGreaterThan(tiredAt + rest - 200)
    })
  })

/** A site that asks to be left alone once, by the answer to the visit of that number; until then it is slow. */
async function startTiredSite({
  pages,
  after,
  rest,
}: {
  readonly pages: number
  readonly after: number
  readonly rest: number
}) {
  const times: number[] = []
  let tiredAt = Number.NaN
  const server = createServer((request, response) => {
    const number = request.url === '/' ? 0 : Number(/^\/page\/(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN)
    if (!(number < pages)) return void response.writeHead(404).end()
    times.push(performance.now())
    if (times.length === after) {
      tiredAt = performance.now()
      return void response.writeHead(429, { 'retry-after': String(rest / 1000) }).end()
    }
    const links = Array.from({ length: pages }, (_, next) => `<a href="/page/${next}">${next}</a>`).join(' ')
    const words = Array.from({ length: 60 }, (_, word) => ((number + 3) * 7919 * (word + 11)).toString(36)).join(' ')
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>Page ${number}</title><main><h1>Page ${number}</h1><p>${words}</p>${links}</main>`)
    }, 150)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    times,
    get tiredAt() {
      return tiredAt
    },
    close: () => void server.close(),
  }
}
