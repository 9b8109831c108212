// @module-tag postgres
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { EngineError } from '@harvestman/core'
import type { Task } from '@harvestman/ports'
import { queueAwayContract, queueContract, queueHoldersContract } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { bossQueue, type BossQueueOptions } from '../src/index.ts'
import { startPostgres, type PostgresServer } from './server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres('fsync=off', 'max_connections=400')
})
afterAll(() => server?.remove())

const backoff = { first: 1000, longest: 2000 }
const schema = (): string => `q${randomUUID().replaceAll('-', '')}`
const holder = fileURLToPath(new URL('holder.ts', import.meta.url))
const task = (id: string): Task => ({ id, kind: 'test', body: { of: [id] } })

function open(options: BossQueueOptions = {}, url = server.url) {
  const queue = bossQueue(url, { schema: schema(), backoff, ...options })
  onTestFinished(() => queue.close())
  return queue
}

describe('bossQueue keeps the contract', () => {
  // Nothing listens on port 1.
  for (const { name, run } of queueAwayContract) test(name, () => run(() => bossQueue('postgres://127.0.0.1:1/none')))

  for (const { name, run } of queueContract)
    // They wait most of the time, each in a schema of its own.
    test.concurrent(name, { timeout: 60_000 }, () => run(() => bossQueue(server.url, { schema: schema(), backoff })))
})

describe('among processes', () => {
  test('a task that one queue takes in another one hands out, and a NUL passes', async () => {
    const own = schema()
    const [one, other] = [open({ schema: own }), open({ schema: own })]
    const seen: Task[] = []
    await other.consume(async (task) => void seen.push(task), { kind: 'test', concurrency: 1 })
    const odd = { ...task('a'), body: 'nul \0 and half a pair \ud83d' }
    await one.push(odd)
    await expect.poll(() => seen).toEqual([odd])
  })

  for (const { name, run } of queueHoldersContract)
    // They wait for the end of a lease, each in a schema of its own.
    test.concurrent(name, { tags: ['long'], timeout: 90_000 }, () => {
      const own = schema()
      return run(() => ({
        queue: bossQueue(server.url, { schema: own, backoff, lease: 10_000 }),
        holder: [holder, server.url, own],
      }))
    })

  test(
    'what was pushed is there when the server was killed and is back, and consumers go on',
    { tags: ['long'] },
    async () => {
      const own = await startPostgres()
      const queue = open({ timeout: 1000 }, own.url)
      const seen = new Set<string>()
      await queue.consume(async ({ id }) => void seen.add(id), { kind: 'test', concurrency: 1 })
      await queue.push(task('before'))
      await expect.poll(() => seen.has('before')).toBe(true)
      await queue.push(task('delayed'), { delay: 1500 })
      await own.kill()
      const error: unknown = await queue.push(task('lost')).catch((error: unknown) => error)
      expect(EngineError.is(error) && error.code).toBe('store_failed')
      await own.start()
      await expect.poll(() => seen.has('delayed')).toBe(true)
      await queue.close()
      await own.remove()
    },
  )
})
