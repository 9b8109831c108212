// The list of jobs over HTTP: every kind of job is in it, in each team its own.
import { jobKinds } from '@harvestman/core/schema'
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
  const starts: Readonly<Record<(typeof jobKinds)[number], readonly [path: string, body: object, about: string]>> = {
    crawl: ['/v2/crawl', { url, limit: 1 }, url],
    batch: ['/v2/batch/scrape', { urls: [url] }, url],
    extract: ['/v2/extract', { urls: [url], schema }, url],
    agent: ['/v2/agent', { prompt: 'What does it cost?' }, 'What does it cost?'],
    deep_research: ['/v1/deep-research', { query: 'Why is it so?' }, 'Why is it so?'],
    llmstxt: ['/v1/llmstxt', { url, maxUrls: 1 }, url],
  }
  const ids: Record<string, string> = {}
  for (const kind of jobKinds) {
    const [path, body] = starts[kind]
    const answer = await ask('POST', path, body)
    expect({ kind, status: answer.status, error: answer.body.error }).toEqual({ kind, status: 200 })
    ids[kind] = answer.body.id
  }
  const all = await list('')
  expect(all.jobs.map(({ id }) => id)).toEqual(Object.values(ids).reverse())
  for (const kind of jobKinds) {
    const { jobs } = await list(`?kind=${kind}`)
    expect(jobs.map(({ id, kind, about }) => ({ id, kind, about }))).toEqual([
      { id: ids[kind], kind, about: starts[kind][2] },
    ])
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
