import { expect, test } from 'vitest'

import type { Fact } from '../jobs/log/facts.ts'
import type { Json } from '@harvestman/ports'
import { explain, type ExplainedUrl } from './explain.ts'
import type { CrawlNote } from './notes.ts'

const at = 0
const site = 'https://a.test'
const request = { ignoreQueryParameters: false, deduplicateSimilarURLs: true }
const opened: Fact = {
  is: 'opened',
  at,
  opening: { id: 'id', kind: 'crawl', team: 'acme', request, createdAt: 0, expiresAt: 1, salt: 'salt' },
}
const noted = (note: CrawlNote): Fact => ({ is: 'noted', at, note: note as Json })
const found = (on: string | undefined, ...paths: string[]): Fact =>
  noted({ found: paths.map((path) => [site + path, 'a.test', 1, 0]), ...(on !== undefined && { on: site + on }) })
const page = (task: number): Fact => ({ is: 'page', at, task, id: '', url: '', credits: 1, bytes: 0 })
const ended = (status: 'completed' | 'cancelled'): Fact => ({ is: 'ended', at, status, cancelled: 0 })

async function tell(facts: readonly Fact[], url?: string): Promise<ExplainedUrl[]> {
  async function* all() {
    yield* [opened, ...facts]
  }
  const told: ExplainedUrl[] = []
  for await (const address of explain(all(), { url })) told.push(address)
  return told
}

test('each address is told of once, with the page that led to it', async () => {
  const failed: Fact = { is: 'failed', at, task: 1, id: '', url: '', code: 'timeout', message: 'Too slow.' }
  const told = await tell([found(undefined, '/'), page(0), found('/', '/slow', '/later'), failed])
  expect(told).toMatchObject([
    { url: `${site}/`, outcome: 'visited' },
    { url: `${site}/slow`, outcome: 'failed', sentence: 'Too slow.', foundOn: `${site}/`, depth: 1 },
    { url: `${site}/later`, outcome: 'waiting', foundOn: `${site}/` },
  ])
  expect(told[0]).not.toHaveProperty('foundOn')
})

test('an address that was taken and given up has the reason for that, and no other', async () => {
  const left = noted({ left: [[`${site}/moved`, 'REDIRECT', 'It leads away.']] })
  const told = await tell([found('/', '/moved'), { is: 'dropped', at, task: 0 }, left])
  expect(told).toEqual([
    {
      url: `${site}/moved`,
      outcome: 'left',
      reason: 'REDIRECT',
      sentence: 'It leads away.',
      foundOn: `${site}/`,
      depth: 1,
    },
  ])
})

test.each([
  ['completed', 'LIMIT'],
  ['cancelled', 'ENDED'],
] as const)('what waited when a crawl was %s has the reason %s', async (status, reason) => {
  expect(await tell([found('/', '/never'), ended(status)])).toMatchObject([{ outcome: 'left', reason }])
})

test('what waited when the crawl had no more credits has that as its reason, and not the limit', async () => {
  const message = 'The job may use 3 credits (maxCredits), and another page might cost more. 1 page was left.'
  const spent: Fact = { is: 'ended', at, status: 'completed', cancelled: 1, message }
  expect(await tell([found('/', '/never'), spent])).toMatchObject([
    { outcome: 'left', reason: 'ENDED', sentence: message },
  ])
})

test('one address can be asked for in any of its spellings', async () => {
  const told = await tell([found('/', '/one', '/two'), page(0), page(1)], `${site}/two/#top`)
  expect(told.map(({ url }) => url)).toEqual([`${site}/two`])
})

test('many URLs without a visit are explained in several turns of the event loop', async () => {
  const paths = Array.from({ length: 20_000 }, (_, number) => `/${number}`)
  let [turns, isDone] = [0, false]
  const next = (): void => {
    turns += 1
    if (!isDone) setImmediate(next)
  }
  setImmediate(next)
  const told = await tell([found('/', ...paths)])
  isDone = true
  expect(told).toHaveLength(20_000)
  expect(turns).toBeGreaterThanOrEqual(9)
})
