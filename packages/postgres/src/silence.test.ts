import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'

import { expect, onTestFinished, test } from 'vitest'

import { postgresStore } from './postgres-store.ts'
import { notSilent } from './silence.ts'

test('a server that does not respond is waited for with the whole timeout once, and shortly until it responds', async () => {
  const options = { connectionTimeoutMillis: 10_000 }
  const waiting = notSilent((call) => call(), options, 10_000)
  const fail = (message: string) => waiting(() => Promise.reject(new Error(message))).catch(() => undefined)
  await fail('timeout exceeded when trying to connect')
  expect(options.connectionTimeoutMillis).toBe(10_000)
  await fail('Connection terminated due to connection timeout')
  expect(options.connectionTimeoutMillis).toBe(1_000)
  await waiting(async () => 'rows')
  expect(options.connectionTimeoutMillis).toBe(10_000)
})

test('the whole timeout is tried again 10 seconds after the wait became short, however often calls fail until then', async () => {
  const options = { connectionTimeoutMillis: 15_000 }
  let time = 0
  const waiting = notSilent(
    (call) => call(),
    options,
    15_000,
    () => time,
  )
  const waits: number[] = []
  const call = async (): Promise<never> => {
    waits.push(options.connectionTimeoutMillis)
    throw new Error('Connection terminated due to connection timeout')
  }
  for (time of [0, 4_000, 8_000, 12_000, 16_000]) await waiting(call).catch(() => undefined)
  expect(waits).toEqual([15_000, 1_000, 1_000, 15_000, 1_000])
})

test('a server that accepts a connection and does not respond is reported as slow', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const store = postgresStore(`postgres://127.0.0.1:${(server.address() as AddressInfo).port}/x`, { timeout: 200 })
  onTestFinished(() => store.close())
  await expect(store.get('a')).rejects.toMatchObject({ code: 'store_failed', details: { reason: 'slow' } })
})
