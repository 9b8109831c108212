import type { ServerResponse } from 'node:http'

import { describe, expect, test } from 'vitest'

import { ask, codeOf, openFetcher, soon, textOf } from './fetching.ts'
import { serve, serveRaw } from './servers.ts'

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

describe('a connection', () => {
  test('is used again for the same host', async () => {
    const site = await serve((_request, response) => response.end('ok'))
    const fetcher = openFetcher()
    for (let count = 0; count < 5; count += 1) await fetcher.exchange(ask(site.origin), soon())
    expect(site.connections()).toBe(1)
  })

  test('serves one request at a time', async () => {
    const waiting: ServerResponse[] = []
    const site = await serve((_request, response) => {
      waiting.push(response)
      if (waiting.length === 8) for (const held of waiting.splice(0)) held.end('ok')
    })
    const fetcher = openFetcher()
    await Promise.all(Array.from({ length: 8 }, () => fetcher.exchange(ask(site.origin), soon())))
    expect(site.connections()).toBe(8)
    await Promise.all(Array.from({ length: 8 }, () => fetcher.exchange(ask(site.origin), soon())))
    expect(site.connections()).toBe(8)
  })

  test('is not used again when the host says it will close it', async () => {
    const site = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end('ok'))
    const fetcher = openFetcher()
    for (let count = 0; count < 3; count += 1) await fetcher.exchange(ask(site.origin), soon())
    expect(site.connections()).toBe(3)
  })

  test('that the host closed while it waited is replaced without a word, 500 times', { tags: ['long'] }, async () => {
    const site = await serve((_request, response) => response.end('ok'))
    const fetcher = openFetcher()
    for (let count = 0; count < 500; count += 1) {
      expect(textOf(await fetcher.exchange(ask(site.origin), soon()))).toBe('ok')
      site.cut()
    }
    expect(site.connections()).toBe(500)
  })
})

describe('a connection that breaks just as it is used again', () => {
  /** Answers the first request of each connection, and resets it at the second. */
  const serveOnce = (later: 'reset' | 'end') =>
    serveRaw((socket) => {
      let count = 0
      socket.on('data', () => {
        count += 1
        if (count === 1) socket.write(answer)
        else if (later === 'reset') socket.resetAndDestroy()
        else socket.end()
      })
    })

  test.each(['reset', 'end'] as const)('is replaced once for a GET (%s)', async (later) => {
    const site = await serveOnce(later)
    const fetcher = openFetcher()
    for (let count = 0; count < 4; count += 1) {
      expect(textOf(await fetcher.exchange(ask(site.origin), soon()))).toBe('ok')
    }
    expect(site.connections()).toBe(4)
  })

  test('is an error for a POST, which may have been acted on', async () => {
    const site = await serveOnce('reset')
    const fetcher = openFetcher()
    const post = ask(site.origin, { method: 'POST', body: new TextEncoder().encode('buy') })
    await fetcher.exchange(post, soon())
    expect(await codeOf(fetcher.exchange(post, soon()))).toBe('connection_failed')
    expect(site.connections()).toBe(1)
  })

  test('is an error when the new one breaks, too', async () => {
    let connections = 0
    const site = await serveRaw((socket) => {
      connections += 1
      const isFirst = connections === 1
      let count = 0
      socket.on('data', () => {
        count += 1
        if (isFirst && count === 1) socket.write(answer)
        else socket.resetAndDestroy()
      })
    })
    const fetcher = openFetcher()
    await fetcher.exchange(ask(site.origin), soon())
    expect(await codeOf(fetcher.exchange(ask(site.origin), soon()))).toBe('connection_failed')
    expect(site.connections()).toBe(2)
  })

  test('is an error when it was new, though it replaces one that the host had closed', async () => {
    let connections = 0
    const site = await serveRaw((socket) => {
      connections += 1
      const isFirst = connections === 1
      socket.on('data', () => (isFirst ? socket.write(answer) : socket.resetAndDestroy()))
    })
    const fetcher = openFetcher()
    await fetcher.exchange(ask(site.origin), soon())
    site.cut()
    // The end of the old connection now arrives between the request being given and being written.
    await new Promise((resolve) => setImmediate(resolve))
    expect(await codeOf(fetcher.exchange(ask(site.origin), soon()))).toBe('connection_failed')
    expect(site.connections()).toBe(2)
  })

  test('is an error once the answer has begun', async () => {
    const site = await serveRaw((socket) => {
      let count = 0
      socket.on('data', () => {
        count += 1
        if (count === 1) socket.write(answer)
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', () => socket.resetAndDestroy())
      })
    })
    const fetcher = openFetcher()
    await fetcher.exchange(ask(site.origin), soon())
    expect(await codeOf(fetcher.exchange(ask(site.origin), soon()))).toBe('connection_failed')
    expect(site.connections()).toBe(1)
  })

  test('is not replaced when it was new', async () => {
    const site = await serveRaw((socket) => socket.on('data', () => socket.resetAndDestroy()))
    expect(await codeOf(openFetcher().exchange(ask(site.origin), soon()))).toBe('connection_failed')
    expect(site.connections()).toBe(1)
  })
})
