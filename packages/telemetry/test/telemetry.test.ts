// What people who run an engine see of it: real scrapes, the real OpenTelemetry.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createEngine, memoryStore } from '@harvestman/core'
import type { EngineEvent, Observer, Store } from '@harvestman/ports'
import * as api from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { lineLog, observers, openTelemetry, prometheus } from '../src/index.ts'

let site: Server
let url: string
const exporter = new InMemorySpanExporter()

beforeAll(async () => {
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  site = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'))
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/page?token=secret`
})
afterAll(() => site.close())

async function scrapeTwice(observer: Observer): Promise<void> {
  const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], observer })
  await engine.scrape({ url })
  await engine.scrape({ url: 'http://10.0.0.1/' }).catch(() => undefined)
  await engine.close()
}

/** A store that other engines could have, and that never says which of them there are, until it is told to. */
function silentOnEngines() {
  const kept = memoryStore()
  const state = { isSilent: true }
  const ask = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (state.isSilent && key === 'engines') throw new Error('It is not said.')
    return work()
  }
  const store: Store = {
    ...kept,
    reach: 'shared',
    get: (key) => ask(key, () => kept.get(key)),
    update: (key, change, options) => ask(key, () => kept.update(key, change, options)),
  }
  return { store, speak: () => (state.isSilent = false) }
}

describe('Prometheus', () => {
  test('counts a job that stood still though it could go on, and was taken up anew', async () => {
    const { observer, render } = prometheus()
    const { store, speak } = silentOnEngines()
    await using engine = createEngine({ allowPrivate: ['127.0.0.0/8'], store, observer, limits: { leaseTime: 100 } })
    const job = await engine.batch({ urls: [url] })
    await expect.poll(() => render(), { timeout: 10_000 }).toMatch(/^harvestman_jobs_stood_total [1-9]/m)
    speak()
    expect(await job.end()).toMatchObject({ status: 'completed', completed: 1 })
  })

  test('counts scrapes by outcome, their time, their steps, loaders and credits', async () => {
    const { observer, render } = prometheus()
    await scrapeTwice(observer)
    const text = render()
    expect(text).toContain('harvestman_scrapes_total{outcome="completed"} 1\n')
    expect(text).toContain('harvestman_scrapes_total{outcome="url_blocked"} 1\n')
    expect(text).toContain('harvestman_scrape_seconds_bucket{le="+Inf"} 2\n')
    expect(text).toContain('harvestman_scrape_seconds_count 2\n')
    for (const step of ['load', 'derive', 'assemble', 'settle'])
      expect(text).toContain(`harvestman_step_seconds_count{step="${step}"} 1\n`)
    expect(text).toContain('harvestman_loader_tries_total{loader="http",outcome="page"} 1\n')
    expect(text).toContain('harvestman_credits_total 1\n')
  })

  test('has what it counts by no label from the start, so that the first time is seen as growth', () => {
    expect(prometheus().render()).toContain('\nharvestman_jobs_stood_total 0\n')
  })

  test('is text that a Prometheus server can read: each family once, each line a number', async () => {
    const { observer, render } = prometheus()
    await scrapeTwice(observer)
    const lines = render().trimEnd().split('\n')
    const families = lines.filter((line) => line.startsWith('# TYPE'))
    expect(new Set(families).size).toBe(families.length)
    for (const line of lines.filter((one) => !one.startsWith('#')))
      expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="[^"\n]*",?)+\})? [\d.e+-]+$/)
  })

  test('keeps a bounded number of series, whatever plugins call themselves', () => {
    const { observer, render } = prometheus()
    const event = (loader: string): EngineEvent => ({
      kind: 'loader.tried',
      url,
      loader,
      outcome: 'page',
      ms: 1,
      at: 0,
      team: 'a',
      id: '1',
    })
    for (let index = 0; index < 5_000; index += 1) observer(event(`loader ${index}`))
    expect(render().split('\n').length).toBeLessThan(2_100)
  })
})

describe('OpenTelemetry', () => {
  test('gives one trace for a scrape, with a span for each step and loader inside it', async () => {
    exporter.reset()
    await scrapeTwice(openTelemetry(api))
    const spans = exporter.getFinishedSpans()
    const [done, failed] = spans.filter(({ name }) => name === 'scrape')
    const inside = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === done?.spanContext().spanId)
    expect(inside.map(({ name }) => name).toSorted()).toEqual([
      'loader http',
      'scrape assemble',
      'scrape derive',
      'scrape load',
      'scrape settle',
    ])
    expect(new Set([...inside, done].map((span) => span?.spanContext().traceId)).size).toBe(1)
    expect(done?.attributes).toMatchObject({ 'harvestman.credits': 1 })
    expect(failed?.attributes['error.type']).toBe('url_blocked')
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('secret')
  })
})

describe('The log', () => {
  test.each(['json', 'text'] as const)('as %s holds no queries, keys, cookies or passwords', async (format) => {
    const lines: string[] = []
    const observer = lineLog({ level: 'debug', format, write: (line) => lines.push(line) })
    await scrapeTwice(observer)
    const message =
      'Tried http://user:hunter2@proxy.example with authorization: Bearer abcdefghijkl and cookie=chocolate'
    observer({ kind: 'warning', message, at: 0, team: 'a', id: '1' })
    const text = lines.join('')
    expect(text).toContain('scrape.completed')
    for (const secret of ['secret', 'hunter2', 'abcdefghijkl', 'chocolate']) expect(text).not.toContain(secret)
    if (format === 'json') for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event')
  })

  test('warns of a job that stood still', () => {
    const lines: string[] = []
    lineLog({ level: 'warn', write: (line) => lines.push(line) })({ kind: 'job.stood', at: 0, team: 'a', id: '1' })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'job.stood', level: 'warn', id: '1' })
  })

  test('tells no more than its level', async () => {
    const lines: string[] = []
    await scrapeTwice(lineLog({ level: 'warn', write: (line) => lines.push(line) }))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ event: 'scrape.failed', level: 'warn' })
  })
})

test('an observer that throws harms neither the engine nor the other observers', async () => {
  const kinds: string[] = []
  const broken: Observer = () => {
    throw new Error('broken')
  }
  await scrapeTwice(observers(broken, ({ kind }) => kinds.push(kind)))
  expect(kinds).toContain('scrape.completed')
})

test('how jobs stand is among the metrics when it is given, without those that are open while the store is away', () => {
  const { render } = prometheus()
  const here = { running: 2, idleFor: 1_500, places: 32, taken: 24 }
  const text = render({ ...here, open: 7 })
  expect(text).toContain('\nharvestman_jobs_open 7\n')
  expect(text).toContain('\nharvestman_jobs_running 2\n')
  expect(text).toContain('\nharvestman_job_still_seconds 1.5\n')
  expect(text).toContain('\nharvestman_load 0.75\n')
  expect(render(here)).not.toContain('harvestman_jobs_open')
  expect(render()).not.toContain('harvestman_jobs_running')
})

test('how long jobs waited for a worker is counted, takeovers apart', () => {
  const { render, observer } = prometheus()
  const moment = { at: 0, team: 'a', id: '1' }
  observer({ kind: 'job.taken', isTakeover: false, waited: 20, ...moment })
  observer({ kind: 'job.taken', isTakeover: true, waited: 20_000, ...moment })
  expect(render()).toContain('\nharvestman_job_wait_seconds_count{takeover="no"} 1\n')
  expect(render()).toContain('\nharvestman_job_wait_seconds_sum{takeover="yes"} 20\n')
})

test('the metrics of proxies have their outcomes, state, latency and traffic', () => {
  const outcomes = { ok: 3, blocked: 1 }
  const a = { name: 'a:80', tier: 'basic', state: 'ready', bans: 1, outcomes, bytes: 900, cost: 0.5, latency: 250 }
  const resting = { ...a, name: 'b:80', state: 'resting', latency: undefined }
  const probing = { ...a, name: 'c:80', state: 'probing' }
  const text = prometheus().render(undefined, [a, resting, probing])
  for (const line of [
    'harvestman_proxy_requests_total{proxy="a:80",tier="basic",outcome="ok"} 3',
    'harvestman_proxy_requests_total{proxy="a:80",tier="basic",outcome="blocked"} 1',
    'harvestman_proxy_ready{proxy="a:80",tier="basic"} 1',
    'harvestman_proxy_ready{proxy="b:80",tier="basic"} 0',
    'harvestman_proxy_ready{proxy="c:80",tier="basic"} 1',
    'harvestman_proxy_bans{proxy="a:80",tier="basic"} 1',
    'harvestman_proxy_bytes_total{proxy="a:80",tier="basic"} 900',
    'harvestman_proxy_cost_total{proxy="a:80",tier="basic"} 0.5',
    'harvestman_proxy_latency_seconds{proxy="a:80",tier="basic"} 0.25',
  ]) {
    expect(text).toContain(`\n${line}\n`)
  }
  expect(text).not.toContain('harvestman_proxy_latency_seconds{proxy="b:80"')
})

test('of a thousand proxies, the hundred that were used most have metrics', () => {
  const proxies = Array.from({ length: 1_000 }, (_, index) => ({
    ...{ name: `p${index}`, tier: 'basic', state: 'ready', bans: 0, bytes: 0, cost: 0, latency: undefined },
    outcomes: { ok: index },
  }))
  const lines = prometheus().render(undefined, proxies).split('\n')
  const ready = lines.filter((line) => line.startsWith('harvestman_proxy_ready{'))
  expect(ready).toHaveLength(100)
  expect(ready[0]).toContain('proxy="p999"')
})
