import { randomBytes } from 'node:crypto'

import { afterEach, expect, test } from 'vitest'

import type { EngineEvent, MakeFetcher } from '@harvestman/ports'
import type { Job } from '../jobs/handle.ts'
import { createEngine } from './engine.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine.close()))
})

function engineWith(storeBytes: number, jobBytes?: number) {
  const events: EngineEvent[] = []
  const fetcher: MakeFetcher = () => ({
    exchange: async () => ({ status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(page()) }),
    close: async () => undefined,
  })
  const engine = createEngine({
    fetcher,
    keep: { storeBytes, ...(jobBytes !== undefined && { jobBytes }) },
    observer: (event) => events.push(event),
  })
  opened.push(engine)
  return { engine, forgotten: () => events.filter(({ kind }) => kind === 'store.forgot') }
}

// Another one each time, and nothing that can be compressed to much less.
const page = (): string => `<p>${randomBytes(10_000).toString('base64')}`
const address = (number: number): string => `https://a.example/${number}`

test('of the results in memory the oldest go when there are more than fit, and the host is told', async () => {
  const { engine, forgotten } = engineWith(100_000)
  const ids: string[] = []
  for (let number = 0; number < 20; number += 1) {
    const { metadata } = await engine.unchecked.scrape({ url: address(number) }, { keep: true })
    ids.push(metadata.scrapeId)
  }
  await expect(engine.results.find(ids[0]!)).rejects.toMatchObject({ code: 'not_found' })
  expect((await engine.results.find(ids.at(-1)!)).metadata.scrapeId).toBe(ids.at(-1))
  expect(forgotten()[0]).toMatchObject({ entries: 1, bytes: expect.any(Number) })
})

test('documents of a job and credits stay, however little room there is', async () => {
  const { engine } = engineWith(0)
  const job = await engine.unchecked.batch({ urls: Array.from({ length: 12 }, (_, number) => address(number)) })
  await job.end()
  const { metadata } = await engine.unchecked.scrape({ url: address(1) }, { keep: true })
  await expect(engine.results.find(metadata.scrapeId)).rejects.toMatchObject({ code: 'not_found' })
  let documents = 0
  for await (const document of job.documents()) documents += document.markdown === undefined ? 0 : 1
  expect(documents).toBe(12)
  expect((await engine.usage()).used).toBe(13)
})

const addresses = (count: number): string[] => Array.from({ length: count }, (_, number) => address(number))
const documentsOf = async ({ documents }: Job): Promise<number> => {
  let found = 0
  for await (const document of documents()) found += document.markdown === undefined ? 0 : 1
  return found
}

test('of jobs that have ended the oldest are forgotten when there are more than fit, and those that stay are whole', async () => {
  const { engine, forgotten } = engineWith(0, 300_000)
  const jobs: Job[] = []
  for (let round = 0; round < 6; round += 1) {
    const job = await engine.unchecked.batch({ urls: addresses(8) })
    expect(await job.end()).toMatchObject({ status: 'completed', completed: 8 })
    jobs.push(job)
  }
  const found = await Promise.allSettled(jobs.map(documentsOf))
  const kept = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(found[0]).toMatchObject({ status: 'rejected', reason: { code: 'not_found' } })
  expect(kept.length).toBeGreaterThan(0)
  expect(new Set(kept)).toEqual(new Set([8]))
  expect(found.at(-1)?.status).toBe('fulfilled')
  expect(forgotten().length).toBe(6 - kept.length)
  expect((await engine.jobs.list({})).jobs).toHaveLength(kept.length)
})

test(
  'of jobs that run the largest is ended when what they keep does not fit: it says why, and keeps what it has',
  { tags: ['long'] },
  async () => {
    const { engine } = engineWith(0, 200_000)
    const small = await engine.unchecked.batch({ urls: addresses(2) })
    await small.end()
    const large = await engine.unchecked.batch({ urls: addresses(100) })
    const status = await large.end()
    expect(status).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/in memory exceed 0 MB.*keep\.jobBytes/) as string,
    })
    expect(status.completed).toBeGreaterThan(3)
    expect(status.cancelled).toBeGreaterThan(0)
    expect(await documentsOf(large)).toBe(status.completed)
    const next = await engine.unchecked.batch({ urls: addresses(2) })
    expect(await next.end()).toMatchObject({ status: 'completed', completed: 2 })
    expect(await documentsOf(next)).toBe(2)
  },
)
