// The addresses of `guard.test.ts` again, through a pool of proxies.
import { createServer, type AddressInfo } from 'node:net'

import { createEngine, staticProxies } from '@harvestman/core'
import { createApi } from '@harvestman/http'
import { impitFetcher } from '@harvestman/puppeteer/impit'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { forbiddenAddresses } from '../../packages/net/test/forbidden-addresses.ts'
import { httpProxy, socksProxy } from '../../packages/net/test/proxy.ts'

let connections = 0
const listener = createServer((socket) => {
  connections += 1
  socket.destroy()
})
let port = 0

beforeAll(async () => {
  await new Promise<void>((ready) => listener.listen(0, '::', ready))
  port = (listener.address() as AddressInfo).port
})
afterAll(() => listener.close())

const tiers = ['basic', 'enhanced'] as const

const kinds = { HTTP: httpProxy, SOCKS: socksProxy } as const

test.each([
  ['HTTP', 'the default fetcher', undefined],
  ['SOCKS', 'the default fetcher', undefined],
  ['HTTP', 'impit', impitFetcher()],
  ['SOCKS', 'impit', impitFetcher()],
] as const)(
  'no spelling of a forbidden address passes %s proxies of a pool with %s, nor is an address itself a proxy',
  async (kind, _, fetcher) => {
    const open = kinds[kind]
    const proxies = [await open(), await open()]
    const allowPrivate = proxies.map((proxy) => `127.0.0.1/32:${proxy.port}`)
    const urls = proxies.map(({ url }) => url)
    await using engine = createEngine({
      allowPrivate,
      fetcher,
      proxies: staticProxies({ basic: urls, enhanced: urls }),
    })
    const api = createApi(engine)
    const odd: string[] = []
    // The TLS of impit is only for https.
    const spellings = forbiddenAddresses(port).map((url) => (fetcher ? url.replace(/^http:/i, 'https:') : url))
    expect(spellings.length).toBeGreaterThanOrEqual(150)
    for (const url of spellings) {
      for (const proxy of tiers) {
        const body = JSON.stringify({ url, proxy, timeout: 30_000 })
        const headers = { 'content-type': 'application/json' }
        const answer = await api(new Request('http://localhost/v2/scrape', { method: 'POST', body, headers }))
        const { success, code } = (await answer.json()) as { success: boolean; code: string }
        const isRefused = !success && ((answer.status === 403 && code === 'URL_BLOCKED') || answer.status === 400)
        if (!isRefused) odd.push(`${proxy} ${url} → ${answer.status} ${code}`)
      }
    }
    expect(odd).toEqual([])
    expect(proxies.flatMap(({ asked }) => asked)).toEqual([])
    expect(connections).toBe(0)
  },
)

test('no spelling of a forbidden address is connected to as a proxy of a pool', async () => {
  const odd: string[] = []
  for (const url of forbiddenAddresses(port)) {
    const address = URL.parse(url)
    if (address?.protocol !== 'http:') continue
    await using engine = createEngine({ proxies: staticProxies({ basic: [address.origin] }) })
    const error: unknown = await engine.scrape({ url: 'http://93.184.216.34/' }).catch((thrown: unknown) => thrown)
    const { code } = error as { code?: string }
    if (code !== 'not_configured' && code !== 'connection_failed') odd.push(`${url} → ${code}`)
  }
  expect(odd).toEqual([])
  expect(connections).toBe(0)
})
