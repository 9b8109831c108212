// Two engines on one store and one queue: one has a crawl and more to load than places, the other has nothing to do.

import { createEngine, type AnyDocument, type Engine } from '@harvestman/core'
import type { EngineEvent, Queue, Store } from '@harvestman/ports'
import { bossQueue, postgresStore } from '@harvestman/postgres'
import { bullQueue, redisStore } from '@harvestman/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import type { ProgramName } from '../../../scripts/programs.ts'
import { startHosts, type Hosts } from './hosts.ts'

interface Backend {
  readonly store: () => Store
  readonly queue: () => Queue
  remove(): Promise<void>
}

const backends: readonly (readonly [string, (ProgramName | 'long')[], () => Promise<Backend>])[] = [
  [
    'Redis',
    ['redis'],
    async () => {
      const { url, remove } = await startRedis()
      return { store: () => redisStore(url), queue: () => bullQueue(url), remove }
    },
  ],
  [
    'Postgres',
    ['postgres', 'long'],
    async () => {
      const { url, remove } = await startPostgres('fsync=off')
      return { store: () => postgresStore(url), queue: () => bossQueue(url), remove }
    },
  ],
]

const wholeSite = { allowExternalLinks: true, crawlEntireDomain: true, sitemap: 'skip' } as const

interface Worker {
  readonly engine: Engine
  /** Pages that it has loaded. */
  readonly loaded: () => number
  close(): Promise<void>
}

for (const [name, tags, start] of backends)
  describe(`one crawl and two engines on ${name}`, { tags }, () => {
    let backend: Backend
    let hosts: Hosts
    beforeAll(async () => {
      backend = await start()
      hosts = await startHosts({ hosts: 4, pages: 160, delay: 100 })
    })
    afterAll(async () => {
      hosts?.close()
      await backend?.remove()
    })

    const open = (limits: object = {}): Worker => {
      const [store, queue] = [backend.store(), backend.queue()]
      let loaded = 0
      const observer = ({ kind }: EngineEvent): void => void (loaded += kind === 'scrape.completed' ? 1 : 0)
      const allowPrivate = hosts.ports.map((port) => `127.0.0.1/32:${port}`)
      const engine = createEngine({ store, queue, observer, allowPrivate, limits: { concurrency: 4, ...limits } })
      const close = async (): Promise<void> => {
        await engine.close()
        await queue.close()
        await store.close()
      }
      return { engine, loaded: () => loaded, close }
    }

    test('the other loads some of its pages: each is there once, is paid for once, and can be read', async () => {
      const [one, other] = [open(), open()]
      const crawl = await one.engine.crawl({ url: hosts.url, limit: 160, ...wholeSite })
      await other.engine.jobs.work()
      const end = await crawl.end()
      expect(end).toMatchObject({ status: 'completed', completed: 160, failed: 0, creditsUsed: 160 })
      const documents: AnyDocument[] = []
      for await (const document of crawl.documents()) documents.push(document)
      const urls = documents.map(({ metadata }) => metadata.sourceURL)
      expect(new Set(urls).size).toBe(160)
      // Each document is that of its page.
      for (const { markdown, metadata } of documents) expect(markdown).toContain(`Page ${metadata.sourceURL}`)
      // A machine that stands still for a moment has a page loaded twice, and kept once.
      expect(one.loaded() + other.loaded()).toBeGreaterThanOrEqual(160)
      expect(other.loaded()).toBeGreaterThan(8)
      await Promise.all([one.close(), other.close()])
    })
  })
