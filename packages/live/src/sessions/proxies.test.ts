import type { ReplayContext } from '@harvestman/core/plugin'
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
