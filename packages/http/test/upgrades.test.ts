import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'

import { afterEach, describe, expect, test } from 'vitest'

import { takeUpgrades } from '../src/server/upgrades.ts'

const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server that says what it was asked, and takes WebSockets. */
async function start(isOldNode: boolean): Promise<Server> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => response.end(`${request.method} ${request.url} ${body}.`))
  })
  takeUpgrades(server, (_incoming, socket) => socket.end('HTTP/1.1 101 Taken\r\n\r\n'))
  if (isOldNode) Object.assign(server, { shouldUpgradeCallback: () => true })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Sends a text, one piece after the other, and gives what came until the end was there. */
async function say(server: Server, end: string, ...pieces: readonly string[]): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let heard = ''
  const whole = new Promise<void>((resolve) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text
      if (heard.includes(end)) resolve()
    })
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  for (const piece of pieces) {
    socket.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await whole
  socket.destroy()
  return heard
}

const asksForH2 = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'

describe.each([
  ['a Node that asks before it upgrades', false],
  ['a Node that does not', true],
])('on %s', (_name, isOldNode) => {
  test.each(['h2c', 'TLS/1.0', 'nonsense', 'websocket, h2c'])('a request to upgrade to %s is answered', async (to) => {
    const server = await start(isOldNode)
    const request = `GET /here HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${to}\r\n\r\n`
    const heard = await say(server, 'here .', request)
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*GET \/here \.$/)
  })

  test('its body is read to the end, and the connection goes on', async () => {
    const server = await start(isOldNode)
    const request = `POST /one HTTP/1.1\r\nHost: a\r\n${asksForH2}Content-Length: 8\r\n\r\n`
    const heard = await say(server, '/two .', `${request}abcd`, 'efgh', 'GET /two HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(heard).toContain('POST /one abcdefgh.')
    expect(heard).toContain('GET /two .')
  })

  test('a WebSocket is opened, and only by GET', async () => {
    const server = await start(isOldNode)
    const ask = (method: string): string =>
      `${method} /here HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nContent-Length: 0\r\n\r\n`
    expect(await say(server, '101 Taken', ask('GET'))).toContain('101 Taken')
    expect(await say(server, 'here .', ask('POST'))).toContain('POST /here .')
  })

  test('what somebody else listens for is left to them', async () => {
    const server = await start(isOldNode)
    server.on('upgrade', (incoming, socket) => {
      if (incoming.headers.upgrade === 'h2c') socket.end('HTTP/1.1 101 Theirs\r\n\r\n')
    })
    expect(await say(server, 'Theirs', `GET / HTTP/1.1\r\nHost: a\r\n${asksForH2}\r\n`)).toContain('101 Theirs')
  })
})
