import { once } from 'node:events'
import { Agent, request as ask, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

import { EngineError } from '@harvestman/core'
import { afterEach, describe, expect, test } from 'vitest'

import { apiKeys, createApi, serve, type Handler, type ServeOptions, type Server } from '../src/index.ts'
import { fakeEngine } from '../src/fixtures/fake-engine.ts'

const running: Server[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

async function start(handler: Handler, options: ServeOptions = {}): Promise<Server> {
  const server = await serve(handler, { port: 0, grace: 0, ...options })
  running.push(server)
  return server
}

function post(url: string, body: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' }, ...init })
}

const scrape = JSON.stringify({ url: 'a.test' })

/** Sends bytes as they are, and gives all that comes back until the connection is closed. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(text)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

describe('A server', () => {
  test('answers over HTTP, and leaves the global classes as they are', async () => {
    const before = [globalThis.Request, globalThis.Response]
    const server = await start(createApi(fakeEngine(() => ({ markdown: 'Grüße' }))))
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    const response = await post(`${server.url}/v2/scrape`, scrape)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
    const text = await response.text()
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(JSON.parse(text)).toMatchObject({ success: true, data: { markdown: 'Grüße' } })
    expect([globalThis.Request, globalThis.Response]).toEqual(before)
  })

  test('serves a function around the API as well', async () => {
    const api = createApi(fakeEngine())
    const wrapped: Handler = async (request) => {
      const response = await api(request)
      response.headers.set('x-wrapped', 'yes')
      return response
    }
    const server = await start(wrapped)
    const response = await post(`${server.url}/v2/scrape`, scrape)
    expect(response.headers.get('x-wrapped')).toBe('yes')
    expect(await response.json()).toMatchObject({ success: true })
  })

  test('answers HEAD and OPTIONS without a body', async () => {
    const server = await start(createApi(fakeEngine()))
    const head = await fetch(`${server.url}/health`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await fetch(`${server.url}/v2/scrape`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow'), await options.text()]).toEqual([204, 'POST', ''])
  })

  test('uses one connection for many requests', async () => {
    const server = await start(createApi(fakeEngine()))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (const path of ['/health', '/nowhere', '/health']) {
      const sent = ask({ port: server.port, path, agent }).end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      ports.add(answer.socket.localPort)
      answer.resume()
      await once(answer, 'end')
    }
    agent.destroy()
    expect(ports.size).toBe(1)
  })

  test('refuses names that are not of this machine when it has no keys', async () => {
    const server = await start(createApi(fakeEngine()))
    const answer = await raw(server.port, 'GET /health HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
    expect(answer).toContain('"code":"FORBIDDEN"')
    const own = await raw(server.port, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(own).toMatch(/^HTTP\/1.1 200 /)
  })

  test.each([
    ['a path with a backslash', 'GET /\\health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400],
    ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
    ['no host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}`, 431],
  ])('refuses %s, and goes on', async (_, text, status) => {
    const server = await start(createApi(fakeEngine()))
    expect(await raw(server.port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test('says in its own words what is wrong with a request that names no address', async () => {
    const server = await start(createApi(fakeEngine()))
    const answer = await raw(server.port, 'GET /\\health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(answer).toContain('"success":false,"code":"BAD_REQUEST"')
  })

  test('hangs up on who is too slow', async () => {
    const server = await start(createApi(fakeEngine()), { headersTimeout: 50, requestTimeout: 100 })
    const slowHeaders = raw(server.port, 'GET / HTTP/1.1\r\nHost: localhost\r\n')
    const slowBody = raw(
      server.port,
      'POST /v2/scrape HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    )
    for (const answer of await Promise.all([slowHeaders, slowBody])) expect(answer).toMatch(/^HTTP\/1.1 (408|499) /)
  })

  test('refuses a body that is too large, announced or not, and keeps the connection in order', async () => {
    const server = await start(createApi(fakeEngine(), { bodyBytes: 1_000 }))
    const large = JSON.stringify({ url: `a.test/${'x'.repeat(100_000)}` })
    const announced = await post(`${server.url}/v2/scrape`, large)
    expect([announced.status, ((await announced.json()) as { code: string }).code]).toEqual([413, 'BODY_TOO_LARGE'])
    const chunks = new Blob([large]).stream()
    const chunked = await post(`${server.url}/v2/scrape`, '', { body: chunks, duplex: 'half' })
    expect([chunked.status, ((await chunked.json()) as { code: string }).code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect((await post(`${server.url}/v2/scrape`, scrape)).status).toBe(200)
  })

  test('reads a chunked body', async () => {
    const server = await start(createApi(fakeEngine()))
    const body = new Blob([scrape]).stream()
    expect((await post(`${server.url}/v2/scrape`, '', { body, duplex: 'half' })).status).toBe(200)
  })

  test('aborts the work for a caller who has gone', async () => {
    const started = Promise.withResolvers<AbortSignal>()
    const engine = fakeEngine(async (_, { signal }) => {
      started.resolve(signal!)
      await once(signal!, 'abort')
      throw new EngineError('aborted', 'The caller cancelled the request.')
    })
    const server = await start(createApi(engine))
    const gone = new AbortController()
    const asking = post(`${server.url}/v2/scrape`, scrape, { signal: gone.signal }).catch(() => 'gone')
    const signal = await started.promise
    gone.abort()
    expect(await asking).toBe('gone')
    if (!signal.aborted) await once(signal, 'abort')
    expect(signal.aborted).toBe(true)
  })
})

describe('A server that closes', () => {
  function slowEngine() {
    const started = Promise.withResolvers<AbortSignal>()
    const finish = Promise.withResolvers<void>()
    const engine = fakeEngine(async (_, { signal }) => {
      started.resolve(signal!)
      await Promise.race([finish.promise, once(signal!, 'abort')])
      if (signal?.aborted) throw new EngineError('aborted', 'The caller cancelled the request.')
      return { markdown: 'done' }
    })
    return { engine, started: started.promise, finish: finish.resolve }
  }

  test('lets running requests finish, and takes no new ones', async () => {
    const { engine, started, finish } = slowEngine()
    const server = await serve(createApi(engine), { port: 0 })
    const asking = post(`${server.url}/v2/scrape`, scrape)
    await started
    const closed = server.close()
    await expect(fetch(`${server.url}/health`)).rejects.toThrow()
    finish()
    const response = await asking
    expect(await response.json()).toMatchObject({ data: { markdown: 'done' } })
    expect(response.headers.get('connection')).toBe('close')
    await closed
  })

  test('keeps no connection after the answer, whoever made that', async () => {
    const { engine, started, finish } = slowEngine()
    const api = createApi(engine)
    const server = await serve((request) => api(request), { port: 0, grace: 600_000 })
    const asking = post(`${server.url}/v2/scrape`, scrape)
    await started
    const closed = server.close()
    finish()
    expect(await (await asking).json()).toMatchObject({ data: { markdown: 'done' } })
    await closed
  })

  test('aborts what outlasts the grace period, and says when to try again', async () => {
    const { engine, started } = slowEngine()
    const server = await serve(createApi(engine), { port: 0, grace: 10 })
    const asking = post(`${server.url}/v2/scrape`, scrape)
    const signal = await started
    await server.close()
    expect(signal.aborted).toBe(true)
    const response = await asking
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ success: false, code: 'SERVER_CLOSING' })
  })

  test('cuts off what does not end though it was told to', async () => {
    const started = Promise.withResolvers<void>()
    const engine = fakeEngine(() => {
      started.resolve()
      return new Promise(() => undefined)
    })
    const server = await serve(createApi(engine), { port: 0, grace: 10 })
    const asking = post(`${server.url}/v2/scrape`, scrape).catch(() => 'cut off')
    await started.promise
    await server.close()
    expect(await asking).toBe('cut off')
  })

  test('does not wait for connections over which nothing was asked, or nothing is asked now', async () => {
    const server = await serve(createApi(fakeEngine()), { port: 0, grace: 600_000 })
    const unused = connect(server.port, '127.0.0.1')
    await once(unused, 'connect')
    unused.on('error', () => undefined).resume()
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.close()
    await server.close()
  })
})

describe('A server that cannot listen', () => {
  test('says that the port is in use', async () => {
    const { port } = await start(createApi(fakeEngine()))
    await expect(serve(createApi(fakeEngine()), { port })).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is in use. Stop the process that listens there, or choose another port.`,
    )
  })

  test('says that the address is of another machine', async () => {
    const api = createApi(fakeEngine(), { authenticate: apiKeys('key') })
    await expect(serve(api, { port: 0, host: '192.0.2.1' })).rejects.toThrow(
      /This host does not have the address 192\.0\.2\.1/,
    )
  })

  test('says that the port is none', async () => {
    await expect(serve(createApi(fakeEngine()), { port: 70_000 })).rejects.toThrow(/70000 is not a port/)
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com'])(
    'on %s for want of a key says so',
    async (host) => {
      await expect(serve(createApi(fakeEngine()), { port: 0, host })).rejects.toThrow(
        expect.objectContaining({ code: 'not_configured', message: expect.stringContaining('Configure an API key') }),
      )
      await expect(serve(async () => new Response(), { port: 0, host })).rejects.toThrow(/Configure an API key/)
    },
  )

  test('takes any address when it has a key', async () => {
    const server = await start(createApi(fakeEngine(), { authenticate: apiKeys('key') }), { host: '0.0.0.0' })
    const response = await fetch(`http://127.0.0.1:${server.port}/v2/scrape`)
    expect(response.status).toBe(405)
  })

  test('writes an address of version 6 as addresses are written, where there are any', async () => {
    const hasVersion6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
    const starting = serve(createApi(fakeEngine()), { port: 0, host: '::1' })
    if (!hasVersion6) return expect(starting).rejects.toMatchObject({ code: 'invalid_request' })
    const server = await starting
    running.push(server)
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })
})
