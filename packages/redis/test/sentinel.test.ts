// @module-tag long
// @module-tag redis
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { freePort } from '@harvestman/testing'
import { expect, onTestFinished, test } from 'vitest'

import { bullQueue, redisStore } from '../src/index.ts'
import { startRedis } from './server.ts'

/** A Sentinel that watches a primary under the name `main`, and replaces it when it has not answered for two seconds: on a busy machine it may not for one. */
async function startSentinel(primary: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'harvestman-sentinel-'))
  const port = await freePort()
  const file = join(folder, 'sentinel.conf')
  const rules = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor main 127.0.0.1 ${primary} 1`,
    'sentinel down-after-milliseconds main 2000',
    'sentinel failover-timeout main 2000',
  ]
  writeFileSync(file, `${rules.join('\n')}\n`)
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  return port
}

test('a store and a queue that know their Redis by its Sentinels go on with the replica when the primary is gone', async () => {
  const primary = await startRedis()
  onTestFinished(primary.remove)
  const replica = await startRedis('--replicaof', '127.0.0.1', String(primary.port))
  onTestFinished(replica.remove)
  const port = await startSentinel(primary.port)
  const address = `redis+sentinel://127.0.0.1:${port}/main`
  const store = redisStore(address, { timeout: 20_000 })
  onTestFinished(store.close)
  const queue = bullQueue(address, { timeout: 20_000 })
  onTestFinished(queue.close)
  const replicaStore = redisStore(replica.url)
  onTestFinished(replicaStore.close)
  // The replica has what was written, and the Sentinel knows the replica. What came before they met may be lost, so it is written again.
  do {
    await store.set('before', 1)
    await setTimeout(50)
  } while ((await replicaStore.get('before')) !== 1 || !(await knowsReplica(port)))
  await primary.kill()
  const write = async (): Promise<unknown> => {
    for (;;) {
      const error = await store.set('after', 2).then(
        () => undefined,
        (trouble: unknown) => trouble,
      )
      if (error === undefined) return store.get('before')
      await setTimeout(50)
    }
  }
  expect(await write()).toBe(1)
  expect(await replicaStore.get('after')).toBe(2)
  const got = Promise.withResolvers<unknown>()
  await queue.push({ id: 'task', kind: 'kind', body: 3 })
  await queue.consume(async ({ body }) => got.resolve(body), { kind: 'kind', concurrency: 1 })
  expect(await got.promise).toBe(3)
})

async function knowsReplica(port: number): Promise<boolean> {
  const { Redis } = await import('ioredis')
  const sentinel = new Redis(port, '127.0.0.1')
  try {
    return ((await sentinel.call('SENTINEL', 'REPLICAS', 'main')) as unknown[]).length > 0
  } finally {
    sentinel.disconnect()
  }
}

test.each(['redis+sentinel://host', 'redis+sentinel:///main', 'redis+sentinel://host:x/main'])(
  'the address %s is refused with how it is written',
  (address) => {
    expect(() => redisStore(address)).toThrow('must be redis+sentinel://')
  },
)
