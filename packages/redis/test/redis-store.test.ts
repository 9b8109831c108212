// @module-tag redis
import { randomUUID } from 'node:crypto'

import type { Store } from '@harvestman/ports'
import {
  durableStoreContract,
  failingStoreContract,
  failureOf,
  serverStoreContract,
  sharedStoreContract,
  storeContract,
} from '@harvestman/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'

import { redisStore, type RedisStoreOptions } from '../src/index.ts'
import { startRedis, type RedisServer } from './server.ts'

let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server?.remove())

/** One for a test alone, which goes with it. */
async function startOwn(...settings: readonly string[]): Promise<RedisServer> {
  const own = await startRedis(...settings)
  onTestFinished(() => own.remove())
  return own
}

const prefix = (): string => `${randomUUID()}:`

function open(options: RedisStoreOptions = {}, url = server.url): Store {
  const store = redisStore(url, { prefix: prefix(), ...options })
  onTestFinished(() => store.close())
  return store
}

describe('redisStore keeps the contract', () => {
  for (const { name, run } of storeContract)
    test(name, () => run(({ clock }) => redisStore(server.url, { prefix: prefix(), clock })))
  for (const { name, run } of [...durableStoreContract, ...sharedStoreContract])
    test(name, () =>
      run(({ clock }) => {
        const own = prefix()
        return { open: () => redisStore(server.url, { prefix: own, clock }) }
      }),
    )
})

describe('a server of its own', { tags: ['long'] }, () => {
  for (const { name, run } of serverStoreContract)
    test(name, () =>
      run(async () => {
        const own = await startOwn('--appendonly', 'yes', '--appendfsync', 'always')
        return { ...own, open: (options) => redisStore(own.url, { prefix: prefix(), ...options }) }
      }),
    )

  test('has the time that is left of a value', async () => {
    const store = open()
    await store.set('key', 1, { ttl: 60_000 })
    await store.update('key', () => 2)
    const [left] = await scanAll(store)
    expect(left?.ttl).toBeGreaterThan(0)
  })

  test('keeps no name of listed keys that have expired', async () => {
    const own = prefix()
    const store = open({ prefix: own })
    for (let number = 0; number < 40; number += 1) await store.set(`list/${number}`, 1, { ttl: 1 })
    await store.set('list/stays', 1)
    const { Redis } = await import('ioredis')
    const redis = new Redis(server.url)
    onTestFinished(() => redis.disconnect())
    await expect
      .poll(async () => {
        await store.update('list/stays', (old) => (old as number) + 1)
        return [await redis.zrange(`index:${own}`, '0', '-1'), await redis.zcard(`index-ends:${own}`)]
      })
      .toEqual([['list/stays'], 0])
  })

  for (const { name, run } of failingStoreContract)
    test(name, async () => {
      const own = await startOwn('--appendonly', 'yes', '--appendfsync', 'always')
      await run(({ clock }) => ({
        store: redisStore(own.url, { clock, timeout: 2000 }),
        fail: () => own.kill(),
        heal: () => own.start(),
      }))
    })
})

describe('says why it fails:', () => {
  test('a connection that breaks under a call, which is told at once however long it might have waited', async () => {
    const own = await startOwn()
    const store = open({ timeout: 600_000 }, own.url)
    await store.set('key', 1)
    own.signal('SIGSTOP')
    const reasons = Promise.all([failureOf(store.get('key')), failureOf(store.update('key', () => 2))])
    await new Promise((resolve) => setTimeout(resolve, 100))
    await own.kill()
    expect(await reasons).toEqual([
      ['store_failed', 'away'],
      ['store_failed', 'away'],
    ])
    // And nothing waits behind what was lost.
    await own.start()
    expect(await store.get('key')).toBeUndefined()
  })

  test('a script of a client that is dead holds the server; when the script is ended, writing works again', async () => {
    const own = await startOwn('--lua-time-limit', '100')
    const store = open({ timeout: 1000 }, own.url)
    await store.set('key', 'before')
    const { Redis } = await import('ioredis')
    const [dead, operator] = [new Redis(own.url), new Redis(own.url)]
    await Promise.all([dead.ping(), operator.ping()])
    dead.eval('while true do end', 0).catch(() => undefined)
    await expect.poll(() => failureOf(store.set('other', 'before it began'))).toEqual(['store_failed', 'locked'])
    dead.disconnect()
    // Its end is not noticed by a server that works for it.
    expect(await failureOf(store.update('key', () => 'during'))).toEqual(['store_failed', 'locked'])
    await operator.script('KILL')
    operator.disconnect()
    // The script ends a moment after the server has said that it will.
    await expect.poll(() => failureOf(store.get('key'))).toBe('it succeeded')
    expect(await store.get('key')).toBe('before')
    await store.set('key', 'after')
    expect(await store.get('key')).toBe('after')
  })

  test('memory that is full; what was kept stays, and there is room again when something is deleted', async () => {
    const own = await startOwn('--maxmemory', '6mb', '--maxmemory-policy', 'noeviction')
    const store = open({}, own.url)
    await store.set('big', new Uint8Array(1_000_000))
    await store.set('list', [1])
    let number = 0
    // What a call itself takes is free again afterwards, so it may take some more of them.
    const untilRefused = async (write: (name: string) => Promise<unknown> | undefined): Promise<unknown> => {
      for (let tries = 0; tries < 1000; tries += 1) {
        const reason = await failureOf(write(`more ${(number += 1)}`))
        if (reason !== 'it succeeded') return reason
      }
      return undefined
    }
    const full = ['store_failed', 'full']
    expect(await untilRefused((name) => store.set(name, new Uint8Array(50_000)))).toEqual(full)
    expect(await untilRefused((name) => store.update(name, () => 'x'.repeat(1000)))).toEqual(full)
    expect(await untilRefused(() => store.add?.('added', ['x'.repeat(1000)]))).toEqual(full)
    expect(await store.getMany?.(['big', 'list'])).toEqual([new Uint8Array(1_000_000), [1]])
    for (; number > 0; number -= 1) await store.delete(`more ${number}`)
    await store.update('other', () => 'x'.repeat(1000))
  })

  test('a password that is wrong, and a server that is not there', async () => {
    const own = await startOwn('--requirepass', 'right')
    const url = (password: string) => own.url.replace('//', `//:${password}@`)
    expect(await failureOf(open({ timeout: 2000 }, url('wrong')).get('key'))).toEqual(['store_failed', 'refused'])
    expect(await open({}, url('right')).get('key')).toBeUndefined()
    await own.remove()
    expect(await failureOf(open({ timeout: 200 }, own.url).get('key'))).toEqual(['store_failed', 'away'])
  })

  test('a key that something else keeps', async () => {
    const own = prefix()
    const store = open({ prefix: own })
    const { Redis } = await import('ioredis')
    const redis = new Redis(server.url)
    await redis.set(`${own}text`, 'not ours')
    await redis.rpush(`${own}list`, 'not ours')
    await expect(store.get('text')).rejects.toThrow('not written by this store')
    expect(await failureOf(store.update('list', () => 1))).toEqual(['store_failed', 'unknown'])
    redis.disconnect()
  })
})

describe('its generation', () => {
  test('is another one when a write to a server that was started again resolves', async () => {
    const own = await startOwn()
    const store = open({}, own.url)
    await store.set('key', 1)
    const before = store.generation!()
    await own.kill()
    await own.start()
    await store.set('key', 2)
    expect(store.generation!()).not.toBe(before)
  })

  test('is another one when a write to a replica that was promoted resolves', async () => {
    const [primary, replica] = [await startOwn(), await startOwn()]
    const { Redis } = await import('ioredis')
    const operator = new Redis(replica.url)
    onTestFinished(() => operator.disconnect())
    const store = open({}, replica.url)
    await store.set('key', 1)
    const before = store.generation!()
    await operator.replicaof('127.0.0.1', String(primary.port))
    await operator.replicaof('NO', 'ONE')
    await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await expect.poll(() => failureOf(store.set('key', 2))).toBe('it succeeded')
    expect(store.generation!()).not.toBe(before)
  })

  test('is the same when the connection to the same server breaks', async () => {
    const own = await startOwn()
    const { Redis } = await import('ioredis')
    const operator = new Redis(own.url)
    onTestFinished(() => operator.disconnect())
    const store = open({}, own.url)
    await store.set('key', 1)
    const before = store.generation!()
    await operator.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await expect.poll(() => failureOf(store.set('key', 2))).toBe('it succeeded')
    expect(store.generation!()).toBe(before)
  })

  test('is another one for each connection of a client that does not ask the server who it is', async () => {
    const own = await startOwn()
    const { Redis } = await import('ioredis')
    const client = new Redis(own.url, { enableReadyCheck: false })
    onTestFinished(() => client.disconnect())
    const store = redisStore(client, { prefix: prefix() })
    onTestFinished(() => store.close())
    await store.set('key', 1)
    const before = store.generation!()
    await own.kill()
    await own.start()
    await expect.poll(() => failureOf(store.set('key', 2))).toBe('it succeeded')
    expect(store.generation!()).not.toBe(before)
  })

  test('is another one for each connection to a server that does not tell who it is', async () => {
    // The client prints that it may not ask.
    const print = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => print.mockRestore())
    const { Redis } = await import('ioredis')
    const operator = new Redis(server.url)
    onTestFinished(() => operator.disconnect())
    await operator.acl('SETUSER', 'quiet', 'on', '>word', '~*', '&*', '+@all', '-info')
    const store = open({}, server.url.replace('//', '//quiet:word@'))
    await store.set('key', 1)
    const before = store.generation!()
    await operator.call('CLIENT', 'KILL', 'USER', 'quiet')
    await expect.poll(() => failureOf(store.set('key', 2))).toBe('it succeeded')
    expect(store.generation!()).not.toBe(before)
  })
})

describe('a client of the caller', () => {
  test('lends its settings, and stays open and as it was', async () => {
    const { Redis } = await import('ioredis')
    const redis = new Redis(server.url)
    const store = redisStore(redis, { prefix: prefix() })
    await store.set('key', 1)
    await store.close()
    expect(await redis.ping()).toBe('PONG')
    redis.disconnect()
  })
})

// What each setting of Redis may lose when the server is killed, as docs/scale.md says.
describe('what was acknowledged, when the server was killed with -9,', { tags: ['long'] }, () => {
  const write = async (settings: readonly string[]) => {
    const own = await startOwn(...settings)
    const store = open({ timeout: 2000 }, own.url)
    for (let number = 0; number < 200; number += 1) await store.set(`key ${number}`, number)
    await own.kill('SIGKILL')
    await own.start()
    const kept = await store.getMany?.(Array.from({ length: 200 }, (_, number) => `key ${number}`))
    await own.remove()
    return kept?.filter((value) => value !== undefined)
  }

  test('is all there with `appendonly yes` and `appendfsync always`', async () => {
    expect(await write(['--appendonly', 'yes', '--appendfsync', 'always'])).toHaveLength(200)
  })
  test('is there with `appendfsync everysec` but for the last moments, of which nothing is there', async () => {
    const kept = await write(['--appendonly', 'yes', '--appendfsync', 'everysec'])
    // While a slow disk is busy, the server keeps what it acknowledged in its memory for up to two seconds.
    expect(kept).toEqual(Array.from({ length: kept?.length ?? 0 }, (_, number) => number))
  })
  test('is lost without an append-only file and a snapshot', async () => {
    expect(await write(['--appendonly', 'no'])).toEqual([])
  })
})

async function scanAll(store: Store) {
  const found = []
  for await (const entries of store.scan?.('') ?? []) found.push(...entries)
  return found
}
