// Feedback on results over HTTP.
import { scriptedSearch } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const search = scriptedSearch({ web: [{ url: 'https://a.test/', title: 'T', description: 'D' }] })
const house = openHouse('one:key-one,two:key-two', { search })
const send = (method: string, to: string, body?: object, key = 'key-one') =>
  askServer(house, method, to, { ...(body && { body }), headers: { authorization: `Bearer ${key}` } })
const post = (to: string, body: object, key?: string) => send('POST', to, body, key)

async function scraped(): Promise<string> {
  const { body } = await post('/v2/scrape', { url: house.at('/good/article'), timeout: 200_000 })
  return (body.data as unknown as { readonly metadata: { readonly scrapeId: string } }).metadata.scrapeId
}

const nothing = { creditsRefunded: 0, creditsRefundedToday: 0, dailyRefundCap: 0 }

test('Feedback on a scrape is stored once, and listed for its team only', async () => {
  const jobId = await scraped()
  const given = { endpoint: 'scrape', jobId, rating: 'bad', issues: ['missing_table'], metadata: { row: 3 } }
  const first = await post('/v2/feedback', { ...given, origin: 'test' })
  const { feedbackId } = first.body
  expect([first.status, first.body]).toEqual([200, { success: true, feedbackId, ...nothing }])
  const again = await post('/v2/feedback', { ...given, rating: 'good' })
  expect(again.body).toEqual({ success: true, feedbackId, ...nothing, alreadySubmitted: true })
  const createdAt = expect.any(String) as string
  expect((await send('GET', '/v2/feedback')).body.data).toEqual([{ ...given, id: feedbackId, createdAt }])
  expect((await send('GET', '/v2/feedback', undefined, 'key-two')).body.data).toEqual([])
})

test('Feedback on a search is given by its id, and listed first', async () => {
  const { body: found } = await post('/v2/search', { query: 'legs' })
  const path = `/v2/search/${found.id}/feedback`
  const { body } = await post(path, { rating: 'good', valuableSources: [{ url: 'https://a.test/' }] })
  expect(body).toMatchObject({ success: true, creditsRefunded: 0 })
  const { body: listed } = await send('GET', '/v2/feedback?limit=1')
  expect(listed.data).toMatchObject([{ endpoint: 'search', jobId: found.id, rating: 'good' }])
})

test.each([
  ['of another team', 'key-two', 'scrape', 'JOB_NOT_FOUND'],
  ['of another endpoint', 'key-one', 'map', 'JOB_NOT_FOUND'],
  ['of another endpoint', 'key-one', 'search', 'SEARCH_NOT_FOUND'],
])('Feedback on a result %s is refused', async (_, key, endpoint, feedbackErrorCode) => {
  const request = { endpoint, jobId: await scraped(), rating: 'partial', note: 'N', querySuggestions: 'Q' }
  const { status, body } = await post('/v2/feedback', request, key)
  expect([status, body.success, body['feedbackErrorCode']]).toEqual([404, false, feedbackErrorCode])
})

test.each([
  ['scrape', { rating: 'bad' }],
  ['search', { rating: 'good', querySuggestions: 'more legs' }],
  ['search', { rating: 'bad', valuableSources: [{ url: 'https://a.test/' }] }],
])('Feedback on a %s that only has %j is refused', async (endpoint, given) => {
  const { status, body } = await post('/v2/feedback', { endpoint, jobId: await scraped(), ...given })
  expect([status, body['feedbackErrorCode']]).toEqual([400, 'INVALID_BODY'])
})

test.each([
  { rating: 'fine' },
  { tags: ['Not A Name'] },
  { valuableSources: [{ url: 'ftp://a.test/' }] },
  { metadata: { text: 'x'.repeat(9_000) } },
  { jobId: 'none' },
])('Feedback with %j is refused', async (more) => {
  const request = { endpoint: 'scrape', jobId: await scraped(), rating: 'bad', note: 'N', ...more }
  expect((await post('/v2/feedback', request)).status).toBe(400)
})

test('An id that is none gets the sentence of the public API', async () => {
  const { status, body } = await post('/v2/search/none/feedback', { rating: 'bad', querySuggestions: 'legs' })
  expect([status, body.error]).toEqual([400, 'Invalid job ID format. Job ID must be a valid UUID.'])
})
