// How a crawl ends whose start cannot be visited at all.
import { expect, test, vi } from 'vitest'

import { createEngine } from '../engine/engine.ts'
import type { EngineOptions } from '../engine/types.ts'
import { definePlugin, definePolicy } from '../plugin/define.ts'
import { EngineError, type MakeFetcher, type WireRequest } from '@harvestman/ports'

const refused = new EngineError('connection_failed', 'The host refused the connection.')
const unknown = new EngineError('dns_failed', 'The host name could not be resolved. Check its spelling.')

function web(robots: number | EngineError): MakeFetcher {
  const answer = async ({ url }: WireRequest) => {
    if (EngineError.is(robots)) throw robots
    const status = url.pathname === '/robots.txt' ? robots : 200
    return { status, headers: [['content-type', 'text/html'] as const], body: new TextEncoder().encode('<p>Home</p>') }
  }
  return () => ({ exchange: answer, close: async () => undefined })
}

async function crawled(robots: number | EngineError, request: object = {}, options: EngineOptions = {}) {
  const engine = createEngine({ ...options, fetcher: web(robots) })
  try {
    const crawl = await engine.unchecked.crawl({ url: 'https://a.example/', ...request })
    return await crawl.end()
  } finally {
    await engine.close()
  }
}

test.each([
  ['has no name', unknown, unknown.message],
  ['refuses connections', refused, refused.message],
  ['cannot answer for robots.txt', 503, 'The robots.txt of the site returned status 503'],
])('a crawl whose start %s fails, and says why', async (_, robots, why) => {
  const { status, message } = await crawled(robots)
  expect(status).toBe('failed')
  expect(message).toContain(why)
  expect(message).not.toContain('disallows the start URL')
})

test('a host without robots.txt is visited', async () => {
  expect(await crawled(404)).toMatchObject({ status: 'completed', completed: 1 })
})

test.each([
  [
    'a crawl',
    (engine: ReturnType<typeof createEngine>) =>
      engine.unchecked.crawl({ url: 'https://a.example', scrapeOptions: { formats: ['screenshot'] } }),
  ],
  [
    'a batch',
    (engine: ReturnType<typeof createEngine>) =>
      engine.unchecked.batch({ urls: ['https://a.example'], formats: ['screenshot'] }),
  ],
])('%s that asks for what the engine was not given is refused at the door', async (_, open) => {
  const engine = createEngine({ fetcher: web(200) })
  await expect(open(engine)).rejects.toMatchObject({ code: 'not_configured', details: { port: 'browser' } })
  await engine.close()
})

test('a crawl whose start a policy never decides about is refused when the time for policies is over', async () => {
  const slow = definePolicy({ name: 'slow', may: () => new Promise<true>(() => undefined) })
  const engine = createEngine({ fetcher: web(200), plugins: [definePlugin({ name: 'slow', policies: [slow] })] })
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal)
  try {
    const crawl = engine.crawl({ url: 'https://a.example' })
    time.abort(new DOMException('Too late.', 'TimeoutError'))
    await expect(crawl).rejects.toMatchObject({ code: 'timeout' })
  } finally {
    timeout.mockRestore()
    await engine.close()
  }
})
