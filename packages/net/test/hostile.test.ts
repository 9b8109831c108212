import net, { type AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { EngineError } from '@harvestman/ports'
import { createGuard } from '../src/guard/guard.ts'
import { ask, codeOf, loopback, openFetcher, soon, textOf } from './fetching.ts'
import { serve, serveRaw, serveText, type Served } from './servers.ts'

const head = 'HTTP/1.1 200 OK\r\n'

/** Answers with a beginning, and then the same piece for ever. */
function serveForEver(beginning: string, piece: Buffer): Promise<Served> {
  return serveRaw((socket) => {
    socket.on('data', () => {
      socket.write(beginning)
      const more = (): void => void (socket.destroyed || socket.write(piece, () => setImmediate(more)))
      more()
    })
  })
}

describe('a body', () => {
  test('of 200 MB is refused at the cap, and its connection is closed', async () => {
    const site = await serveForEver(`${head}Content-Length: 200000000\r\n\r\n`, Buffer.alloc(65_536))
    const before = process.memoryUsage.rss()
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('response_too_large')
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
    await site.idle()
  })

  test('that is announced to be too large is refused before it is read', async () => {
    const site = await serveText(`${head}Content-Length: 51\r\n\r\n`)
    expect(await codeOf(openFetcher().exchange(ask(site.origin, { maxBytes: 50 }), soon()))).toBe('response_too_large')
  })

  test('of exactly the largest size is taken', async () => {
    const site = await serveText(`${head}Content-Length: 50\r\n\r\n${'x'.repeat(50)}`)
    expect((await openFetcher().exchange(ask(site.origin, { maxBytes: 50 }), soon())).body).toHaveLength(50)
  })

  test.each([
    ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n`, Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`)],
    ['until the end of the connection', `${head}\r\n`, Buffer.alloc(16_384)],
    ['packed', `${head}Content-Encoding: br\r\n\r\n`, Buffer.alloc(16_384, 0x0b)],
  ])('without end, sent %s, is capped', async (_name, beginning, piece) => {
    const site = await serveForEver(beginning, piece)
    const code = await codeOf(openFetcher().exchange(ask(site.origin, { maxBytes: 2_000_000 }), soon()))
    expect(['response_too_large', 'bad_response']).toContain(code)
    await site.idle()
  })

  test.each([
    ['longer than the body', 'Content-Length: 10\r\n\r\nhello', 'connection_failed'],
    ['negative', 'Content-Length: -5\r\n\r\nhello', 'bad_response'],
    ['of two values', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!', 'bad_response'],
    ['not a number', 'Content-Length: five\r\n\r\nhello', 'bad_response'],
    ['beside chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n', 'bad_response'],
  ])('with a length that is %s ends in a typed error', async (_name, rest, code) => {
    const site = await serveText(head + rest, (socket) => socket.end())
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe(code)
  })

  test('with a length that is too short ends there, and the connection is not used again', async () => {
    const site = await serveText(`${head}Content-Length: 5\r\n\r\nhello and more`)
    const fetcher = openFetcher()
    expect(textOf(await fetcher.exchange(ask(site.origin), soon()))).toBe('hello')
    expect(textOf(await fetcher.exchange(ask(site.origin), soon()))).toBe('hello')
    expect(site.connections()).toBe(2)
  })

  test('without a length ends with the connection', async () => {
    const site = await serveText(`${head}\r\nhello`, (socket) => socket.end())
    expect(textOf(await openFetcher().exchange(ask(site.origin), soon()))).toBe('hello')
  })

  test('that breaks in the middle is a typed error', async () => {
    const site = await serveText(`${head}Content-Length: 10\r\n\r\nhel`, (socket) => socket.resetAndDestroy())
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('connection_failed')
  })
})

describe('headers', () => {
  test.each([
    ['a megabyte', `X-Big: ${'x'.repeat(1_048_576)}\r\n`],
    ['ten thousand', Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1\r\n`).join('')],
  ])('of %s are refused', async (_name, headers) => {
    const site = await serveText(`${head}${headers}Content-Length: 2\r\n\r\nok`)
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('response_too_large')
    await site.idle()
  })

  test('without end are refused', async () => {
    const site = await serveForEver(head, Buffer.from(`X-More: ${'x'.repeat(4_000)}\r\n`))
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('response_too_large')
    await site.idle()
  })

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['HTTP of no version', 'HTTP/9.9 200 OK\r\n\r\n'],
    ['a line without a colon', `${head}nonsense\r\n\r\n`],
    ['a NUL', `${head}X-A: a\0b\r\n\r\n`],
    ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ])('with %s are a typed error', async (_name, answer) => {
    const site = await serveText(answer)
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('bad_response')
  })

  test('may hold bytes beyond ASCII', async () => {
    const site = await serveText(`${head}X-Name: \xfc\r\nContent-Length: 0\r\n\r\n`)
    expect((await openFetcher().exchange(ask(site.origin), soon())).headers[0]).toEqual(['x-name', 'ü'])
  })
})

describe('a request that is aborted', () => {
  const silence: Record<string, () => Promise<Served>> = {
    'while nothing comes': () => serveRaw((socket) => socket.resume()),
    'between two bytes of a header': () => serveText('HTTP/1.1 200 O'),
    'after the headers': () => serveText(`${head}Content-Length: 10\r\n\r\n`),
    'in the middle of the body': () => serveText(`${head}Content-Length: 10\r\n\r\nhello`),
    'in the middle of a packed body': () => serveText(`${head}Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08`),
  }

  test.each(Object.entries(silence))('%s rejects with the reason and closes the connection', async (_name, open) => {
    const site = await open()
    const controller = new AbortController()
    const reason = new EngineError('timeout', 'too late')
    const work = openFetcher().exchange(ask(site.origin), controller.signal)
    const rejected = expect(work).rejects.toBe(reason)
    await site.asked()
    controller.abort(reason)
    await rejected
    await site.idle()
  })

  test('during the TLS handshake rejects with the reason and closes the connection', async () => {
    const site = await serveRaw((socket) => socket.resume())
    const controller = new AbortController()
    const work = openFetcher().exchange(ask(site.origin.replace('http:', 'https:')), controller.signal)
    const rejected = expect(work).rejects.toThrow('enough')
    await site.asked()
    controller.abort(new Error('enough'))
    await rejected
    await site.idle()
  })

  test('before it begins makes no connection', async () => {
    const site = await serve((_request, response) => response.end())
    await expect(openFetcher().exchange(ask(site.origin), AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
    expect(site.connections()).toBe(0)
  })

  test('does not disturb others of the same host', async () => {
    // The one answer is given when the other request has ended.
    let answerFast: () => void = () => undefined
    const controller = new AbortController()
    const site = await serve((request, response) => {
      if (request.url === '/fast') answerFast = () => response.end('fast')
      else request.on('close', () => answerFast())
      if (++requests === 2) controller.abort(new Error('enough'))
    })
    let requests = 0
    const fetcher = openFetcher()
    const slow = expect(fetcher.exchange(ask(`${site.origin}/slow`), controller.signal)).rejects.toThrow('enough')
    const fast = fetcher.exchange(ask(`${site.origin}/fast`), soon())
    await slow
    expect(textOf(await fast)).toBe('fast')
  })
})

describe('a host that keeps us waiting', () => {
  const timeouts = { connectTimeout: 300, headersTimeout: 300, bodyTimeout: 300 }

  test.each([
    ['with its headers', () => serveRaw((socket) => socket.resume())],
    ['with its body', () => serveText(`${head}Content-Length: 10\r\n\r\nhello`)],
  ])('%s ends in a timeout of ours', async (_name, open) => {
    const site = await open()
    expect(await codeOf(openFetcher(undefined, timeouts).exchange(ask(site.origin), soon()))).toBe('timeout')
    await site.idle()
  })

  test('with the TLS handshake ends in a timeout of ours', async () => {
    const site = await serveRaw((socket) => socket.resume())
    const url = site.origin.replace('http:', 'https:')
    expect(await codeOf(openFetcher(undefined, timeouts).exchange(ask(url), soon()))).toBe('timeout')
    await site.idle()
  })

  test('by a byte at a time ends with the deadline of the request', async () => {
    const site = await serveText(`${head}Content-Length: 1000\r\n\r\n`, (socket) => {
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const work = openFetcher(undefined, timeouts).exchange(ask(site.origin), AbortSignal.timeout(800))
    await expect(work).rejects.toThrow('aborted due to timeout')
    await site.idle()
  })
})

test('a closed port is a typed error that shows no address', async () => {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const guard = createGuard({ allowPrivate: loopback, resolver: async () => [{ address: '127.0.0.1', family: 4 }] })
  const work = openFetcher(guard).exchange(ask(`http://closed.example.com:${port}/`), soon())
  const error: unknown = await work.catch((caught: unknown) => caught)
  expect(EngineError.is(error) && error.code).toBe('connection_failed')
  expect(EngineError.is(error) && JSON.stringify([error.message, error.details])).not.toContain('127.0.0.1')
})

test('a fetcher that is closed ends what is under way, and takes nothing more', async () => {
  const site = await serveRaw((socket) => socket.resume())
  const fetcher = openFetcher()
  const work = codeOf(fetcher.exchange(ask(site.origin), soon()))
  await fetcher.close()
  expect(await work).toBe('closed')
  expect(await codeOf(fetcher.exchange(ask(site.origin), soon()))).toBe('closed')
  await site.idle()
})
