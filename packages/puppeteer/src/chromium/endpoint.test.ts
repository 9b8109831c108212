import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

import { expect, onTestFinished, test } from 'vitest'

import { reach } from './endpoint.ts'

test('the connection to an endpoint that accepts it and stays silent is closed when the caller gives up', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const opened = once(server, 'upgrade')
  const { port } = server.address() as AddressInfo
  const caller = new AbortController()
  const reached = reach(`ws://127.0.0.1:${port}/devtools/browser/1`, caller.signal)
  const [{ headers }, socket] = (await opened) as [{ readonly headers: Record<string, string> }, Duplex]
  const accept = createHash('sha1')
    .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  await once(socket, 'data')
  const closed = new Promise<void>((resolve) =>
    socket.on('data', (bytes: Buffer) => {
      // A close frame.
      if ((bytes[0]! & 0x0f) === 0x8) resolve()
    }),
  )
  caller.abort(new Error('enough'))
  await expect(reached).rejects.toThrow('enough')
  await closed
  socket.destroy()
})
