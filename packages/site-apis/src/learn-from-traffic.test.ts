import type { Fetcher } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { Catalog, SiteApi } from './catalog.ts'
import type { Exchange } from './exchanges.ts'
import { runHere } from './fixtures/run-here.ts'
import { learnFromTraffic, type Learning, type ReadTraffic } from './learn-from-traffic.ts'
import type { PageTraffic } from './page-traffic.ts'

const items = JSON.stringify(['Amber lamp', 'Basalt lamp'].map((name) => ({ name })))
const exchange = (url: string, type: string, text: string): Exchange => ({
  ...{ method: 'GET', url, headers: new Map(), sent: undefined },
  ...{ status: 200, received: new Map([['content-type', type]]), text },
})
const url = new URL('https://a.example/lamps')
const traffic: PageTraffic = {
  ...{ url, shown: 'Amber lamp\nBasalt lamp', cookies: '', redacted: undefined, skipTlsVerification: false },
  exchanges: [
    exchange(url.href, 'text/html', '<ul></ul>'),
    exchange('https://a.example/api', 'application/json', items),
  ],
  proxy: 'basic',
}
const picked = { url: 'http://picked.example:8080' }

/** Learns, and returns what happened to the reserved credit and the proxies of the requests. */
async function learn(read: ReadTraffic, exchangeOnce: Fetcher['exchange'], signal = new AbortController().signal) {
  const log: string[] = []
  const proxies: unknown[] = []
  // Casts: learning uses these parts only.
  const hold = {
    reserve: async () => void log.push('reserve'),
    settle: async () => void log.push('settle'),
    release: async () => void log.push('release'),
  } as unknown as Learning['hold']
  const catalog = { put: async (recipe: SiteApi['recipe']) => ({ id: '1', recipe }) } as unknown as Catalog
  const result = await learnFromTraffic(read, {
    ...{ catalog, hold, signal, repeatPosts: false, makeWork: () => runHere },
    pickProxy: async () => picked,
    sending: {
      ...{ team: 'acme', headers: {}, mayVisit: async () => undefined },
      fetcher: {
        exchange: (request, either) => {
          proxies.push(request.proxy?.url)
          return exchangeOnce(request, either)
        },
        close: async () => undefined,
      },
    },
  }).catch((error: unknown) => error)
  return { log, proxies: [...new Set(proxies)], result }
}

const respond: Fetcher['exchange'] = async ({ url: requested }) => ({
  ...{ url: requested, status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(items) },
})

test('the credit is reserved before the traffic is read, and released if that fails', async () => {
  const { log, result } = await learn(async () => {
    throw new Error('The record is damaged.')
  }, respond)
  expect(result).toMatchObject({ message: 'The record is damaged.' })
  expect(log).toEqual(['reserve', 'release'])
})

test('learning that is aborted costs a credit once a request was sent', async () => {
  const stop = new AbortController()
  const { log, result } = await learn(
    async () => traffic,
    async (_, signal) => {
      stop.abort(new Error('stopped'))
      throw signal.reason
    },
    stop.signal,
  )
  expect(result).toMatchObject({ message: 'stopped' })
  expect(log).toEqual(['reserve', 'settle'])
})

test('requests use the proxy of the live browser, or a basic one for a record', async () => {
  const proxy = { url: 'http://session.example:8080' }
  expect(await learn(async () => traffic, respond)).toMatchObject({
    ...{ log: ['reserve', 'settle'], proxies: [picked.url] },
    result: { api: { id: '1' }, creditsUsed: 1 },
  })
  expect(await learn(async () => ({ ...traffic, proxy }), respond)).toMatchObject({ proxies: [proxy.url] })
  expect(await learn(async () => ({ ...traffic, proxy: undefined }), respond)).toMatchObject({ proxies: [undefined] })
})
