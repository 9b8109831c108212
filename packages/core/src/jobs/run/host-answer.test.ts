import { expect, test } from 'vitest'

import type { Page } from '../../plugin/parts.ts'
import { hostAnswer } from './host-answer.ts'

const asked = 'https://a.example/page'
const now = Date.UTC(2026, 0, 1)

function pageAt(url: string, more: Partial<Page> = {}): Page {
  const nothing = { headers: {}, body: new Uint8Array(), captured: {}, actions: {}, warnings: [] }
  return { ...nothing, url, status: 200, proxyUsed: 'basic', latency: 120, ...more }
}

test('a page says with which status its host answered, after what time, and how long it wants to rest', () => {
  const page = pageAt(asked, { status: 429, headers: { 'retry-after': '7' } })
  expect(hostAnswer(asked, { page, cacheState: 'miss' }, now)).toEqual({ status: 429, latency: 120, retryAfter: 7_000 })
})

test('a redirect on the same host has the latency of that host, and one that leads away has none', () => {
  const latencyAt = (url: string) => hostAnswer(asked, { page: pageAt(url), cacheState: undefined }, now).latency
  expect(latencyAt('https://a.example/other')).toBe(120)
  expect(latencyAt('https://b.example/page')).toBeUndefined()
})

test('a kept copy says nothing of its host', () => {
  expect(hostAnswer(asked, { page: pageAt(asked), cacheState: 'hit' }, now)).toEqual({})
})
