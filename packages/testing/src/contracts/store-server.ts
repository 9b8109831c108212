import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { EngineError } from '@harvestman/core'
import type { Store } from '@harvestman/ports'

import type { Contract } from '../contract.ts'

/** A dedicated server of a store, which the rules kill, stop and start. It keeps acknowledged writes when it is killed. */
export interface StoreServer {
  /** Opens a store on it that waits this many milliseconds for a response. */
  open(options: { readonly timeout: number }): Store
  kill(): Promise<void>
  start(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  remove(): Promise<void>
}

/** Starts a server for stores. */
export type MakeStoreServer = () => Promise<StoreServer>

async function using(
  make: MakeStoreServer,
  timeout: number,
  check: (store: Store, server: StoreServer) => Promise<void>,
) {
  const server = await make()
  const store = server.open({ timeout })
  try {
    await check(store, server)
  } finally {
    await store.close()
    await server.remove()
  }
}

/**
 * Returns the code and the reason of the `EngineError` that a call rejects with; another error unchanged, and a
 * sentence if the call succeeds.
 */
export async function failureOf(work: Promise<unknown> | void | undefined): Promise<unknown> {
  try {
    await work
    return 'it succeeded'
  } catch (error) {
    return EngineError.is(error) ? [error.code, error.details['reason']] : error
  }
}

const isSoon = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
  const end = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < end, `It did not happen: ${what}.`)
    await sleep(20)
  }
}
const isThere = (store: Store, key: string): Promise<boolean> =>
  store.get(key).then(
    (value) => value !== undefined,
    () => false,
  )

/** The rules of a store on a server, which has a clock of its own and may become unavailable. */
export const serverStoreContract: Contract<MakeStoreServer> = [
  {
    name: 'by the clock of the server a value is gone after its ttl, also one that was updated or added to, and others stay',
    run: (make) =>
      using(make, 5_000, async (store) => {
        await store.set('set', 1, { ttl: 2_000 })
        await store.set('stays', 1)
        await store.set('updated', 1, { ttl: 2_000 })
        await store.update('updated', () => 2)
        await store.add?.('added', [1], { ttl: 2_000 })
        await store.add?.('added', [2])
        const read = (): Promise<readonly unknown[]> =>
          Promise.all(['set', 'stays', 'updated', 'added'].map((key) => store.get(key)))
        assert.deepEqual(await read(), [1, 1, 2, store.add ? [1, 2] : undefined])
        await sleep(2_050)
        assert.deepEqual(await read(), [undefined, 1, undefined, undefined])
      }),
  },
  {
    name: 'by the clock of the server a ttl of nothing is gone at once, and one that is not a number too',
    run: (make) =>
      using(make, 5_000, async (store) => {
        for (const ttl of [0, -1, Number.NaN]) {
          await store.set('key', 1)
          await store.set('key', 2, { ttl })
          assert.equal(await store.get('key'), undefined)
          await store.set('key', 1)
          await store.update('key', () => 2, { ttl })
          assert.equal(await store.get('key'), undefined)
        }
      }),
  },
  {
    name: 'a server that was killed has every call say so in time, and nothing acknowledged is lost; its watchers are told',
    run: (make) =>
      using(make, 1_000, async (store, server) => {
        const numbers = Array.from({ length: 100 }, (_, number) => number)
        let notifications = 0
        await store.watch?.('key', () => void (notifications += 1))
        await store.set('key', 'before')
        await Promise.all(numbers.map((number) => store.set(`key ${number}`, number)))
        await server.kill()
        const away = ['store_failed', 'away']
        assert.deepEqual(await failureOf(store.get('key')), away)
        assert.deepEqual(await failureOf(store.set('key', 1)), away)
        if (store.add) assert.deepEqual(await failureOf(store.add('list', [1])), away)
        assert.deepEqual(await failureOf(store.delete('key')), away)
        const before = notifications
        await server.start()
        await isSoon('the store goes on', () => isThere(store, 'key'))
        assert.equal(await store.get('key'), 'before')
        assert.deepEqual(await Promise.all(numbers.map((number) => store.get(`key ${number}`))), numbers)
        if (!store.watch) return
        await isSoon('the watcher is told that there may be something', () => notifications > before)
        const after = notifications
        await store.set('key', 'after')
        await isSoon('the watcher is told of a change', () => notifications > after)
      }),
  },
  {
    name: 'a server that does not answer is waited for as long as was said, and goes on',
    run: (make) =>
      using(make, 300, async (store, server) => {
        await store.set('key', 1)
        server.signal('SIGSTOP')
        assert.deepEqual(await failureOf(store.get('key')), ['store_failed', 'slow'])
        server.signal('SIGCONT')
        await isSoon('the store goes on', () => isThere(store, 'key'))
      }),
  },
]

/** The module of an adapter, for use in other processes. */
export interface AdapterModule {
  /** URL of the module, and the names of the exports that open a store and a queue, each with a URL as its only argument. */
  readonly module: URL
  readonly store: string
  readonly queue: string
}

/**
 * Runs a process that uses a store and a queue, and closes them. Rejects if the process does not end by itself within a minute.
 */
export async function endsByItself({ module, store, queue }: AdapterModule, url: string): Promise<void> {
  const script = `
    import { ${store} as openStore, ${queue} as openQueue } from ${JSON.stringify(module.href)}
    const [store, queue] = [openStore(process.argv[1]), openQueue(process.argv[1])]
    await store.set('key', 1)
    await store.watch('key', () => undefined)
    const done = Promise.withResolvers()
    await queue.consume(async () => done.resolve(), { kind: 'test', concurrency: 2 })
    await queue.push({ id: 'a', kind: 'test', body: null })
    await done.promise
    await Promise.all([store.close(), queue.close()])
    console.log('closed')
  `
  const args = ['--input-type=module', '-e', script, url]
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
  assert.equal(stdout, 'closed\n')
}

// Operating systems assign ports from 32768 on to any process that connects or asks for one, so such a port may be taken before
// its server starts. A node of a Redis Cluster also listens on its port plus 10,000, which must be in neither range.
const ports = { first: 12_000, last: 22_000 }

/**
 * Returns a port of localhost from 12,000 to 21,999 that is free and that the operating system does not assign by itself.
 * Another process may still take it first.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.first, ports.last)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    probe.close()
    await once(probe, 'close')
    return port
  }
}
