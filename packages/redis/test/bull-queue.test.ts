// @module-tag redis
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'

import { createEngine, EngineError } from '@harvestman/core'
import type { Task } from '@harvestman/ports'
import { queueAwayContract, queueContract, queueHoldersContract } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { bullQueue, redisStore, type BullQueueOptions } from '../src/index.ts'
import { startRedis, type RedisServer } from './server.ts'

let server: RedisServer
beforeAll(async () => {
  server = await startRedis('--appendonly', 'yes', '--appendfsync', 'always')
})
afterAll(() => server?.remove())

/** One for a test alone, which goes with it. */
async function startOwn(...settings: readonly string[]): Promise<RedisServer> {
  const own = await startRedis(...settings)
  onTestFinished(() => own.remove())
  return own
}

const backoff = { first: 100, longest: 400 }
const holder = fileURLToPath(new URL('holder.ts', import.meta.url))
const task = (id: string): Task => ({ id, kind: 'test', body: { of: [id] } })

function open(options: BullQueueOptions = {}, url = server.url) {
  const queue = bullQueue(url, { prefix: randomUUID(), backoff, ...options })
  onTestFinished(() => queue.close())
  return queue
}

describe('bullQueue keeps the contract', () => {
  // Nothing listens on port 1.
  for (const { name, run } of queueAwayContract) test(name, () => run(() => bullQueue('redis://127.0.0.1:1')))

  for (const { name, run } of queueContract)
    test(name, () => run(() => bullQueue(server.url, { prefix: randomUUID(), backoff })))
})

test('an engine whose queue is away names it in its check', async () => {
  const engine = createEngine({ store: redisStore(server.url), queue: open({}, 'redis://127.0.0.1:1') })
  onTestFinished(() => engine.close())
  const reason = { code: 'store_failed', details: { reason: 'queue away' } }
  await expect(engine.checkStore()).rejects.toMatchObject(reason)
})

describe('among processes', () => {
  test('a task that one queue takes in another one hands out', async () => {
    const prefix = randomUUID()
    const [one, other] = [open({ prefix }), open({ prefix })]
    const seen: Task[] = []
    await other.consume(async (task) => void seen.push(task), { kind: 'test', concurrency: 1 })
    await one.push(task('a'))
    await expect.poll(() => seen).toEqual([task('a')])
  })

  for (const { name, run } of queueHoldersContract)
    test(name, { tags: ['long'], timeout: 90_000 }, () => {
      const prefix = randomUUID()
      return run(() => ({
        queue: bullQueue(server.url, { prefix, backoff, lease: 1000 }),
        holder: [holder, server.url, prefix],
      }))
    })

  test(
    'what was pushed is there when the server was killed and is back, and consumers go on',
    { tags: ['long'] },
    async () => {
      const own = await startOwn('--appendonly', 'yes', '--appendfsync', 'always')
      const queue = bullQueue(own.url, { backoff })
      const seen = new Set<string>()
      await queue.consume(async ({ id }) => void seen.add(id), { kind: 'test', concurrency: 1 })
      await queue.push(task('before'))
      await expect.poll(() => seen.has('before')).toBe(true)
      await queue.push(task('delayed'), { delay: 1500 })
      await own.kill()
      const impatient = bullQueue(own.url, { backoff, timeout: 500 })
      const error: unknown = await impatient.push(task('lost')).catch((error: unknown) => error)
      expect(EngineError.is(error) && error.code).toBe('store_failed')
      await impatient.close()
      await own.start()
      await expect.poll(() => seen.has('delayed')).toBe(true)
      await queue.close()
    },
  )

  test('a consumer goes on whose answer was on its way when the server was killed', async () => {
    const own = await startOwn('--appendonly', 'yes', '--appendfsync', 'always')
    const queue = bullQueue(own.url, { backoff, lease: 1000 })
    const seen = new Set<string>()
    const gate = Promise.withResolvers<void>()
    const handle = async ({ id }: Task): Promise<void> => {
      seen.add(id)
      await gate.promise
    }
    await queue.consume(handle, { kind: 'test', concurrency: 1 })
    await queue.push(task('first'))
    await queue.push(task('second'))
    await expect.poll(() => seen.has('first')).toBe(true)
    own.signal('SIGSTOP')
    gate.resolve()
    await new Promise((resolve) => setTimeout(resolve, 100))
    await own.kill()
    await own.start()
    await expect.poll(() => seen.has('second')).toBe(true)
    await queue.close()
  })

  test.each([{ when: 'after' }, { when: 'before' }])(
    'one whose server went away $when its consumer was connected closes',
    async ({ when }) => {
      const own = await startOwn()
      const queue = bullQueue(own.url, { backoff, timeout: 500 })
      if (when === 'before') await own.kill()
      const seen = new Set<string>()
      await queue.consume(async ({ id }) => void seen.add(id), { kind: 'test', concurrency: 1 })
      if (when === 'after') {
        await queue.push(task('first'))
        await expect.poll(() => seen.has('first')).toBe(true)
        await own.kill()
      }
      await expect(queue.push(task('lost'))).rejects.toThrow('Redis')
      await queue.close()
    },
  )

  test('one that was opened while the server was away takes tasks and hands them out when it is there', async () => {
    const own = await startOwn('--appendonly', 'yes', '--appendfsync', 'always')
    await own.kill()
    const queue = bullQueue(own.url, { backoff, timeout: 500 })
    const seen = new Set<string>()
    await queue.consume(async ({ id }) => void seen.add(id), { kind: 'test', concurrency: 1 })
    await expect(queue.push(task('lost'))).rejects.toThrow('Redis')
    await own.start()
    await expect
      .poll(
        () =>
          queue.push(task('after')).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    await expect.poll(() => seen.has('after')).toBe(true)
    await queue.close()
  })
})
