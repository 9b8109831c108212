import { memoryStore } from '@harvestman/core'
import { expect, test } from 'vitest'

import { measuredStore, prometheus } from '../src/index.ts'

test('counters whose labels are known start at zero, so that an alert sees the first step', () => {
  const text = prometheus().render()
  for (const where of ['request', 'connection', 'process'])
    expect(text).toContain(`\nharvestman_faults_total{where="${where}"} 0\n`)
  expect(text).toContain('\nharvestman_scrapes_total{outcome="completed"} 0\n')
  expect(text).toContain('\nharvestman_store_errors_total{call="update"} 0\n')
})

test('responses are counted by route and code, and their latency is in buckets', () => {
  const { onResponse, render } = prometheus()
  for (const ms of [0.3, 7]) onResponse({ method: 'GET', route: '/v2/crawl/{id}', status: 200, ms })
  onResponse({ method: 'GET', route: '/v2/crawl/{id}', status: 404, ms: 1 })
  const text = render()
  expect(text).toContain('harvestman_http_requests_total{method="GET",route="/v2/crawl/{id}",code="200"} 2\n')
  expect(text).toContain('harvestman_http_requests_total{method="GET",route="/v2/crawl/{id}",code="404"} 1\n')
  expect(text).toContain('harvestman_http_seconds_bucket{route="/v2/crawl/{id}",le="0.0005"} 1\n')
  expect(text).toContain('harvestman_http_seconds_bucket{route="/v2/crawl/{id}",le="0.01"} 3\n')
})

test('calls of the store are timed, and failed ones counted', async () => {
  const { onStoreCall, render } = prometheus()
  const store = measuredStore(memoryStore(), onStoreCall)
  await store.set('one', 1)
  expect(await store.get('one')).toBe(1)
  const refuse = (): never => {
    throw new Error('no')
  }
  await expect(store.update('one', refuse)).rejects.toThrow('no')
  const text = render()
  expect(text).toContain('harvestman_store_seconds_count{call="get"} 1\n')
  expect(text).toContain('harvestman_store_errors_total{call="update"} 1\n')
  expect(text).toContain('harvestman_store_errors_total{call="get"} 0\n')
})

test('a thousand teams are twenty series and the rest', () => {
  const teams = Object.fromEntries(Array.from({ length: 1_000 }, (_, team) => [`team-${team}`, team]))
  const here = { running: 0, idleFor: 0, places: 1, taken: 0, lent: 3, unsent: 0 }
  const text = prometheus().render({ ...here, teams, monitorLag: 2_000 })
  const lines = text.split('\n').filter((line) => line.startsWith('harvestman_team_jobs_open{'))
  expect(lines).toHaveLength(21)
  expect(lines[0]).toBe('harvestman_team_jobs_open{team="team-999"} 999')
  expect(lines.at(-1)).toBe(`harvestman_team_jobs_open{team="other"} ${(979 * 980) / 2}`)
  expect(text).toContain('\nharvestman_pages_lent 3\n')
  expect(text).toContain('\nharvestman_webhooks_waiting 0\n')
  expect(text).toContain('\nharvestman_monitor_lag_seconds 2\n')
})
