import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import zlib from 'node:zlib'

import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { EngineError, type Address, type Guard } from '@harvestman/ports'
import { createGuard, fetchFollowing } from '@harvestman/net'

import {
  expiredCertificate,
  goodCertificate,
  key,
  otherNameCertificate,
  selfSignedCertificate,
} from '../../../net/test/certificates.ts'
import { ask, codeOf, loopback, soon, textOf } from '../../../net/test/fetching.ts'
import { forbiddenAddresses } from '../../../net/test/forbidden-addresses.ts'
import { httpProxy, socksProxy } from '../../../net/test/proxy.ts'
import { serve, serveRaw, serveTls } from '../../../net/test/servers.ts'
import { serveWire } from '../../../net/test/wire/wire-server.ts'
import { openImpit } from './fetching.ts'

const skipTlsVerification = true
const at = (address: string): Address => ({ address, family: address.includes(':') ? 6 : 4 })
const hello = () =>
  serveTls(goodCertificate, (request, response) => void response.end(`${request.method} ${request.url}`))
const secure = (url: string): string => url.replace(/^http:/i, 'https:')

describe('a forbidden address', () => {
  test('is refused in every spelling, also without the check of the URL, and sees no connection', async () => {
    const listener = await serveRaw((socket) => socket.destroy())
    const guard = createGuard()
    const careless: Guard = { ...guard, checkUrl: () => undefined }
    const urls = forbiddenAddresses(listener.port)
      .map((text) => URL.parse(secure(text)))
      .filter((url) => url?.protocol === 'https:')
    expect(urls.length).toBeGreaterThanOrEqual(150)
    for (const one of [guard, careless]) {
      const fetcher = openImpit(one)
      const codes = await Promise.all(urls.map((url) => codeOf(fetcher.exchange(ask(url!.href), soon()))))
      expect(new Set(codes)).toEqual(new Set(['url_blocked']))
    }
    expect(listener.connections()).toBe(0)
  })

  test('is refused as the target of a redirect, in every spelling', async () => {
    const listener = await serveRaw((socket) => socket.destroy())
    let location = ''
    const site = await serveTls(goodCertificate, (_, response) => void response.writeHead(302, { location }).end())
    const guard = createGuard({ allowPrivate: [`127.0.0.1:${site.port}`] })
    const fetcher = openImpit(guard)
    const all = forbiddenAddresses(listener.port)
      .map(secure)
      .filter((text) => /^https:[/\\]{2}/i.test(text) && !/[\t\n]/.test(text))
    expect(all.length).toBeGreaterThanOrEqual(100)
    for (const text of all) {
      location = Buffer.from(text).toString('latin1')
      const code = await codeOf(fetchFollowing(fetcher, guard, ask(site.origin, { skipTlsVerification }), soon()))
      expect([text, code]).toEqual([text, expect.stringMatching(/url_blocked|bad_response/)])
    }
    expect(listener.connections()).toBe(0)
  })

  test('is not reached by a name that changes its address after the look-up', async () => {
    const open = await hello()
    let turn = 0
    const resolver = async () => [at((turn += 1) % 2 === 1 ? '127.0.0.1' : '127.0.0.2')]
    const fetcher = openImpit(createGuard({ allowPrivate: [`127.0.0.1:${open.port}`], resolver }))
    const request = ask(`https://rebind.example.com:${open.port}/`, { skipTlsVerification, owner: undefined })
    const codes: string[] = []
    for (let count = 0; count < 20; count += 1) codes.push(await codeOf(fetcher.exchange(request, soon())))
    expect(codes).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'no error' : 'url_blocked')))
    expect(open.connections()).toBe(10)
  })
})

describe('a proxy', () => {
  test.each([
    ['HTTP', httpProxy, 'CONNECT'],
    ['SOCKS', socksProxy, 'SOCKS'],
  ] as const)('%s is used with its password, and sees only a tunnel', async (_, open, verb) => {
    const site = await hello()
    const proxy = await open({ credentials: 'user:word' })
    let bytes = 0
    const onBytes = (count: number): void => void (bytes += count)
    const fetcher = openImpit()
    const request = ask(`${site.origin}/a`, { skipTlsVerification, proxy: { url: proxy.url, onBytes } })
    expect(textOf(await fetcher.exchange(request, soon()))).toBe('GET /a')
    expect(proxy.asked).toEqual([`${verb} 127.0.0.1:${site.port}`])
    await fetcher.close()
    await expect.poll(() => bytes).toBeGreaterThan(500)
  })

  test.each([httpProxy, socksProxy])('is not used for a name that leads to a private address', async (open) => {
    const proxy = await open()
    const addresses = [at('10.0.0.1')]
    const guard = createGuard({ allowPrivate: [`127.0.0.1:${proxy.port}`], resolver: async () => addresses })
    const request = ask('https://intranet.example.com/', { proxy: { url: proxy.url } })
    expect(await codeOf(openImpit(guard).exchange(request, soon()))).toBe('url_blocked')
    expect(proxy.asked).toEqual([])
  })

  test('that rejects the password is an error of the proxy', async () => {
    const { port } = await httpProxy({ credentials: 'user:word' })
    const request = ask('https://a.example/', { proxy: { url: `http://user:other@127.0.0.1:${port}` } })
    const error = await openImpit()
      .exchange(request, soon())
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'connection_failed', details: { proxy: true, status: 407 } })
  })
})

describe('a certificate', () => {
  const guard = createGuard({ allowPrivate: loopback, resolver: async () => [at('127.0.0.1')] })
  test.each([
    ['expired', expiredCertificate, /has expired|trusted authority/],
    ['of another name', otherNameCertificate, /another name|trusted authority/],
    ['self-signed', selfSignedCertificate, /trusted authority|is not valid/],
    ['of an unknown authority', goodCertificate, /trusted authority/],
  ])('that is %s is refused with a message of ours', async (_, certificate, what) => {
    const site = await serveTls(certificate, (_request, response) => response.end('ok'))
    const fetcher = openImpit(guard)
    const error: unknown = await fetcher.exchange(ask(site.origin), soon()).catch((caught: unknown) => caught)
    expect(EngineError.is(error) && error.code).toBe('tls_failed')
    expect(String(error)).toMatch(what)
    expect(String(error)).toContain('skipTlsVerification')
    expect(textOf(await fetcher.exchange(ask(site.origin, { skipTlsVerification }), soon()))).toBe('ok')
  })
})

describe('a connection', () => {
  test('is used again for the same host and owner', async () => {
    const site = await hello()
    const fetcher = openImpit()
    for (let count = 0; count < 5; count += 1) await fetcher.exchange(ask(site.origin, { skipTlsVerification }), soon())
    expect(site.connections()).toBe(1)
  })

  test('that the host closed while it was idle is replaced', async () => {
    const site = await hello()
    const fetcher = openImpit()
    for (let count = 0; count < 20; count += 1) {
      await fetcher.exchange(ask(site.origin, { skipTlsVerification }), soon())
      site.cut()
    }
    expect(site.connections()).toBe(20)
  })

  test('is not opened for an exchange that was still being checked when the fetcher was closed', async () => {
    const proxy = await httpProxy()
    const [checking, checked] = [Promise.withResolvers<void>(), Promise.withResolvers<Address[]>()]
    const resolver = (): Promise<Address[]> => {
      checking.resolve()
      return checked.promise
    }
    const fetcher = openImpit(createGuard({ allowPrivate: loopback, resolver }))
    const request = ask('https://a.example/', { proxy: { url: proxy.url } })
    const code = codeOf(fetcher.exchange(request, soon()))
    await checking.promise
    await fetcher.close()
    checked.resolve([at('93.184.215.14')])
    expect(await code).toBe('closed')
    expect(proxy.asked).toEqual([])
  })

  test('that a host does not accept ends with the deadline of the connection', async () => {
    const silent = await serveRaw(() => undefined)
    const url = `https://127.0.0.1:${silent.port}/`
    const code = codeOf(openImpit(undefined, { headersTimeout: 50 }).exchange(ask(url), soon()))
    expect(await code).toBe('timeout')
    await silent.idle()
  })
})

describe('a request', () => {
  const identity = {
    'sec-ch-ua': '"Chromium";v="156"',
    'user-agent': 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36',
    accept: 'text/html',
    'sec-fetch-dest': 'document',
    'accept-encoding': 'gzip',
    'accept-language': 'fr',
    cookie: 'a=1',
  }

  async function sentBy(headers: Record<string, string>) {
    const seen: (readonly (readonly [string, string])[])[] = []
    const echo = await serveWire((visit) => (seen.push(visit.headers), { body: 'ok' }), { cert: goodCertificate, key })
    await openImpit().exchange(ask(`https://localhost:${echo.port}/`, { skipTlsVerification, headers }), soon())
    const [{ alpn } = {}] = echo.connections
    await echo.close()
    return { alpn, headers: (seen[0] ?? []).filter(([name]) => !name.startsWith(':')) }
  }

  test('is sent over HTTP/2 with the given headers in their order, and the priority of a document', async () => {
    expect(await sentBy(identity)).toEqual({
      alpn: 'h2',
      headers: [...Object.entries(identity), ['priority', 'u=0, i']],
    })
  })

  test('has no headers that were not given, except for the encodings', async () => {
    const headers = [
      ['accept', '*/*'],
      ['accept-encoding', 'gzip, deflate, br, zstd'],
    ]
    expect(await sentBy({ accept: '*/*' })).toEqual({ alpn: 'h2', headers })
  })

  test('of another client than Chrome does not look like a browser', async () => {
    const { alpn, headers } = await sentBy({ 'user-agent': 'Bot/1.0' })
    expect(alpn).not.toBe('h2')
    expect(headers).toContainEqual(['User-Agent', 'Bot/1.0'])
  })

  test('to an IPv6 address goes to the plain fetcher', async () => {
    const server = https.createServer({ cert: goodCertificate, key }, (request, response) =>
      response.end(request.headers.host),
    )
    await new Promise<void>((resolve) => server.listen(0, '::1', resolve))
    onTestFinished(() => {
      server.close().closeAllConnections()
    })
    const host = `[::1]:${(server.address() as AddressInfo).port}`
    expect(textOf(await openImpit().exchange(ask(`https://${host}/`, { skipTlsVerification }), soon()))).toBe(host)
  })

  test('over plain HTTP goes to the plain fetcher', async () => {
    const site = await serve((_, response) => response.end('plain'))
    expect(textOf(await openImpit().exchange(ask(site.origin), soon()))).toBe('plain')
  })
})

test('a body that decompresses to more than a hundred times its size is refused', async () => {
  const packed = zlib.gzipSync(Buffer.alloc(9_000_000))
  const site = await serveTls(goodCertificate, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
  })
  const error: unknown = await openImpit()
    .exchange(ask(site.origin, { skipTlsVerification }), soon())
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'response_too_large', details: { ratio: 100 } })
})

test('the time within a body does not run while the consumer pauses it', async () => {
  const site = await serveTls(goodCertificate, (_, response) => void response.end(Buffer.alloc(500_000)))
  let pause: Promise<void> | undefined
  const take = () => () => (pause ? undefined : (pause = setTimeout(3_000)))
  const fetcher = openImpit(undefined, { bodyTimeout: 2_000 })
  expect(await codeOf(fetcher.exchange(ask(site.origin, { skipTlsVerification, take }), soon()))).toBe('no error')
})

test('a local port that cannot be opened fails the request, and the next one tries again', async () => {
  const site = await hello()
  const listen = vi.spyOn(net.Server.prototype, 'listen').mockImplementationOnce(function (this: net.Server) {
    process.nextTick(() => this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' })))
    return this
  })
  onTestFinished(() => listen.mockRestore())
  const fetcher = openImpit()
  const error: unknown = await fetcher
    .exchange(ask(site.origin, { skipTlsVerification }), soon())
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'connection_failed', message: expect.stringContaining('local port') })
  expect(await codeOf(fetcher.exchange(ask(site.origin, { skipTlsVerification }), soon()))).toBe('no error')
})

test('headers come in the order received, with the encoding of a body that was decompressed', async () => {
  const raw = ['X-Later', '1', 'A-First', 'ü', 'Location', '/a', 'Location', '/b']
  const site = await serveTls(goodCertificate, (_, response) => {
    response.sendDate = false
    response.writeHead(200, raw).end('ok')
  })
  const { headers } = await openImpit().exchange(ask(site.origin, { skipTlsVerification }), soon())
  expect(headers.slice(0, 4)).toEqual([
    ['x-later', '1'],
    ['a-first', 'ü'],
    ['location', '/a'],
    ['location', '/b'],
  ])
})
