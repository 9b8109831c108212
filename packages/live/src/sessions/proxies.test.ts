import { proxySession, type ReplayContext } from '@harvestman/core/plugin'
import { EngineError, type Proxies, type ProxyRequest } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { acme as team, codeOf, sessionBench } from '../fixtures/bench.ts'

const context: ReplayContext = {
  ...{ url: 'https://b.example:8443/x', headers: {}, mobile: false, blockAds: false, skipTlsVerification: false },
  ...{ location: { country: 'DE', languages: [] }, waitFor: 0, actions: [], proxy: 'enhanced', profile: undefined },
}

async function bench() {
  const requests: ProxyRequest[] = []
  const outcomes: string[] = []
  const pick: Proxies['pick'] = async (request) => {
    requests.push(request)
    return { url: 'http://a.test:1', report: ({ outcome }) => void outcomes.push(outcome) }
  }
  return { requests, outcomes, ...(await sessionBench({ proxies: { pick }, findReplay: async () => context })) }
}

const life = { ttl: 600, activityTtl: 300 }

test('the live browser of a scrape has one proxy of its own, which is told that it works', async () => {
  const { live, sessions, requests, outcomes } = await bench()
  await live.ofScrape('one', { team }, life)
  expect(requests).toEqual([{ tier: 'enhanced', country: 'DE', host: 'b.example:8443', session: 'one' }])
  expect(sessions.opened[0]?.profile.proxy?.url).toBe('http://a.test:1')
  expect(outcomes).toEqual(['ok'])
  await live.close()
})

test.each([
  [{ proxy: true }, 'down'],
  [{}, 'failed'],
])('if the page cannot be loaded (%j), its proxy is told: %s', async (details, outcome) => {
  const { live, sessions, outcomes } = await bench()
  sessions.failPage = new EngineError('connection_failed', 'No.', { details })
  expect(await codeOf(live.ofScrape('one', { team }, life))).toBe('conflict')
  expect(outcomes).toEqual([outcome])
  await live.close()
})

test('the live browser of a scrape with a profile has the proxy of the profile', async () => {
  const requests: ProxyRequest[] = []
  const pick: Proxies['pick'] = async (request) => void requests.push(request)
  const profile = { name: 'shop', saveChanges: false }
  const findReplay = async () => ({ ...context, profile })
  const { live } = await sessionBench({ proxies: { pick }, findReplay })
  await live.ofScrape('one', { team }, life)
  await live.open({ ...life, streamWebView: true, profile }, team)
  expect(requests.map(({ session }) => session)).toEqual(Array(2).fill(proxySession(team, profile, undefined)))
  await live.close()
})

test('proxies that fail are connection_failed, and those that never decide end with the signal', async () => {
  let pick: Proxies['pick'] = async () => {
    throw new Error('secret')
  }
  const { live } = await sessionBench({ proxies: { pick: (request) => pick(request) } })
  const request = { ...life, streamWebView: true }
  expect(await codeOf(live.open(request, team))).toBe('connection_failed')
  pick = () => new Promise(() => undefined)
  const stop = new AbortController()
  const opening = codeOf(live.open(request, team, stop.signal))
  stop.abort(new EngineError('aborted', 'Stopped.'))
  expect(await opening).toBe('aborted')
  await live.close()
})

test('a live browser without a scrape has a proxy, too, which is the same each time for a profile', async () => {
  const { live, sessions, requests, outcomes } = await bench()
  const opened = { ...life, streamWebView: true }
  await (await live.open({ ...opened, profile: { name: 'shop', saveChanges: true } }, team)).stop()
  await live.open({ ...opened, profile: { name: 'shop', saveChanges: false } }, team)
  await live.open(opened, team)
  expect(sessions.opened.map(({ profile }) => profile.proxy?.url)).toEqual(Array(3).fill('http://a.test:1'))
  const [first, second, third] = requests
  expect(first).toEqual({ tier: 'basic', country: 'US', session: expect.stringContaining('shop') })
  expect(second).toEqual(first)
  expect(third?.session).not.toBe(first?.session)
  expect(outcomes).toEqual(['unknown', 'unknown', 'unknown'])
  await live.close()
})
