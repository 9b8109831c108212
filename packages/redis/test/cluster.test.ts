// @module-tag long
// @module-tag redis
import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

import { sharedStoreContract, storeContract } from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { bullQueue, redisStore } from '../src/index.ts'
import { startRedis, type RedisServer } from './server.ts'

const run = promisify(execFile)
const password = 'p@ss'
let nodes: readonly RedisServer[] = []

const cli = async (node: RedisServer, ...args: readonly string[]): Promise<string> =>
  (await run('redis-cli', ['-p', String(node.port), '-a', password, '--no-auth-warning', ...args])).stdout

beforeAll(async () => {
  const settings = [
    '--cluster-enabled',
    'yes',
    '--cluster-node-timeout',
    '1000',
    '--cluster-replica-validity-factor',
    '0',
  ]
  const login = ['--requirepass', password, '--masterauth', password]
  nodes = await Promise.all(Array.from({ length: 6 }, () => startRedis(...settings, ...login)))
  const places = nodes.map(({ port }) => `127.0.0.1:${port}`)
  await cli(nodes[0]!, '--cluster', 'create', ...places, '--cluster-replicas', '1', '--cluster-yes')
  // Each node learns of the others.
  for (const node of nodes)
    while (!(await cli(node, 'CLUSTER', 'INFO')).includes('cluster_state:ok')) await setTimeout(50)
})
afterAll(async () => void (await Promise.all(nodes.map((node) => node.remove()))))

/** By two of its nodes, one of which may be gone. */
const address = (): string => {
  const known = nodes.slice(0, 2).map(({ port }) => `127.0.0.1:${port}`)
  return `redis+cluster://default:${encodeURIComponent(password)}@${known.join(',')}`
}

let opened = 0
const prefix = (): string => `test-${(opened += 1)}:`

describe('redisStore on a cluster keeps the contract', () => {
  for (const { name, run } of storeContract)
    test(name, () => run(({ clock }) => redisStore(address(), { prefix: prefix(), ...(clock && { clock }) })))
  for (const { name, run } of sharedStoreContract)
    test(name, () =>
      run(({ clock }) => {
        const own = prefix()
        return { open: () => redisStore(address(), { prefix: own, ...(clock && { clock }) }) }
      }),
    )
})

/** The node that has a key. */
async function ownerOf(key: string): Promise<RedisServer> {
  for (const node of nodes) if ((await cli(node, 'EXISTS', key)).startsWith('1')) return node
  throw new Error('No node has it.')
}

/** Whether a replica has what was written. */
async function isPassedOn(node: RedisServer): Promise<boolean> {
  const said = await cli(node, 'INFO', 'replication')
  const [own, replica] = [/master_repl_offset:(\d+)/, /slave0:.*offset=(\d+)/].map((form) => form.exec(said)?.[1])
  return own !== undefined && own === replica
}

test('a store and a queue go on with the node that takes over when the one that had their keys is gone', async () => {
  const store = redisStore(address(), { timeout: 20_000 })
  onTestFinished(store.close)
  const queue = bullQueue(address(), { timeout: 20_000 })
  onTestFinished(queue.close)
  const heard: number[] = []
  const unwatch = await store.watch?.('watched', () => void heard.push(1))
  onTestFinished(async () => unwatch?.())
  const got: unknown[] = []
  const stop = await queue.consume(async ({ body }) => void got.push(body), { kind: 'kind', concurrency: 1 })
  onTestFinished(stop)
  await queue.push({ id: 'one', kind: 'kind', body: 1 })
  await expect.poll(() => got).toEqual([1])
  await store.set('before', 1)
  const owners = new Set([await ownerOf('{harvestman:}before'), await ownerOf('{harvestman-queue}:kind:meta')])
  for (const owner of owners) {
    await expect.poll(() => isPassedOn(owner)).toBe(true)
    await owner.kill()
    // Another one has to be voted for before the next may go.
    await expect
      .poll(() =>
        store.set('after', 2).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect
      .poll(() =>
        queue.push({ id: 'two', kind: 'kind', body: 2 }).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  }
  expect([await store.get('before'), await store.get('after')]).toEqual([1, 2])
  await expect.poll(() => got).toContain(2)
  heard.length = 0
  await store.set('watched', 1)
  await expect.poll(() => heard.length).toBeGreaterThan(0)
})

test.each(['redis+cluster://', 'redis+cluster://host:x', 'rediss+cluster://host/name'])(
  'the address %s is refused with how it is written',
  (address) => {
    expect(() => redisStore(address)).toThrow('must be redis+cluster://')
  },
)
