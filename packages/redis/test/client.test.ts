import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { openLink } from '../src/client.ts'

test('a connection that says one error after another, as one over TLS does, ends no process', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const link = openLink(`redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, 500, '')
  onTestFinished(() => link.close())
  const asked = link.run((redis) => redis.ping()).catch((error: unknown) => error)
  await once(server, 'connection')
  const { stream } = link.redis
  stream.emit('error', new Error('one'))
  expect(() => stream.emit('error', new Error('another'))).not.toThrow()
  expect(await asked).toMatchObject({ code: 'store_failed' })
})

// As long as a test may take, so that only what is tested ends the wait.
const farOff = 600_000
const noGrace = { first: 0, later: 0 }

/** Starts a server that accepts every command. It can be stopped, and started again on the same port. */
async function startServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.on('data', (bytes) => {
      for (const [, command = ''] of bytes.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
        socket.write(/^info$/i.test(command) ? '$8\r\nrun_id:1\r\n' : '+PONG\r\n')
    })
  })
  const listen = async (port: number): Promise<void> => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return { url: `redis://127.0.0.1:${port}`, stop, start: () => listen(port) }
}

test('a command rejects if the server was never reached and refuses connections', async () => {
  const server = await startServer()
  await server.stop()
  const link = openLink(server.url, farOff, '', noGrace)
  onTestFinished(() => link.close())
  const refused = { code: 'store_failed', details: { reason: 'away' } }
  await expect(link.run((redis) => redis.ping())).rejects.toMatchObject(refused)
  await expect(link.run((redis) => redis.ping())).rejects.toMatchObject(refused)
  await server.start()
  await once(link.redis, 'ready')
  await expect(link.run((redis) => redis.ping())).resolves.toBe('PONG')
})

test('a server that was reached is waited for while it restarts', async () => {
  const server = await startServer()
  const link = openLink(server.url, farOff, '', noGrace)
  onTestFinished(() => link.close())
  await link.run((redis) => redis.ping())
  const lost = once(link.redis, 'close')
  await server.stop()
  await lost
  const pending = link.run((redis) => redis.ping())
  for (let refusals = 0; refusals < 2; refusals += 1) await new Promise((resolve) => link.redis.once('error', resolve))
  await server.start()
  await expect(pending).resolves.toBe('PONG')
})

test('the error of a server that never replies names the time that was waited', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const link = openLink(`redis://127.0.0.1:${port}`, 300, '', { first: farOff, later: 20 })
  onTestFinished(() => link.close())
  const ping = () => link.run((redis) => redis.ping())
  await expect(ping()).rejects.toThrow('Redis did not respond within 300 ms.')
  await expect(ping()).rejects.toThrow('Redis did not respond within 20 ms.')
})
