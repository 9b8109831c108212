// What a team has, used and asked for, over HTTP and with the official client.
import Client from '@mendable/firecrawl-js'
import { expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

// Answers of many shapes, checked by their values.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { readonly status: number; readonly body: any }

const house = openHouse('one:key-one,two:key-two,bound:key-bound')
const { at } = house
const ask = (path: string, key = 'key-one'): Promise<Answer> =>
  askServer(house, 'GET', path, { headers: { authorization: `Bearer ${key}` } })
const post = (path: string, body: object, key = 'key-one'): Promise<Answer> =>
  askServer(house, 'POST', path, { body, headers: { authorization: `Bearer ${key}` } })

test('what a team asked for is listed, newest first, with what was refused, and not shown to another team', async () => {
  const { body: scraped } = await post('/v2/scrape', { url: at('/good/article') })
  await post('/v1/scrape', { url: 'http://10.0.0.1/' })
  const { body: crawl } = await post('/v2/crawl', { url: at('/good/docs'), limit: 1 })
  const { body } = await ask('/v2/team/activity')
  expect(body.data.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual(['crawl', 'scrape', 'scrape'])
  expect(body.data[0]).toMatchObject({ id: crawl.id, api_version: 'v2', target: at('/good/docs') })
  expect(body.data[1]).toMatchObject({ api_version: 'v1', target: 'http://10.0.0.1/' })
  expect(body.data[2]).toMatchObject({ id: scraped.data.metadata.scrapeId })
  expect(body).toMatchObject({ cursor: null, has_more: false })
  expect((await ask('/v2/team/activity', 'key-two')).body.data).toEqual([])
  expect((await ask(`/v2/scrape/${scraped.data.metadata.scrapeId}`)).status).toBe(200)
})

test('the list is read by pages, by endpoint, and refuses an endpoint that is none', async () => {
  const { body: first } = await ask('/v1/team/activity?limit=2')
  expect(first).toMatchObject({ has_more: true })
  const { body: rest } = await ask(`/v1/team/activity?limit=2&cursor=${encodeURIComponent(first.cursor)}`)
  expect(rest.data).toHaveLength(1)
  const { body: crawls } = await ask('/v2/team/activity?endpoint=crawl')
  expect(crawls.data).toHaveLength(1)
  const refused = await ask('/v2/team/activity?endpoint=none')
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.body.error).toMatch(/^Invalid endpoint filter\. Must be one of: scrape, crawl, batch_scrape/)
})

test('credits and tokens are told in the names of each version; a number also without a limit, as clients decode no null', async () => {
  const newer = await ask('/v2/team/credit-usage')
  expect(newer.body.data).toEqual({
    remainingCredits: 99_999_999,
    planCredits: 99_999_999,
    unlimited: true,
    billingPeriodStart: null,
    billingPeriodEnd: null,
  })
  const older = await ask('/v1/team/token-usage')
  expect(Object.keys(older.body.data)).toEqual([
    'remaining_tokens',
    'plan_tokens',
    'unlimited',
    'billing_period_start',
    'billing_period_end',
  ])
  // The crawl of the first test may go on.
  const used = async () => (await ask('/v2/team/credit-usage/historical')).body.periods[0]?.creditsUsed
  await expect.poll(used).toBe(2)
  const { body } = await ask('/v2/team/credit-usage/historical')
  expect(body.periods).toHaveLength(1)
  expect(body.periods[0].totalCredits).toBe(body.periods[0].creditsUsed)
  const { body: byKey } = await ask('/v2/team/token-usage/historical?byApiKey=true&timeRange=day')
  expect(byKey.periods[0]).toMatchObject({ tokensUsed: body.periods[0].creditsUsed * 15 })
})

test('a queue is told by what waits and what may be at once', async () => {
  const { body } = await ask('/v2/team/queue-status')
  expect(body).toMatchObject({ success: true, maxConcurrency: 32 })
  expect(body.jobsInQueue).toBe(body.activeJobsInQueue + body.waitingJobsInQueue)
  expect((await ask('/v1/concurrency-check')).body).toMatchObject({ maxConcurrency: 32 })
})

test('a single scrape holds a slot while its page is loading', async () => {
  const held = async () => (await ask('/v2/concurrency-check')).body.concurrency as number
  await expect.poll(held).toBe(0)
  const scrape = post('/v2/scrape', { url: at('/slow/delay?ms=3000') })
  await expect.poll(held).toBe(1)
  expect((await ask('/v2/team/queue-status')).body).toMatchObject({ activeJobsInQueue: 1, waitingJobsInQueue: 0 })
  expect((await scrape).status).toBe(200)
  await expect.poll(held).toBe(0)
})

test('the official client reads what a team has left, has used and has under way', async () => {
  await house.engine.ledger.grant({ team: 'bound', credits: 20, id: 'one' })
  const client = new Client({ apiKey: 'key-bound', apiUrl: house.server.url })
  for (let page = 0; page < 3; page += 1) await client.scrape(at('/good/article'))
  await client.map(at('/good/docs'))
  expect(await client.getCreditUsage()).toMatchObject({ remainingCredits: 16, planCredits: 20 })
  expect(await client.getTokenUsage()).toMatchObject({ remainingTokens: 240, planTokens: 300 })
  const { periods } = await client.getCreditUsageHistorical()
  expect(periods).toMatchObject([{ creditsUsed: 4, endDate: null }])
  expect((await client.getTokenUsageHistorical()).periods).toMatchObject([{ tokensUsed: 60 }])
  const byKey = await client.getCreditUsageHistorical(true)
  expect(byKey.periods.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0)).toBe(4)
  expect(await client.getConcurrency()).toEqual({ concurrency: 0, maxConcurrency: 32 })
  const idle = await client.getQueueStatus()
  expect(idle).toMatchObject({ jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0, maxConcurrency: 32 })
  const { id } = await client.startBatchScrape(Array.from({ length: 3 }, (_, n) => at(`/slow/delay?ms=60000&${n}`)))
  await expect.poll(async () => (await client.getConcurrency()).concurrency).toBe(3)
  expect(await client.getQueueStatus()).toMatchObject({ jobsInQueue: 3, activeJobsInQueue: 3, waitingJobsInQueue: 0 })
  expect(await client.cancelBatchScrape(id)).toBe(true)
  await expect.poll(async () => (await client.getQueueStatus()).jobsInQueue).toBe(0)
  const slow = Array.from({ length: 6 }, (_, n) => at(`/slow/delay?ms=60000&few${n}`))
  const few = await client.startBatchScrape(slow, { maxConcurrency: 2 })
  await expect.poll(async () => (await client.getQueueStatus()).jobsInQueue).toBe(6)
  await expect.poll(() => client.getConcurrency()).toEqual({ concurrency: 2, maxConcurrency: 32 })
  expect(await client.getQueueStatus()).toMatchObject({ activeJobsInQueue: 2, waitingJobsInQueue: 4 })
  await client.cancelBatchScrape(few.id)
  expect(await client.getCreditUsage()).toMatchObject({ remainingCredits: 16 })
})

test('a walk through the activity meets each entry once while a thousand more are written', async () => {
  const note = (target: string): void =>
    house.engine.activity.note({
      id: crypto.randomUUID(),
      team: 'two',
      endpoint: 'map',
      target,
      refused: 'rate_limited',
    })
  for (let number = 0; number < 300; number += 1) note(`https://before.test/${number}`)
  const met: string[] = []
  let cursor: string | null = ''
  let written = 0
  while (cursor !== null) {
    const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await ask(`/v2/team/activity?endpoint=map&limit=37${query}`, 'key-two')
    met.push(...body.data.map(({ target }: { target: string }) => target))
    cursor = body.cursor
    for (let more = 0; more < 125 && written < 1_000; more += 1) note(`https://during.test/${written++}`)
  }
  expect(written).toBe(1_000)
  const before = met.filter((target) => target.startsWith('https://before.test/'))
  expect(before).toHaveLength(300)
  expect(new Set(met).size).toBe(met.length)
})
