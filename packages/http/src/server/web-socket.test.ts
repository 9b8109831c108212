import { createServer, IncomingMessage } from 'node:http'
import { Socket } from 'node:net'

import { expect, test } from 'vitest'

import { attachWebSockets } from './web-socket.ts'

/** Returns the URL of a request that opens a WebSocket, as the API sees it. */
function urlOf(socket: Socket): string | undefined {
  let seen: string | undefined
  const server = createServer()
  attachWebSockets(server, {
    watch: ({ url }) => {
      seen = url
      return { status: 404, error: 'Nothing here.' }
    },
  })
  const headers = { host: 'a.test:3002', upgrade: 'websocket' }
  const incoming = Object.assign(new IncomingMessage(socket), { method: 'GET', url: '/live/one?token=t', headers })
  server.emit('upgrade', incoming, socket, Buffer.alloc(0))
  socket.destroy()
  return seen
}

test('the URL of a request that opens a WebSocket has the scheme of its connection', () => {
  expect(urlOf(new Socket())).toBe('http://a.test:3002/live/one?token=t')
  expect(urlOf(Object.assign(new Socket(), { encrypted: true }))).toBe('https://a.test:3002/live/one?token=t')
})
