import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Fetcher, MakeFetcher, WireResponse } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { fakeGuard } from '../fakes/fake-guard.ts'
import { startSite, type Site } from '../site/site.ts'

interface Bench {
  readonly site: Site
  /** The target URLs that the proxy received. */
  readonly requested: readonly string[]
  /** Fetches a path of the site, or an absolute URL, through the proxy under this host name. */
  get(path: string, proxyHost?: string): Promise<WireResponse>
}

const refused = 'refused.example'
// A loopback IP too, so that a fetcher that ignores the guard reaches no other host.
const refusedHost = '127.0.0.9'

function rule(name: string, check: (bench: Bench) => Promise<void>) {
  const run = async (make: MakeFetcher) => {
    const site = await startSite()
    const requested: string[] = []
    const proxy = http.createServer((request, response) => {
      requested.push(request.url ?? '')
      const { hostname, port, pathname } = new URL(request.url ?? '')
      const forwarded = http.request({ host: hostname, port, path: pathname, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
        answer.pipe(response)
      })
      forwarded.on('error', () => response.destroy()).end()
    })
    // It listens on all interfaces, so that only the guard can prevent a connection.
    await new Promise<void>((resolve) => proxy.listen(0, '0.0.0.0', resolve))
    const { port } = proxy.address() as AddressInfo
    const fetcher: Fetcher = make(fakeGuard({ refuse: [refused, refusedHost] }))
    const get = (path: string, host = '127.0.0.1') => {
      const url = new URL(path, site.url)
      const proxy = { url: `http://${host}:${port}` }
      const request = { url, method: 'GET', headers: {}, maxBytes: 1_000_000, proxy } as const
      return fetcher.exchange(request, new AbortController().signal)
    }
    try {
      await check({ site, requested, get })
    } finally {
      await fetcher.close()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await site.close()
    }
  }
  return { name, run }
}

export const proxyRules: Contract<MakeFetcher> = [
  rule('an exchange with a proxy goes through it', async ({ get, site, requested }) => {
    const { status, body } = await get('/good/article')
    assert.equal(status, 200)
    assert.match(new TextDecoder().decode(body), /<html/i)
    assert.deepEqual(requested, [`${site.url}/good/article`])
  }),
  rule('a proxy whose address is refused is not connected to', async ({ get, requested, site }) => {
    await assert.rejects(get('/good/article', refusedHost))
    assert.deepEqual([requested, site.hits()], [[], 0])
  }),
  rule('a host that is refused is not asked for through a proxy', async ({ get, requested }) => {
    await assert.rejects(get(`http://${refused}/`))
    await assert.rejects(get(`http://${refusedHost}/`))
    assert.deepEqual(requested, [])
  }),
]
