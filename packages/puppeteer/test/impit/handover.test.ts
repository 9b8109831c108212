import net, { type Socket } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { serveRaw } from '../../../net/test/servers.ts'
import { openHandover } from '../../src/impit/handover.ts'

async function bench() {
  const host = await serveRaw((socket) =>
    socket.on('data', (bytes: Buffer) => socket.write(`host got ${bytes.toString()}`)),
  )
  const handover = await openHandover()
  onTestFinished(() => handover.close())
  const connection = net.connect(host.port, '127.0.0.1')
  await new Promise((resolve) => connection.once('connect', resolve))
  const url = new URL(handover.offer(connection))
  const proof = (secret: string): string => `Basic ${Buffer.from(`harvestman:${secret}`).toString('base64')}`
  /** Sends the text to the proxy, and more once it has responded. Resolves to everything received until it is quiet. */
  const send = async (text: string, more = ''): Promise<string> => {
    const socket: Socket = net.connect(Number(url.port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(text)
    let received = ''
    await new Promise<void>((resolve) => {
      socket.on('data', (bytes: Buffer) => {
        received += bytes.toString()
        if (more === '' || received.includes('host got')) resolve()
        else socket.write(more)
      })
      socket.on('close', () => resolve())
      socket.on('error', () => resolve())
    })
    return received
  }
  const connect = (secret: string, target = 'a.example:443'): string =>
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${proof(secret)}\r\n\r\n`
  return { host, handover, send, connect, secret: url.password }
}

test('an offered connection goes to the client that has its secret, once', async () => {
  const { send, connect, secret, host } = await bench()
  expect(await send(connect(secret), 'hello')).toContain('host got hello')
  expect(await send(connect(secret), 'again')).toMatch(/^HTTP\/1\.1 407/)
  expect(host.connections()).toBe(1)
})

test('a client without the secret gets nothing, whatever it requests', async () => {
  const { send, connect, secret, host } = await bench()
  const wrong = [
    connect(''),
    connect('harvestman'),
    connect(`${secret.slice(0, -1)}_`),
    connect(secret).replace(/Proxy-Authorization.*\r\n/, ''),
    connect(secret).replace('CONNECT a.example:443', `GET http://127.0.0.1:${host.port}/`),
    `GET http://127.0.0.1:${host.port}/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  ]
  for (const request of wrong) expect(await send(request, 'hello')).toMatch(/^HTTP\/1\.1 40[07]/)
  expect(host.connections()).toBe(1)
})

test('the target in the request does not matter, because nothing is connected to', async () => {
  const { send, connect, secret, host } = await bench()
  expect(await send(connect(secret, '169.254.169.254:80'), 'hello')).toContain('host got hello')
  expect(host.connections()).toBe(1)
})

test('a connection that is offered too late is closed, and nobody gets its secret', async () => {
  const { handover, host } = await bench()
  handover.close()
  const connection = net.connect(host.port, '127.0.0.1')
  await new Promise((resolve) => connection.once('connect', resolve))
  expect(() => handover.offer(connection)).toThrow(expect.objectContaining({ code: 'closed' }))
  expect(connection.destroyed).toBe(true)
})

test('a connection whose client disconnects is closed', async () => {
  const { send, connect, secret, host } = await bench()
  expect(await send(connect(secret), 'hello')).toContain('host got')
  host.cut()
  await host.idle()
})
