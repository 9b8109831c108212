import assert from 'node:assert/strict'

import type { Fetcher, MakeFetcher, WireRequest, WireResponse } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import { fakeGuard, RefusedError, type FakeGuard } from '../fakes/fake-guard.ts'
import { startSite, type Site } from '../site/site.ts'
import { ownerRules } from './fetcher-owners.ts'
import { proxyRules } from './fetcher-proxy.ts'
import { reasonOf, until } from './until.ts'

interface Bench {
  readonly site: Site
  readonly guard: FakeGuard
  readonly fetcher: Fetcher
  get(path: string, more?: Partial<WireRequest>, signal?: AbortSignal): Promise<WireResponse>
}

const megabyte = 1_000_000
const named = 'named.example'
const refused = 'refused.example'
// A loopback IP too, so that a fetcher that ignores the guard reaches no other host.
const refusedHost = '127.0.0.9'

type Check = (bench: Bench) => Promise<void>

function rule(name: string, check: Check) {
  return { name, check, run: (make: MakeFetcher) => run(check, make, false) }
}

async function run(check: Check, make: MakeFetcher, isSecure: boolean): Promise<void> {
  const site = await startSite({ isSecure })
  const guard = fakeGuard({ names: { [named]: '127.0.0.1' }, refuse: [refused, refusedHost] })
  const fetcher = make(guard)
  const get = (path: string, more: Partial<WireRequest> = {}, signal = new AbortController().signal) => {
    const url = new URL(path, site.url)
    const request = { url, method: 'GET', headers: {}, maxBytes: 10 * megabyte, skipTlsVerification: isSecure } as const
    return fetcher.exchange({ ...request, ...more }, signal)
  }
  try {
    await check({ site, guard, fetcher, get })
  } finally {
    await fetcher.close()
    await site.close()
  }
}

async function takePieces(get: Bench['get'], path: string, maxBytes = 10 * megabyte) {
  const taken: Uint8Array[] = []
  const heads: number[] = []
  let [atOnce, maxAtOnce] = [0, 0]
  const take = async (piece: Uint8Array) => {
    maxAtOnce = Math.max(maxAtOnce, ++atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    taken.push(piece)
    atOnce -= 1
  }
  const answer = await get(path, {
    maxBytes,
    take: ({ status }) => {
      heads.push(status)
      return take
    },
  })
  return { answer, taken, heads, mostAtOnce: maxAtOnce }
}

const textOf = ({ body }: WireResponse) => new TextDecoder().decode(body)
const headerOf = ({ headers }: WireResponse, name: string) =>
  headers.filter(([one]) => one === name).map(([, value]) => value)

interface Echo {
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}
const echoOf = (response: WireResponse) => JSON.parse(textOf(response)) as Echo

const exchanges = [
  rule('an exchange gives the status, the headers and the body', async ({ get }) => {
    const response = await get('/good/article')
    assert.equal(response.status, 200)
    assert.deepEqual(headerOf(response, 'content-type'), ['text/html; charset=utf-8'])
    assert.ok(textOf(response).includes('How harvestmen walk'))
  }),
  rule('every status is an answer and no failure', async ({ get }) => {
    for (const status of [201, 204, 206, 304, 400, 404, 418, 429, 500, 503, 599])
      assert.equal((await get(`/status/${status}`)).status, status)
  }),
  rule('headers come in their order, in lower case, with their repeats', async ({ get }) => {
    const cookies = headerOf(await get('/cookie/many'), 'set-cookie')
    assert.deepEqual(cookies.slice(0, 3), ['plain=1', 'twice=1; Path=/', 'twice=2; Path=/'])
    assert.equal(cookies.length, 8)
  }),
  rule('the method, the headers and the body are sent', async ({ get }) => {
    const headers = { 'x-one': 'value', 'user-agent': 'Contract', cookie: 'a=1; b=2', 'content-type': 'text/plain' }
    const echo = echoOf(await get('/echo', { method: 'POST', headers, body: new TextEncoder().encode('Grüße') }))
    assert.equal(echo.method, 'POST')
    assert.equal(echo.body, 'Grüße')
    const came = new Map(echo.headers)
    for (const [name, value] of Object.entries(headers)) assert.equal(came.get(name), value)
  }),
  rule('a HEAD has no body, and the headers of the page', async ({ get }) => {
    const response = await get('/good/article', { method: 'HEAD' })
    assert.equal(response.body.length, 0)
    assert.ok(Number(headerOf(response, 'content-length')[0]) > 1000)
  }),
  rule('a redirect is not followed', async ({ get, site }) => {
    const response = await get('/redirect/chain/3')
    assert.equal(response.status, 302)
    assert.deepEqual(headerOf(response, 'location'), ['/redirect/chain/2'])
    assert.equal(site.hits(), 1)
  }),
  rule('nothing is remembered from one exchange to the next', async ({ get }) => {
    await get('/cookie/set')
    assert.equal(textOf(await get('/cookie/show')), '{}')
  }),
]

const guarded = [
  rule('a name is connected to at the address that the guard gave', async ({ get, guard, site }) => {
    const { port, protocol } = new URL(site.url)
    const echo = echoOf(await get(`${protocol}//${named}:${port}/echo`))
    assert.equal(new Map(echo.headers).get('host'), `${named}:${port}`)
    assert.ok(guard.requested.includes(`${named}:${port}`))
  }),
  rule('a name that the guard refuses is not connected to, and the guard says why', async ({ get, site }) => {
    const { port, protocol } = new URL(site.url)
    const error = await reasonOf(get(`${protocol}//${refused}:${port}/echo`))
    assert.ok(error instanceof RefusedError, `It rejected with another error: ${String(error)}`)
    assert.equal(site.hits(), 0)
  }),
  rule('an address that is written as the host is asked for too', async ({ fetcher, guard, site, get }) => {
    await get('/echo')
    assert.ok(guard.requested.some((asked) => asked.includes('127.0.0.1')))
    const { port, protocol } = new URL(site.url)
    const url = new URL(`${protocol}//${refusedHost}:${port}/echo`)
    const exchange = fetcher.exchange({ url, method: 'GET', headers: {}, maxBytes: 1 }, new AbortController().signal)
    assert.ok((await reasonOf(exchange)) instanceof RefusedError)
    assert.equal(site.hits(), 1)
  }),
]

const bounded = [
  ...['gzip', 'deflate', 'br', 'zstd'].map((encoding) =>
    rule(`a body that is packed with ${encoding} comes unpacked`, async ({ get }) => {
      const [packed, plain] = [await get(`/packed/${encoding}`), await get('/good/article')]
      assert.equal(textOf(packed), textOf(plain))
    }),
  ),
  rule('a body of just the largest size is taken', async ({ get }) => {
    assert.equal((await get('/huge/body?mb=2', { maxBytes: 2 * megabyte })).body.length, 2 * megabyte)
  }),
  rule('a body that is larger is refused with response_too_large', async ({ get }) => {
    for (const path of ['/huge/body?mb=2', '/huge/endless', '/bomb/gzip?mb=1000', '/bomb/br?mb=1000'])
      assert.equal(codeOf(await reasonOf(get(path, { maxBytes: 2 * megabyte - 1 }))), 'response_too_large', path)
  }),
  rule(
    'a body of many small gzip members is refused, as too large or as one that is not supported',
    async ({ get }) => {
      const code = codeOf(await reasonOf(get('/bomb/members', { maxBytes: 2 * megabyte - 1 })))
      assert.ok(code === 'response_too_large' || code === 'bad_response', `It rejected with the code ${String(code)}.`)
    },
  ),
  rule(
    'a body that is taken piece by piece is the same, one piece at a time, and within the same limits',
    async ({ get }) => {
      for (const path of ['/good/article', '/packed/gzip', '/packed/br', '/huge/body?mb=2']) {
        const [whole, pieces] = [await get(path), await takePieces(get, path)]
        assert.equal(Buffer.compare(Buffer.concat([...pieces.taken, pieces.answer.body]), whole.body), 0, path)
        assert.ok(pieces.taken.length === 0 || pieces.answer.body.length === 0, 'A piece was given twice.')
        assert.equal(pieces.mostAtOnce <= 1, true, 'A piece came before the one before it was taken.')
      }
      for (const path of ['/huge/body?mb=2', '/huge/endless', '/bomb/gzip?mb=1000'])
        assert.equal(codeOf(await reasonOf(takePieces(get, path, 2 * megabyte - 1))), 'response_too_large', path)
    },
  ),
  rule('the body of a redirect is not offered piece by piece', async ({ get }) => {
    const { answer, heads } = await takePieces(get, '/redirect/chain/3')
    assert.deepEqual([answer.status, heads], [302, []])
  }),
  rule('headers of a megabyte are refused', async ({ get }) => {
    await assert.rejects(get('/broken/large-header'))
  }),
]

const broken = [
  ...[
    '/broken/empty',
    '/broken/reset',
    '/broken/wire/garbage',
    '/broken/wire/status-line',
    '/broken/wire/chunk-size',
    '/broken/wire/chunk-cut',
    '/broken/wire/close-after-headers',
    '/broken/wire/close-in-body',
    '/broken/wire/reset-in-body',
  ].map((path) =>
    rule(`${path} rejects, and is no page that is cut off`, async ({ get }) => {
      const code = codeOf(await reasonOf(get(path)))
      assert.ok(code === 'connection_failed' || code === 'bad_response', `It rejected with the code ${String(code)}.`)
      assert.equal((await get('/good/article')).status, 200)
    }),
  ),
  ...['/slow/silent', '/slow/headers', '/slow/body', '/huge/endless'].map((path) =>
    rule(`${path} rejects with the reason when its signal is aborted meanwhile`, async ({ get, site }) => {
      const controller = new AbortController()
      const reason = new Error('no more')
      const answered = reasonOf(get(path, { maxBytes: 1e12 }, controller.signal))
      await until('the request arrives', () => site.hits(path) === 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      controller.abort(reason)
      assert.equal(await answered, reason)
    }),
  ),
  rule('an address that never answers rejects with the reason when its signal is aborted', async ({ get, site }) => {
    const controller = new AbortController()
    const reason = new Error('no more')
    const answered = reasonOf(get(site.silent, {}, controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(reason)
    assert.equal(await answered, reason)
  }),
  rule('a signal that is aborted already rejects with the reason, and nothing is sent', async ({ get, site }) => {
    const reason = new Error('no more')
    assert.equal(await reasonOf(get('/echo', {}, AbortSignal.abort(reason))), reason)
    assert.equal(site.hits(), 0)
  }),
  rule('every exchange after closing rejects, but closing again', async ({ get, fetcher }) => {
    await fetcher.close()
    await assert.rejects(get('/echo'))
    await fetcher.close()
  }),
]

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)

/** The contract of the `Fetcher` port. Runs the bad pages of the test site against it, on localhost. */
export const fetcherContract: Contract<MakeFetcher> = [
  ...exchanges,
  ...guarded,
  ...bounded,
  ...broken,
  ...proxyRules,
  ...ownerRules,
]

/** The rules of `fetcherContract` for pages, over HTTPS with a certificate that is not checked. */
export const secureFetcherContract: Contract<MakeFetcher> = [...exchanges, ...guarded, ...bounded, ...broken].map(
  ({ name, check }) => ({ name: `over HTTPS, ${name}`, run: (make) => run(check, make, true) }),
)
