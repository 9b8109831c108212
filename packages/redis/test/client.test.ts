import { once } from 'node:events'
import { createServer } from 'node:net'

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
