// Jobs over a real server: what a socket makes of pieces, streams and WebSockets.
import { once } from 'node:events'
import { connect } from 'node:net'

import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket as Client } from 'ws'

import { apiKeys, createApi, serve, type ApiOptions, type Server } from '../src/index.ts'
import { fakeEngine, metadataOf, someId } from '../src/fixtures/fake-engine.ts'

const closing: (() => unknown)[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const close of closing.splice(0)) await close()
})

const metadata = metadataOf('a')

async function start(options: ApiOptions = {}) {
  const engine = fakeEngine()
  const server: Server = await serve(createApi(engine, options), { port: 0, grace: 5_000 })
  closing.push(() => server.close())
  return { engine, server }
}

function watch(server: Server, path: string, protocol?: string, headers: Record<string, string> = {}) {
  const socket = new Client(server.url.replace('http', 'ws') + path, protocol, { headers })
  closing.push(() => socket.terminate())
  const heard: Record<string, unknown>[] = []
  socket.on('message', (data, isBinary) => {
    expect(isBinary).toBe(false)
    heard.push(JSON.parse((data as Buffer).toString()))
  })
  socket.on('error', () => undefined)
  const closed = new Promise<readonly [number, Buffer]>((resolve) => {
    socket.on('close', (code, reason) => resolve([code, reason]))
  }).then(([code, reason]) => ({ code, reason: String(reason) }))
  return { socket, heard, closed }
}

describe('The state of a job', () => {
  test('is sent in its pieces, with their length', { tags: ['long'] }, async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const texts = Array.from({ length: 40 }, (_, index) => `${index} ä ${'x'.repeat(100_000)}`)
    job.add(...texts.map((markdown) => ({ markdown, metadata })))
    const response = await fetch(`${server.url}/v2/crawl/${job.id}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(Number(response.headers.get('content-length'))).toBe(bytes.byteLength)
    const body = JSON.parse(new TextDecoder().decode(bytes)) as { readonly data: readonly { markdown: string }[] }
    expect(body.data.map(({ markdown }) => markdown)).toEqual(texts)
    const head = await fetch(`${server.url}/v2/crawl/${job.id}`, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

test('Who leaves before he is answered is no fault, though his request breaks off', async () => {
  const faults: unknown[] = []
  const { engine, server } = await start({ onFault: (fault) => void faults.push(fault) })
  const job = engine.start()
  const waits = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  job.page = ({ signal }) =>
    new Promise((_, reject) => {
      waits.resolve()
      signal?.addEventListener('abort', () => {
        reject(signal.reason)
        setImmediate(left.resolve)
      })
    })
  const gone = new AbortController()
  const asked = fetch(`${server.url}/v2/crawl/${job.id}?skip=0`, { signal: gone.signal })
  await waits.promise
  gone.abort()
  await expect(asked).rejects.toThrow(/abort/i)
  await left.promise
  expect(faults).toEqual([])
})

describe('The events of a job', () => {
  test('are sent as they happen, and let go of when the listener hangs up', async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const gone = new AbortController()
    const response = await fetch(`${server.url}/v2/crawl/${job.id}/events`, { signal: gone.signal })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.has('content-length')).toBe(false)
    let text = ''
    const reading = (async () => {
      for await (const chunk of response.body!) text += new TextDecoder().decode(chunk)
    })().catch(() => 'gone')
    await expect.poll(() => text).toContain('event: started')
    job.add({ markdown: 'a', metadata })
    await expect.poll(() => text).toContain('event: page')
    gone.abort()
    await reading
    await expect.poll(() => job.listeners).toBe(0)
  })

  test('do not keep a server from closing', async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const response = await fetch(`${server.url}/v2/crawl/${job.id}/events`)
    const closed = server.close()
    expect(await response.text()).toContain('retry: 2000')
    await closed
    job.finish('completed')
  })

  test('are not begun for HEAD', async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const response = await fetch(`${server.url}/v2/crawl/${job.id}/events`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(job.listeners).toBe(0)
  })
})

describe('A WebSocket', () => {
  test('tells of a job until it has ended, and closes', async () => {
    const { engine, server } = await start({ authenticate: apiKeys('acme:fc-1')! })
    const job = engine.start({ team: 'acme' })
    job.add({ markdown: 'ä', metadata }, { markdown: 'b', metadata })
    const { socket, heard, closed } = watch(server, `/v2/crawl/${job.id}`, 'fc-1')
    await once(socket, 'message')
    expect(socket.protocol).toBe('fc-1')
    job.add({ markdown: 'c', metadata })
    job.finish('completed')
    expect(await closed).toEqual({ code: 1000, reason: '{"type":"done"}' })
    expect(heard).toMatchObject([
      { type: 'catchup', data: { data: [{ markdown: 'ä' }, { markdown: 'b' }] } },
      { type: 'document', data: { markdown: 'c' } },
      { type: 'done', data: { status: 'completed' } },
    ])
  })

  test('takes the key from a header as well, and is closed for who has none', async () => {
    const { engine, server } = await start({ authenticate: apiKeys('fc-1')! })
    const path = `/v1/crawl/${engine.start().id}`
    const known = watch(server, path, undefined, { authorization: 'Bearer fc-1' })
    await once(known.socket, 'message')
    expect(await watch(server, path, 'fc-2').closed).toMatchObject({ code: 3000 })
    expect(await watch(server, path).closed).toMatchObject({ code: 3000 })
    expect(await watch(server, `/v1/crawl/${someId}`, 'fc-1').closed).toMatchObject({ code: 1008 })
  })

  test('is refused for pages that may not use the API, and where there is none', async () => {
    const { engine, server } = await start()
    const path = `/v2/crawl/${engine.start().id}`
    const refused = async (...args: Parameters<typeof watch>) => {
      const { socket } = watch(...args)
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      return response.statusCode
    }
    expect(await refused(server, path, undefined, { origin: 'https://evil.test' })).toBe(403)
    expect(await refused(server, path, undefined, { host: 'evil.test' })).toBe(403)
    expect(await refused(server, '/v2/scrape')).toBe(404)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
  })

  test('lets go of the job when the listener hangs up', async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const { socket } = watch(server, `/v2/crawl/${job.id}`)
    await once(socket, 'message')
    await expect.poll(() => job.listeners).toBe(1)
    socket.terminate()
    await expect.poll(() => job.listeners).toBe(0)
  })

  test('lets go of who does not answer any more', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { engine, server } = await start()
    const job = engine.start()
    const silent = connect(server.port, '127.0.0.1')
    closing.push(() => silent.destroy())
    const lines = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
    silent.write(`GET /v2/crawl/${job.id} HTTP/1.1\r\n${[...lines, key].join('\r\n')}\r\n\r\n`)
    silent.on('data', () => undefined)
    await expect.poll(() => job.listeners).toBe(1)
    vi.advanceTimersByTime(30_000)
    expect(job.listeners).toBe(1)
    vi.advanceTimersByTime(30_000)
    await expect.poll(() => job.listeners).toBe(0)
  })

  test('makes no more for a slow listener than it takes', { tags: ['long'] }, async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const large = { markdown: 'x'.repeat(2_000_000), metadata }
    const { socket } = watch(server, `/v2/crawl/${job.id}`)
    await once(socket, 'message')
    let read = 0
    socket.pause()
    const counted = () => ({
      ...large,
      get html() {
        read += 1
        return ''
      },
    })
    job.add(...Array.from({ length: 30 }, counted))
    await expect.poll(() => read).toBeGreaterThan(0)
    for (let round = 0; round < 50; round += 1) await fetch(`${server.url}/health`)
    expect(read).toBeLessThan(20)
    socket.resume()
    await expect.poll(() => read).toBe(30)
  })

  test('is said goodbye to when the server closes', async () => {
    const { engine, server } = await start()
    const job = engine.start()
    const { socket, closed } = watch(server, `/v2/crawl/${job.id}`)
    await once(socket, 'message')
    await server.close()
    expect(await closed).toMatchObject({ code: 1001 })
    await expect.poll(() => job.listeners).toBe(0)
  })
})
