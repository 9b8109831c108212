import { once } from 'node:events'
import { connect } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { Handler } from './node-handler.ts'
import { serve } from './serve.ts'

async function start(handle: Handler) {
  const server = await serve(handle, { port: 0, isOpen: true })
  onTestFinished(() => server.close())
  return server
}

/** Sends a request as it stands, and gives what its handler has made of it. */
async function asked<T>(read: (request: Request) => T | Promise<T>, text: string): Promise<T> {
  const seen = Promise.withResolvers<T>()
  const server = await start(async (request) => {
    const reading = Promise.resolve(read(request))
    reading.then(seen.resolve, seen.reject)
    await reading.catch(() => undefined)
    return new Response('read')
  })
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.write(text)
  return seen.promise
}

const get = (target: string, ...headers: string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: a.test:3002', ...headers, '', ''].join('\r\n')
const post = (body: string, ...headers: string[]): string =>
  ['POST / HTTP/1.1', 'Host: a.test', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')

describe('a request of Node', () => {
  test.each([
    '/',
    '/v2/scrape?x=1&y=a+b',
    '/a/../b',
    '/a/.',
    '/%2e%2e/b',
    "/a'b?q='",
    '/a..b/c.d',
    '//b.test/c',
    '/x;y',
  ])('has the address that the real class has: %s', async (target) => {
    expect(await asked(({ url }) => url, get(target))).toBe(new Request(`http://a.test:3002${target}`).url)
  })

  test('that names a whole address has that', async () => {
    expect(await asked(({ url }) => url, get('http://b.test/c'))).toBe('http://b.test/c')
  })

  test('gives its headers by name, all of them, and as they were changed', async () => {
    const read = ({ headers }: Request) => {
      const before = [headers.get('X-One'), headers.get('constructor'), headers.has('x-two')]
      headers.set('x-two', 'set')
      return [before, headers.get('x-two'), Object.fromEntries(headers), headers instanceof Headers]
    }
    expect(await asked(read, get('/', 'X-One: 1', 'X-One: 2'))).toEqual([
      ['1, 2', null, false],
      'set',
      { host: 'a.test:3002', 'x-one': '1, 2', 'x-two': 'set' },
      true,
    ])
  })

  test.each<[string, (request: Request) => unknown, unknown]>([
    ['text', (request) => request.text(), '{"a":1}'],
    ['JSON', (request) => request.json(), { a: 1 }],
    ['bytes', async (request) => [...new Uint8Array(await request.arrayBuffer())], [...Buffer.from('{"a":1}')]],
    [
      'a stream',
      async ({ body }) => {
        let all = ''
        for await (const chunk of body!) all += [...chunk].join()
        return all
      },
      [...Buffer.from('{"a":1}')].join(),
    ],
    ['a copy', (request) => request.clone().text(), '{"a":1}'],
    [
      'a real one',
      (request) => new Request(request.url, { method: 'POST', body: request.body, duplex: 'half' }).text(),
      '{"a":1}',
    ],
  ])('gives its body as %s', async (_, read, expected) => {
    expect(await asked(read, post('{"a":1}'))).toEqual(expected)
  })

  test('of a connection that asks more than once has a signal that answered ones do not abort', async () => {
    const signals: AbortSignal[] = []
    const server = await start(async (request) => (signals.push(request.signal), new Response('ok')))
    const socket = connect(server.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => (heard += String(chunk)))
    for (const count of [1, 2]) {
      socket.write(get('/'))
      await expect.poll(() => heard.split('200 OK').length - 1).toBe(count)
    }
    socket.destroy()
    await once(socket, 'close')
    expect((await fetch(server.url)).status).toBe(200)
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, false])
  })
})

describe('a response of a handler', () => {
  test('that is whole is sent with its length, and each of its cookies', async () => {
    const headers = new Headers({ 'content-type': 'text/plain' })
    for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie)
    const server = await start(async () => new Response('Grüße', { status: 201, headers }))
    const answer = await fetch(server.url)
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([201, '7', 'Grüße'])
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(201)
  })

  test('that goes on is sent as it comes, and is left off when its reader has gone', async () => {
    const left = Promise.withResolvers<void>()
    const server = await start(async () => {
      const pull = (controller: ReadableStreamDefaultController): void => controller.enqueue(Buffer.from('more'))
      return new Response(new ReadableStream({ pull, cancel: () => left.resolve() }, { highWaterMark: 0 }))
    })
    const { body } = await fetch(server.url)
    const reader = body!.getReader()
    expect(String(Buffer.from((await reader.read()).value))).toContain('more')
    await reader.cancel()
    await left.promise
  })

  test('that is none is an answer of 500, and the server goes on', async () => {
    let isGood = false
    const server = await start(async () => {
      if (!isGood) throw new Error('secret')
      return new Response()
    })
    const answer = await fetch(server.url)
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')])
    isGood = true
    expect((await fetch(server.url)).status).toBe(200)
  })
})
