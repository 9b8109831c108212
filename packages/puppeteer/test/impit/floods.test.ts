// Hosts that misuse HTTP/2, or send without end.
import tls, { type TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { goodCertificate, key } from '../../../net/test/certificates.ts'
import { ask, codeOf, soon } from '../../../net/test/fetching.ts'
import { openImpit } from './fetching.ts'

function frame(type: number, flags: number, stream: number, body: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(body.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, body])
}

const settings = frame(4, 0, 0, Buffer.alloc(0))
const literal = Buffer.concat([
  Buffer.from([0x00, 0x04]),
  Buffer.from('x-ab'),
  Buffer.from([0x7f, 0x81, 0x3e]),
  Buffer.alloc(8_128, 97),
])
const status200 = Buffer.from([0x88])

interface Flood {
  readonly url: string
  readonly closed: Promise<void>
  /** Returns the number of bytes that the client, or the buffers on the way to it, have accepted. */
  readonly sent: () => number
}

/** Serves HTTP/2 by hand: the start once the client has sent its request, then the same frames for ever. */
async function serveFlood(start: Buffer, more: Buffer): Promise<Flood> {
  let sent = 0
  const ended = Promise.withResolvers<void>()
  const sockets = new Set<TLSSocket>()
  const server = tls.createServer({ key, cert: goodCertificate, ALPNProtocols: ['h2'] }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => ended.resolve())
    socket.write(settings)
    socket.once('data', () => {
      socket.write(start)
      const send = (): void => {
        if (socket.destroyed) return
        sent += more.length
        socket.write(more, () => setImmediate(send))
      }
      setTimeout(send, 50)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    closed: ended.promise,
    sent: () => sent,
  }
}

const repeated = (one: Buffer, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => one))

const tooLarge = /^response_too_large$/
const broken = /^(?:connection_failed|bad_response)$/
const either = /^(?:response_too_large|connection_failed|bad_response)$/

// The limits of the fetcher (4 MB, and the 2 MB of a body), and the buffers of the two sockets.
const maxSent = 24_000_000

test.each([
  ['SETTINGS', Buffer.alloc(0), repeated(settings, 1_000), tooLarge],
  ['PING', Buffer.alloc(0), repeated(frame(6, 0, 0, Buffer.alloc(8)), 1_000), tooLarge],
  ['empty DATA', frame(1, 4, 1, status200), repeated(frame(0, 0, 1, Buffer.alloc(0)), 1_000), either],
  ['HEADERS that continue', frame(1, 0, 1, status200), repeated(frame(9, 0, 1, literal), 4), broken],
  ['empty CONTINUATION', frame(1, 0, 1, status200), repeated(frame(9, 0, 1, Buffer.alloc(0)), 1_000), broken],
  ['RST_STREAM of other streams', Buffer.alloc(0), repeated(frame(3, 0, 1_001, Buffer.alloc(4)), 1_000), broken],
  ['DATA', frame(1, 4, 1, status200), repeated(frame(0, 0, 1, Buffer.alloc(16_384)), 4), either],
])('a host that sends %s without end is refused after a few megabytes', async (_, start, more, expected) => {
  const { url, closed, sent } = await serveFlood(start, more)
  const fetcher = openImpit()
  const request = ask(url, { skipTlsVerification: true, maxBytes: 2_000_000 })
  const code = await codeOf(fetcher.exchange(request, soon()))
  expect(code).toMatch(expected)
  await closed
  expect(sent()).toBeLessThan(maxSent)
})
