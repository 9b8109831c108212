import { EngineError, type ExplainedUrl } from '@harvestman/core'
import { until } from '@harvestman/testing'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createApi, type ApiOptions } from '../api/api.ts'
import { apiKeys } from '../callers/auth.ts'
import { fakeEngine, someId } from '../fixtures/fake-engine.ts'
import { serve } from '../server/serve.ts'

const visited: ExplainedUrl = { url: 'https://a.test/', outcome: 'visited', sentence: 'It was visited.', depth: 0 }
const left: ExplainedUrl = {
  url: 'https://a.test/b',
  outcome: 'left',
  reason: 'ROBOTS_TXT',
  sentence: 'The robots.txt of the host asks robots not to visit it.',
  foundOn: 'https://a.test/',
}
const failed: ExplainedUrl = {
  url: 'https://a.test/c',
  outcome: 'failed',
  code: 'store_failed',
  sentence: 'The file /var/secret is full.',
}

function crawled(...explained: readonly ExplainedUrl[]) {
  const engine = fakeEngine()
  const job = engine.start()
  job.explained.push(...explained)
  return { engine, job, path: `/v2/crawl/${job.id}/explain` }
}

function get(engine: ReturnType<typeof fakeEngine>, path: string, options: ApiOptions = {}, headers = {}) {
  return createApi(engine, options)(new Request(`http://localhost:3002${path}`, { headers }))
}

const linesOf = (text: string) => text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)))

describe('What a crawl says of addresses', () => {
  test('is a line of JSON for each of them', async () => {
    const { engine, job, path } = crawled(visited, left)
    const response = await get(engine, path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(linesOf(await response.text())).toEqual([visited, left, ''])
    expect(job.listeners).toBe(0)
  })

  test('is one answer when one address is asked about, an empty one when it was never met', async () => {
    const { engine, path } = crawled(visited, left)
    const one = await get(engine, `${path}?url=${encodeURIComponent(left.url)}`)
    expect(one.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await one.json()).toEqual({ success: true, data: [left] })
    const none = await get(engine, `${path}?url=https://b.test/`)
    expect(await none.json()).toEqual({ success: true, data: [] })
  })

  test('names failures as the list of errors does, and shows nothing of the machine', async () => {
    const { engine, path } = crawled(failed)
    const response = await get(engine, `${path}?url=${failed.url}`)
    const { data } = (await response.json()) as { readonly data: readonly object[] }
    expect(data).toMatchObject([{ url: failed.url, outcome: 'failed', code: 'STORE_UNAVAILABLE' }])
    expect(JSON.stringify(data)).not.toContain('secret')
  })

  test('is refused for what is no address, and is not there for a batch, an unknown id and other teams', async () => {
    const { engine, path } = crawled(visited)
    const bad = await get(engine, `${path}?url=nowhere`)
    expect([bad.status, await bad.json()]).toMatchObject([400, { success: false, code: 'BAD_REQUEST' }])
    const batch = engine.start({ kind: 'batch' })
    for (const id of [batch.id, someId]) {
      const { status } = await get(engine, `/v2/crawl/${id}/explain`)
      expect(status).toBe(404)
    }
    expect((await get(engine, '/v2/crawl/not-an-id/explain')).status).toBe(400)
    expect((await get(engine, `/v2/batch/scrape/${batch.id}/explain`)).status).toBe(404)
    const theirs = await get(engine, path, { authenticate: apiKeys('two:k') }, { authorization: 'Bearer k' })
    expect([theirs.status, await theirs.json()]).toMatchObject([404, { error: 'Job not found' }])
  })
})

describe('Of a crawl with very many addresses', () => {
  const count = 200_000

  async function served(fails = false) {
    const { engine, job, path } = crawled()
    const faults: unknown[] = []
    let told = 0
    const { explain } = job
    job.explain = async function* () {
      for (let number = 0; number < count; number += 1) {
        told += 1
        yield { ...left, url: `https://a.test/${number}` }
      }
      if (fails) throw new EngineError('store_failed', 'The store is away.')
      for await (const one of explain()) yield one
    }
    const server = await serve(createApi(engine, { onFault: (fault) => void faults.push(fault) }), { port: 0 })
    return { server, url: server.url + path, told: () => told, faults }
  }

  test('no more is read than the caller takes, and nothing after it has gone', async () => {
    const { server, url, told, faults } = await served()
    const leave = new AbortController()
    const response = await fetch(url, { signal: leave.signal })
    await until('the first lines', () => told() > 0)
    const held = await standing(told)
    expect(held).toBeLessThan(count / 2)
    leave.abort()
    await expect(response.text()).rejects.toThrow(/abort/i)
    expect((await standing(told)) - held).toBeLessThan(1_000)
    expect(faults).toEqual([])
    await server.close()
  })

  test('what is cut short by a fault breaks off, and the operator hears of it', { tags: ['long'] }, async () => {
    const { server, url, faults } = await served(true)
    const response = await fetch(url)
    await expect(response.text()).rejects.toThrow(/terminated/)
    expect(faults).toMatchObject([{ code: 'store_failed' }])
    await server.close()
  })

  test(
    'all of them come, though the server begins to close meanwhile, and waiting leaves nothing behind',
    { tags: ['long'] },
    async () => {
      const warnings: Error[] = []
      const warn = (warning: Error) => void warnings.push(warning)
      process.on('warning', warn)
      onTestFinished(() => void process.off('warning', warn))
      const { server, url } = await served()
      const response = await fetch(url)
      const closed = server.close()
      expect((await response.text()).trimEnd().split('\n')).toHaveLength(count)
      await closed
      expect(warnings).toEqual([])
    },
  )
})

/** What a count is when it has stopped growing. */
async function standing(count: () => number): Promise<number> {
  for (let last = -1; ;) {
    if (count() === last) return last
    last = count()
    await new Promise((go) => setTimeout(go, 100))
  }
}
