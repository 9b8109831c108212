// @module-tag long
// The server of a store goes away in the middle of crawls by two engines, and comes back. The lease and the timeout with a
// call are short, so that an outage outlives them in little time.
import { createEngine } from '@harvestman/core'
import type { EngineEvent, Queue, Store } from '@harvestman/ports'
import { bossQueue, postgresStore } from '@harvestman/postgres'
import { bullQueue, redisStore } from '@harvestman/redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { startPostgres } from '../../../packages/postgres/test/server.ts'
import { startRedis } from '../../../packages/redis/test/server.ts'
import { startCountedSite, startReceiver, type CountedSite, type Receiver } from './cluster.ts'

interface Backend {
  readonly url: string
  start(): Promise<void>
  kill(): Promise<void>
  signal(signal: NodeJS.Signals): void
  remove(): Promise<void>
}

interface Technology {
  start(): Promise<Backend>
  store(url: string): Store
  queue(url: string): Queue
}

const leaseTime = 1_500
// A busy machine opens a connection in a second or two.
const timeout = 4_000
const outlasting = 6_000

const technologies: Readonly<Record<'redis' | 'postgres', Technology>> = {
  redis: {
    start: () => startRedis('--appendonly', 'yes'),
    store: (url) => redisStore(url, { timeout }),
    queue: (url) => bullQueue(url, { timeout }),
  },
  postgres: {
    start: () => startPostgres('fsync=off'),
    store: (url) => postgresStore(url, { timeout }),
    queue: (url) => bossQueue(url, { timeout }),
  },
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const ways: Readonly<Record<string, (backend: Backend) => Promise<void>>> = {
  'hangs for longer than a lease lasts': async (backend) => {
    backend.signal('SIGSTOP')
    await sleep(outlasting)
    backend.signal('SIGCONT')
  },
  'is killed and started again': async (backend) => {
    await backend.kill()
    await backend.start()
  },
}

const jobs = 6
const pages = 12

for (const tag of ['redis', 'postgres'] as const)
  describe(`on ${tag}`, { tags: [tag] }, () => {
    const { start, store: openStore, queue: openQueue } = technologies[tag]
    let backend: Backend
    let site: CountedSite
    let receiver: Receiver

    beforeAll(async () => {
      backend = await start()
      site = await startCountedSite(pages, { delay: 200 })
      receiver = await startReceiver()
    })
    afterAll(async () => {
      site?.close()
      receiver?.close()
      await backend?.remove()
    })

    const startEngine = (observer: (event: EngineEvent) => void) => {
      const [store, queue] = [openStore(backend.url), openQueue(backend.url)]
      const allowPrivate = [site.port, receiver.port].map((port) => `127.0.0.1/32:${port}`)
      const engine = createEngine({ store, queue, allowPrivate, observer, limits: { leaseTime } })
      const close = async (): Promise<void> => {
        await engine.close()
        await queue.close()
        await store.close()
      }
      return { engine, close }
    }

    test.each(Object.keys(ways))('a server that %s leaves every crawl to go on and to end once', async (way) => {
      const stood: string[] = []
      const observer = (event: EngineEvent): void => void (event.kind === 'job.stood' && stood.push(event.id))
      const all = [startEngine(observer), startEngine(observer)]
      await Promise.all(all.map(({ engine }) => engine.jobs.work()))
      const request = { url: site.url, limit: pages, maxConcurrency: 1, webhook: { url: receiver.url } }
      const [before, visits] = [receiver.types.length, site.times.length]
      const crawls = await Promise.all(
        Array.from({ length: jobs }, (_, job) =>
          all[job % all.length]!.engine.crawl({ ...request, scrapeOptions: { maxAge: 0 } }),
        ),
      )
      await expect.poll(() => site.times.length - visits, { timeout: 20_000 }).toBeGreaterThan(jobs * 2)
      await ways[way]!(backend)
      const ends = await Promise.all(crawls.map((crawl) => crawl.end()))
      const end = { status: 'completed', total: pages, completed: pages, creditsUsed: pages }
      for (const one of ends) expect(one).toMatchObject(end)
      for (const crawl of crawls) {
        const addresses = new Set<string>()
        for await (const { metadata } of crawl.documents()) addresses.add(metadata.sourceURL)
        expect(addresses.size).toBe(pages)
      }
      const told = () => receiver.types.slice(before)
      const count = (type: string) => told().filter((one) => one === type).length
      await expect.poll(() => count('crawl.completed'), { timeout: 20_000 }).toBe(jobs)
      expect([count('crawl.started'), count('crawl.page'), count('crawl.failed')]).toEqual([jobs, jobs * pages, 0])
      expect(stood).toEqual([])
      await Promise.all(all.map(({ close }) => close()))
    })
  })
