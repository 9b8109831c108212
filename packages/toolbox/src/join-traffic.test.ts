import type { Traffic } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { joinTraffic } from './join-traffic.ts'

const asked = { url: 'https://a.example/', method: 'GET', headers: [] }
const answer = { status: 200, headers: [], body: new Uint8Array() }

test('both handlers receive responses and failures, with bodies as long as the larger of their limits', () => {
  const seen: string[] = []
  const handler = (name: string, maxBytes: number): Traffic => ({
    maxBytes,
    note: ({ url }) => seen.push(`${name} ${url}`),
    failed: (url) => seen.push(`${name} failed ${url.href}`),
  })
  const joined = joinTraffic(handler('main', 10), handler('watcher', 20))
  joined.note?.(asked, answer)
  joined.failed?.(new URL(asked.url), new Error('closed'))
  expect(joined.maxBytes).toBe(20)
  expect(seen).toEqual([
    'main https://a.example/',
    'watcher https://a.example/',
    'main failed https://a.example/',
    'watcher failed https://a.example/',
  ])
})

test('each handler receives a body truncated to its own limit', () => {
  const seen: unknown[] = []
  const handler = (maxBytes: number): Traffic => ({
    maxBytes,
    note: (_, { body, isCut = false }) => seen.push([body.length, isCut]),
  })
  joinTraffic(handler(20), handler(10)).note?.(asked, { ...answer, body: new Uint8Array(15) })
  joinTraffic(handler(10), handler(20)).note?.(asked, { ...answer, body: new Uint8Array(15) })
  expect(seen).toEqual([
    [15, false],
    [10, true],
    [10, true],
    [15, false],
  ])
})

test('the responses and the script of the main handler come first', async () => {
  const main: Traffic = { maxBytes: 1, script: '1', answer: async () => answer }
  const watcher: Traffic = { maxBytes: 1, script: '2' }
  expect(await joinTraffic(main, watcher).answer?.(asked)).toBe(answer)
  expect(joinTraffic(main, watcher).script).toBe('1')
  expect(joinTraffic(watcher, main).answer).toBe(main.answer)
})
