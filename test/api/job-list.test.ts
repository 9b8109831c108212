// The list of jobs over HTTP: every kind of job is in it, in each team its own.
import { scriptedLLM } from '@harvestman/testing'
import { expect, test } from 'vitest'

import { askServer, openHouse } from './bench.ts'

const house = openHouse('one:key-one,two:key-two', {
  llm: scriptedLLM([]),
  search: { name: 'none', sources: ['web'], follows: [], find: async () => [] },
})
const ask = (method: string, path: string, body?: object, key = 'key-one') =>
  askServer(house, method, path, { body, key })

interface Listed {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly about: string
}
const list = async (query: string, key = 'key-one') => {
  const { status, body } = await ask('GET', `/v2/jobs${query}`, undefined, key)
  const { jobs = [], cursor } = body as unknown as { jobs?: readonly Listed[]; cursor?: string }
  return { status, jobs, cursor, text: JSON.stringify(body) }
}

test('the list has jobs of every kind, the newest first, each under its kind and to its team alone', async () => {
  const url = house.at('/good/article')
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const starts: Readonly<Record<string, readonly [path: string, body: object, about: string]>> = {
    crawl: ['/v2/crawl', { url, limit: 1 }, url],
    batch: ['/v2/batch/scrape', { urls: [url] }, url],
    extract: ['/v2/extract', { urls: [url], schema }, url],
    agent: ['/v2/agent', { prompt: 'What does it cost?' }, 'What does it cost?'],
    deep_research: ['/v1/deep-research', { query: 'Why is it so?' }, 'Why is it so?'],
    llmstxt: ['/v1/llmstxt', { url, maxUrls: 1 }, url],
  }
  const ids: Record<string, string> = {}
  for (const [kind, [path, body]] of Object.entries(starts)) {
    const answer = await ask('POST', path, body)
    expect({ kind, status: answer.status, error: answer.body.error }).toEqual({ kind, status: 200 })
    ids[kind] = answer.body.id
  }
  const all = await list('')
  expect(all.jobs.map(({ id }) => id)).toEqual(Object.values(ids).reverse())
  for (const [kind, [, , target]] of Object.entries(starts)) {
    const { jobs } = await list(`?kind=${kind}`)
    expect(jobs.map(({ id, kind, about }) => ({ id, kind, about }))).toEqual([{ id: ids[kind], kind, about: target }])
  }
  expect(await list('', 'key-two')).toMatchObject({ status: 200, jobs: [], cursor: undefined })
  const first = await list('?limit=4')
  const rest = await list(`?limit=4&cursor=${first.cursor}`)
  expect([...first.jobs, ...rest.jobs].map(({ id }) => id)).toEqual(all.jobs.map(({ id }) => id))
  expect((await list(`?cursor=${first.cursor}`, 'key-two')).jobs).toEqual([])
})

test.each(['limit=0', 'limit=101', 'kind=map', 'status=running', 'cursor=nonsense'])(
  'the list refuses %s',
  async (query) => {
    const { status, text } = await list(`?${query}`)
    expect(status).toBe(400)
    expect(text).toContain(query.split('=')[0])
  },
)

async function end(id: string): Promise<void> {
  await expect
    .poll(async () => (await ask('GET', `/v2/jobs/${id}`)).body['job'], { timeout: 60_000 })
    .toMatchObject({ status: expect.not.stringMatching('scraping') as string })
}

const options = {
  formats: [
    'markdown',
    { type: 'json', schema: { type: 'object', properties: { title: { type: 'string' } } } },
    'links',
  ],
  headers: { 'x-told': 'yes' },
  parsers: ['pdf'],
  location: { country: 'DE', languages: ['de'] },
  timeout: 20_000,
  maxAge: 0,
}

test.each([
  [
    'crawl',
    '/v2/crawl',
    { limit: 2, includePaths: ['good'], maxDiscoveryDepth: 3, sitemap: 'skip', scrapeOptions: options },
  ],
  ['batch', '/v2/batch/scrape', { ...options, maxConcurrency: 2 }],
])('what a %s was asked for is told, and asks for the same when it is sent again', async (kind, path, body) => {
  const url = house.at('/good/article')
  const urls = Array.from({ length: 1_500 }, (_, number) => `${url}?number=${number}`)
  const first = await ask('POST', path, kind === 'batch' ? { ...body, urls } : { ...body, url })
  expect(first).toMatchObject({ status: 200 })
  const told = await ask('GET', `/v2/jobs/${first.body.id}`)
  expect(told.body).toMatchObject({ success: true, job: { id: first.body.id, kind } })
  const status = await ask('GET', `/v2/jobs/${first.body.id}?request=false`)
  expect(Object.keys(status.body)).toEqual(['success', 'job'])
  expect(status.body).toMatchObject({ success: true, job: { id: first.body.id, kind } })
  expect((await ask('GET', `/v2/jobs/${first.body.id}?request=no`)).status).toBe(400)
  await ask('DELETE', `${path}/${first.body.id}`)
  const second = await ask('POST', path, told.body['request'] as object)
  expect(second).toMatchObject({ status: 200 })
  const again = await ask('GET', `/v2/jobs/${second.body.id}`)
  await ask('DELETE', `${path}/${second.body.id}`)
  expect(again.body['request']).toEqual(told.body['request'])
  expect(again.body['request']).toMatchObject(kind === 'batch' ? { urls, timeout: 20_000 } : { url, limit: 2 })
  expect((await ask('GET', `/v2/jobs/${first.body.id}`, undefined, 'key-two')).status).toBe(404)
})

test('each address of a job is a row without its document, a failed one with the words of the list of errors', async () => {
  const urls = [house.at('/good/article'), house.at('/no-such-page'), 'http://127.0.0.1:1/']
  const { body } = await ask('POST', '/v2/batch/scrape', { urls })
  await end(body.id)
  const { status, body: list } = await ask('GET', `/v2/jobs/${body.id}/rows?limit=2`)
  expect({ status, hasMore: list['hasMore'] }).toEqual({ status: 200, hasMore: true })
  const rest = await ask('GET', `/v2/jobs/${body.id}/rows?cursor=${String(list['cursor'])}`)
  const rows = [...(list['rows'] as { url: string }[]), ...(rest.body['rows'] as { url: string }[])]
  const rowOf = (url: string | undefined) => rows.find((row) => row.url === url)
  expect(rows).toHaveLength(3)
  expect(rowOf(urls[0])).toMatchObject({ outcome: 'visited', status: 200, credits: 1 })
  expect(rowOf(urls[1])).toMatchObject({ outcome: 'visited', status: 404 })
  const { errors } = (await ask('GET', `/v2/batch/scrape/${body.id}/errors`)).body as unknown as {
    errors: { code: string; error: string }[]
  }
  expect(rowOf(urls[2])).toMatchObject({ outcome: 'failed', code: errors[0]?.code, error: errors[0]?.error })
  expect(JSON.stringify(rows)).not.toContain('markdown')
  expect((await ask('GET', `/v2/jobs/${body.id}/rows`, undefined, 'key-two')).status).toBe(404)
})
