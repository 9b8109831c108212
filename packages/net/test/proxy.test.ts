import { freePort } from '@harvestman/testing'
import { describe, expect, test, vi } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { dialProxy } from '../src/connect/proxy.ts'
import { parseProxy } from '../src/connect/proxy-address.ts'
import { createGuard } from '../src/guard/guard.ts'
import { authority, goodCertificate } from './certificates.ts'
import { ask, codeOf, loopback, openFetcher, soon, textOf } from './fetching.ts'
import { httpProxy, socksProxy } from './proxy.ts'
import { serve, serveRaw, serveTls } from './servers.ts'

const hello = () => serve((request, response) => void response.end(`${request.method} ${request.url}`))

describe('a page behind a proxy', () => {
  test('of plain HTTP is asked for with its whole address, and the proxy alone hears its password', async () => {
    let seen: NodeJS.Dict<string | string[]> = {}
    const site = await serve((request, response) => {
      seen = request.headers
      response.end('hello')
    })
    const proxy = await httpProxy({ credentials: 'user:word' })
    const answer = await openFetcher().exchange(ask(`${site.origin}/a?b=c`, { proxy: { url: proxy.url } }), soon())
    expect(textOf(answer)).toBe('hello')
    expect(proxy.asked).toEqual([`GET ${site.origin}/a?b=c`])
    expect(proxy.headers[0]?.['host']).toBe(`127.0.0.1:${site.port}`)
    expect(seen).not.toHaveProperty('proxy-authorization')
  })

  test('of HTTPS is behind a tunnel that the proxy cannot look into', async () => {
    const site = await serveTls(goodCertificate, (_request, response) => void response.end('secret'))
    const proxy = await httpProxy({ credentials: 'user:word' })
    const fetcher = openFetcher(undefined, { ca: [authority] })
    const request = ask(`https://localhost:${site.port}/a`, { proxy: { url: proxy.url } })
    expect(textOf(await fetcher.exchange(request, soon()))).toBe('secret')
    expect(proxy.asked).toEqual([`CONNECT localhost:${site.port}`])
    const untrusting = openFetcher()
    expect(await codeOf(untrusting.exchange(request, soon()))).toBe('tls_failed')
  })

  test('that speaks SOCKS is reached through a tunnel, with and without a password', async () => {
    const site = await hello()
    for (const credentials of [undefined, 'user:word']) {
      const proxy = await socksProxy(credentials === undefined ? {} : { credentials })
      const answer = await openFetcher().exchange(ask(`${site.origin}/a`, { proxy: { url: proxy.url } }), soon())
      expect(textOf(answer)).toBe('GET /a')
      expect(proxy.asked).toEqual([`SOCKS 127.0.0.1:${site.port}`])
    }
  })

  test('shares no connection with the same page without it', async () => {
    const site = await hello()
    const proxy = await httpProxy()
    const fetcher = openFetcher()
    for (const url of [proxy.url, undefined, proxy.url]) {
      await fetcher.exchange(ask(site.origin, { proxy: url === undefined ? undefined : { url } }), soon())
    }
    expect(proxy.asked).toHaveLength(2)
  })

  test('may have a name that only the proxy knows', async () => {
    const site = await hello()
    const proxy = await httpProxy({ all: { host: '127.0.0.1', port: site.port } })
    const resolver = async () => {
      throw new EngineError('dns_failed', 'unknown here')
    }
    const fetcher = openFetcher(createGuard({ allowPrivate: loopback, resolver }))
    const request = ask('http://unknown.example/a', { proxy: { url: proxy.url } })
    expect(textOf(await fetcher.exchange(request, soon()))).toBe('GET /a')
  })
})

test.each(['http', 'https'])('the bytes of connections through a proxy are counted, for %s', async (scheme) => {
  const body = 'x'.repeat(100_000)
  const site =
    scheme === 'http'
      ? await serve((_, response) => void response.end(body))
      : await serveTls(goodCertificate, (_, response) => void response.end(body))
  const { url } = await httpProxy()
  const fetcher = openFetcher(undefined, { ca: [authority] })
  let bytes = 0
  const onBytes = (more: number) => void (bytes += more)
  const address = site.origin.replace('127.0.0.1', 'localhost')
  await fetcher.exchange(ask(address, { proxy: { url, onBytes } }), soon())
  await fetcher.close()
  await vi.waitFor(() => expect(bytes).toBeGreaterThan(body.length), { timeout: 60_000 })
  expect(bytes).toBeLessThan(2 * body.length)
})

describe('a proxy opens nothing that the guard closes', () => {
  test.each([
    ['http://10.0.0.1/'],
    ['http://169.254.169.254/latest/'],
    ['https://[fd00::1]/'],
    ['http://inside.example/'],
    ['http://intranet/'],
  ])('%s', async (url) => {
    const proxy = await httpProxy({ all: { host: '127.0.0.1', port: 1 } })
    const resolver = async (host: string) => {
      if (host === 'inside.example') return [{ address: '192.168.0.7', family: 4 as const }]
      throw new EngineError('dns_failed', 'unknown')
    }
    const guard = createGuard({ allowPrivate: [`127.0.0.1/32:${proxy.port}`], resolver })
    expect(await codeOf(openFetcher(guard).exchange(ask(url, { proxy: { url: proxy.url } }), soon()))).toBe(
      'url_blocked',
    )
    expect(proxy.asked).toEqual([])
  })

  test('a proxy at a closed address is not connected to, and the page that was asked for is not blamed', async () => {
    const proxy = await httpProxy()
    const resolver = async () => [{ address: '93.184.216.34', family: 4 as const }]
    const guard = createGuard({ resolver })
    const request = ask('http://example.com/', { proxy: { url: proxy.url } })
    const error = await openFetcher(guard)
      .exchange(request, soon())
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'not_configured', details: { port: 'proxies' } })
    expect(proxy.asked).toEqual([])
  })
})

describe('a proxy that fails is a failed connection, and its password stays out of the words', () => {
  test.each(['http', 'https'])('when it does not know the name and the word, for %s', async (scheme) => {
    const site =
      scheme === 'http' ? await hello() : await serveTls(goodCertificate, (_, response) => void response.end())
    const { port } = await httpProxy({ credentials: 'user:word' })
    const request = ask(site.origin, { proxy: { url: `http://user:wrong@127.0.0.1:${port}` } })
    const error = await openFetcher()
      .exchange(request, soon())
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connection_failed', details: { proxy: true, status: 407 } })
    expect(JSON.stringify([(error as Error).message, (error as EngineError).details])).not.toContain('wrong')
  })

  test('when it accepts no connection in time, whoever calls has time left', async () => {
    const silent = await serveRaw(() => undefined)
    const proxy = parseProxy(`https://user:word@127.0.0.1:${silent.port}`)
    const guard = createGuard({ allowPrivate: loopback })
    const error = await dialProxy(proxy, guard, soon(), { within: 20 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connection_failed', details: { proxy: true } })
    await silent.idle()
  })

  test('when it is not there', async () => {
    const site = await hello()
    const request = ask(site.origin, { proxy: { url: `http://127.0.0.1:${await freePort()}` } })
    const error = await openFetcher()
      .exchange(request, soon())
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'connection_failed', details: { proxy: true } })
  })

  test.each([
    ['speaks something else', 'I am not a proxy\r\n\r\n'],
    ['says nothing more', 'HTTP/1.1 200'],
    ['never stops talking', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
  ])('when it %s', async (_, words) => {
    const broken = await serveRaw((socket) => socket.end(words))
    const request = ask('https://127.0.0.1:4433/', { proxy: { url: `http://127.0.0.1:${broken.port}` } })
    expect(await codeOf(openFetcher().exchange(request, soon()))).toBe('connection_failed')
  })

  test('and one that is silent ends with the signal', async () => {
    const silent = await serveRaw(() => undefined)
    const stop = new AbortController()
    const request = ask('https://127.0.0.1:4433/', { proxy: { url: `http://127.0.0.1:${silent.port}` } })
    const work = openFetcher().exchange(request, stop.signal)
    await silent.asked()
    stop.abort(new EngineError('aborted', 'enough'))
    expect(await codeOf(work)).toBe('aborted')
    await silent.idle()
  })
})
