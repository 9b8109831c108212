import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { postgresStore } from '../src/index.ts'

test('a call that reaches no server is the only attempt to connect, also while the store is closed', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const store = postgresStore(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/x`)
  await expect(store.get('a')).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'away' } })
  await store.close()
  expect(connections).toBe(1)
})
