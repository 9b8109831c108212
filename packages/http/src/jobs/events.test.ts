import { afterEach, describe, expect, test, vi } from 'vitest'

import { createApi } from '../api/api.ts'
import { fakeEngine, metadataOf, someId } from '../fixtures/fake-engine.ts'

const metadata = metadataOf('a')
const failure = { id: someId, timestamp: '2026-01-01T00:00:00.000Z', url: 'https://a.test/x' }

afterEach(() => void vi.useRealTimers())

function listen(
  engine: ReturnType<typeof fakeEngine>,
  path: string,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  const request = new Request(`http://localhost${path}`, { headers, ...(signal && { signal }) })
  return createApi(engine)(request)
}

interface Event {
  readonly id?: string
  readonly event?: string
  readonly data?: Record<string, unknown>
}

function parse(text: string): readonly Event[] {
  const blocks = text.split('\n\n').filter((block) => block.startsWith('id: '))
  return blocks.map((block) => {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)))
    return { id: fields['id'], event: fields['event'], data: JSON.parse(fields['data']) }
  })
}

describe('The events of a job', () => {
  test.each(['/v2/crawl', '/v2/batch/scrape'])('are told at %s until it has ended', async (path) => {
    const engine = fakeEngine()
    const job = engine.start()
    const response = await listen(engine, `${path}/${job.id}/events`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    job.add({ markdown: 'a\n\nb', metadata })
    job.fail({ ...failure, code: 'timeout', error: 'Too late.' })
    job.finish('completed')
    const events = parse(await response.text())
    expect(events).toMatchObject([
      { id: '0-0', event: 'started', data: { job: job.id, at: '2026-01-01T00:00:00.000Z' } },
      { id: '0-1', event: 'page', data: { document: { markdown: 'a\n\nb', metadata } } },
      { id: '0-2', event: 'failed_page', data: { error: { ...failure, code: 'SCRAPE_TIMEOUT', error: 'Too late.' } } },
      { id: '0-3', event: 'completed', data: { status: { status: 'completed', completed: 1, total: 2 } } },
    ])
    expect(job.listeners).toBe(0)
  })

  test('go on after the one that was seen last', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    job.add({ metadata }, { metadata })
    const response = await listen(engine, `/v2/crawl/${job.id}/events`, { 'last-event-id': '0-1' })
    job.finish('cancelled')
    expect(parse(await response.text()).map(({ id, event }) => [id, event])).toEqual([
      ['0-2', 'page'],
      ['0-3', 'cancelled'],
    ])
  })

  test('are over for who has seen the last one, so that a browser does not come again', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    job.finish('completed')
    const response = await listen(engine, `/v2/crawl/${job.id}/events`, { 'last-event-id': '0-1' })
    expect([response.status, await response.text()]).toEqual([204, ''])
    const before = await listen(engine, `/v2/crawl/${job.id}/events`, { 'last-event-id': '0-0' })
    expect(parse(await before.text())).toMatchObject([{ event: 'completed' }])
  })

  test('come with a sign of life while nothing happens', async () => {
    vi.useFakeTimers()
    const engine = fakeEngine()
    const job = engine.start()
    const reader = (await listen(engine, `/v2/crawl/${job.id}/events`)).body!.getReader()
    const next = async () => new TextDecoder().decode((await reader.read()).value)
    expect([await next(), await next()]).toEqual(['retry: 2000\n\n', expect.stringContaining('started')])
    const beat = next()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await beat).toBe(':\n\n')
    const page = next()
    job.add({ metadata })
    expect(await page).toContain('event: page')
    await reader.cancel()
  })

  test('are let go of when the listener has gone', async () => {
    const engine = fakeEngine()
    const job = engine.start()
    const gone = new AbortController()
    const response = await listen(engine, `/v2/crawl/${job.id}/events`, {}, gone.signal)
    const reader = response.body!.getReader()
    await reader.read()
    await reader.read()
    const waiting = reader.read().catch(() => 'gone')
    await expect.poll(() => job.listeners).toBe(1)
    gone.abort()
    expect(await waiting).toBe('gone')
    await expect.poll(() => job.listeners).toBe(0)
  })

  test('of a job that is not there are a refusal', async () => {
    const response = await listen(fakeEngine(), `/v2/crawl/${someId}/events`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: 'Job not found' })
  })
})
