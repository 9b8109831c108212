import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import { patientConnection } from '../src/client.ts'
import { redisStore } from '../src/index.ts'

interface FakeServer {
  readonly port: number
  readonly sockets: ReadonlySet<Socket>
}

/** A server that speaks as much of the protocol as a client needs to connect. */
async function startFake(answer: (command: string, socket: Socket) => string | Promise<string>): Promise<FakeServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    const reply = async (data: Buffer): Promise<void> => {
      const commands = String(data).split(/^\*\d+\r\n/m)
      for (const command of commands.filter(Boolean)) socket.write(await answer(command.toLowerCase(), socket))
    }
    socket.on('data', (data) => void reply(data).catch(() => socket.destroy()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // Cast: a server on a port.
  return { port: (server.address() as AddressInfo).port, sockets }
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

/** A primary, and a Sentinel that reports a failover while the primary is looked up again. */
async function startFakes() {
  const primary = await startFake((command) => {
    if (command.includes('info')) return bulk('redis_version:7.0.0\r\nrole:master')
    return command.includes('get') ? '$-1\r\n' : '+OK\r\n'
  })
  const subscribers = new Set<Socket>()
  let isFailingOver = false
  const [subscribed, reported] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sentinel = await startFake(async (command, socket) => {
    if (command.includes('get-master-addr-by-name')) {
      if (isFailingOver) {
        isFailingOver = false
        const message = ['message', '+switch-master', 'main'].map(bulk).join('')
        for (const one of subscribers) one.write(`>3\r\n${message}`)
        reported.resolve()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      return `*2\r\n${bulk('127.0.0.1')}${bulk(String(primary.port))}`
    }
    if (command.includes('sentinels')) return '*0\r\n'
    if (!command.includes('subscribe')) return '+OK\r\n'
    subscribers.add(socket.on('close', () => subscribers.delete(socket)))
    subscribed.resolve()
    return `>3\r\n${bulk('subscribe')}${bulk('+switch-master')}:1\r\n`
  })
  return {
    address: `redis+sentinel://127.0.0.1:${sentinel.port}/main`,
    connections: () => sentinel.sockets.size,
    failOver: async (): Promise<void> => {
      await subscribed.promise
      isFailingOver = true
      for (const socket of primary.sockets) socket.destroy()
      await reported.promise
    },
  }
}

describe('a failover that Sentinels report while the primary is looked up does not end', () => {
  test('the connection of a store', async () => {
    const { address, connections, failOver } = await startFakes()
    const store = redisStore(address)
    onTestFinished(store.close)
    expect(await store.get('key')).toBeUndefined()
    await failOver()
    await expect.poll(() => store.get('key').then(String, String)).toBe('undefined')
    await store.close()
    await expect.poll(connections).toBe(0)
  })

  test('the connection of a queue, nor one that is made from it', async () => {
    const { address, connections, failOver } = await startFakes()
    const first = patientConnection(address, 'prefix')
    const redis = first.duplicate()
    redis.on('error', () => undefined)
    first.disconnect()
    expect(await redis.get('key')).toBeNull()
    await failOver()
    expect(await redis.get('key')).toBeNull()
    redis.disconnect()
    await expect.poll(connections).toBe(0)
  })
})
